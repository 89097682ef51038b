public import CounterData
public import ImmutableUI

/// The counter: its value, and buttons that change it.
///
/// Source: the guide, chapter CounterUI, section Content.
public struct Content: Root, Presenter {
  public typealias State = CounterState

  public static let assets: [Asset] = [.style("counter.css"), .module("sparkline.js")]

  public init(_ local: NoLocalState = NoLocalState()) {}

  // The value has its own region, so that a change sends nothing else.
  public static let template = Template<Self>([
    .region("number") { _ in CounterNumber() },
    .form("increment", Content.didTapIncrementButton),
    .form("decrement", Content.didTapDecrementButton),
  ])
}

extension Content {
  private static let didTapIncrementButton = Form<CounterAction>("increment", .repeatable) {
    .didTapIncrementButton
  }

  private static let didTapDecrementButton = Form<CounterAction>("decrement", .repeatable) {
    .didTapDecrementButton
  }

  /// The page that shows the counter.
  ///
  /// - Parameter path: Where it is served.
  public static func page(at path: String = "/counter") -> Page<Self> {
    Page(Self.self, at: path, title: "Counter")
  }
}

extension CounterReducer.Error: RefusalConvertible {
  /// The message for the user.
  public var refusal: Refusal {
    switch self.code {
    case .overflow:
      Refusal(.conflict, "The counter cannot go any further in this direction. Go the other way.")
    }
  }
}
