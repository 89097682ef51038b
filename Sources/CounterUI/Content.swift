public import CounterData
import HTMLTemplates
public import ImmutableUI

/// The counter: its value, and buttons that change it.
///
/// Source: the guide, chapter CounterUI, section Content.
public struct Content: Root {
  public typealias State = CounterState

  public static let assets: [Asset] = [.style("counter.css")]

  @SelectValue private var value

  public init(_ local: NoLocalState = NoLocalState()) {}

  public var body: some Component {
    Presenter(value: self.value)
  }
}

extension Content {
  private struct Presenter: ImmutableUI.Presenter {
    let value: Int

    /// Whether the number needs a smaller type, so that it stays on one line.
    private var isLong: Bool { "\(self.value)".count > 6 }

    static let template = Template<Self>([
      .text("value") { $0.value },
      .flag("isLong") { $0.isLong },
      .form("increment", Content.didTapIncrementButton),
      .form("decrement", Content.didTapDecrementButton),
    ])
  }
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
  /// What the user is told.
  public var refusal: Refusal {
    switch self.code {
    case .overflow:
      Refusal(.conflict, "The counter cannot go any further in this direction. Go the other way.")
    }
  }
}
