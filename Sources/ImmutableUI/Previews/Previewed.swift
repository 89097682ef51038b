/// A component that can be shown on its own, in the states that it can have.
///
/// ```swift
/// extension CounterNumber: Previewed {
///   static let previews: [Preview<Self>] = [
///     Preview("Zero", in: PreviewStore(CounterState())) { CounterNumber() },
///     Preview("Many digits", in: PreviewStore(CounterState(1_234_567))) { CounterNumber() },
///   ]
/// }
/// ```
///
/// Previews need not be registered: they are found through the templates of the pages that can show
/// the component.
///
/// Source: the guide, `#Preview` in all chapters with components.
public protocol Previewed: Component {
  /// The previews, each with a unique name.
  static var previews: [Preview<Self>] { get }

  /// The elements around the component on a page, for style sheets that depend on them.
  static var surroundings: Surroundings { get }
}

extension Previewed {
  public static var surroundings: Surroundings { .none }
}

/// The elements around a component.
public struct Surroundings: Sendable {
  let start: StaticString
  let end: StaticString
  /// Whether the component is a whole page, with its heading.
  private(set) var isPage = false

  /// No elements.
  public static let none = Self("", "")

  /// No elements: the component is a whole page, with its heading.
  public static var page: Self {
    var surroundings = Self.none
    surroundings.isPage = true
    return surroundings
  }

  /// - Parameters:
  ///   - start: Their start tags; HTML that is written as it is.
  ///   - end: Their end tags.
  public init(_ start: StaticString, _ end: StaticString) {
    self.start = start
    self.end = end
  }
}
