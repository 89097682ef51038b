import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing
import WindowTesting

private struct NumberState: StoreState {
  enum Action: Sendable {
    case didSet(Int)
  }

  var number = 1

  static func reduce(state: Self, action: Action) -> Self {
    var state = state
    switch action {
    case .didSet(let number): state.number = number
    }
    return state
  }
}

@propertyWrapper private struct SelectNumber: Hashable, Sendable {
  @ImmutableUI.Selector(outputSelector: { (state: NumberState) in state.number })
  var wrappedValue: Int

  init() {}
}

/// The sign of a number, twice; the number; and, if it should, its size.
private struct Numbers: Root, Presenter {
  typealias State = NumberState

  struct Local: LocalState {
    var showsSize = false

    static let parameters: [Parameter<Self>] = [Parameter("size", \.showsSize)]
  }

  let local: Local

  init(_ local: Local) { self.local = local }

  static let template = Template<Self>(
    named: "Numbers",
    [
      .region("first") { _ in Sign(isFirst: true) },
      .region("second") { _ in Sign(isFirst: false) },
      .region("number") { _ in Number() },
      .region("size") { Size(isShown: $0.local.showsSize) },
    ]
  )
}

private struct Sign: Component, Hashable {
  @SelectNumber private var number
  private let isFirst: Bool

  init(isFirst: Bool) { self.isFirst = isFirst }

  var body: some Component { Shown(isNegative: self.number < 0) }

  private struct Shown: Presenter, Hashable {
    let isNegative: Bool

    static let template = Template<Self>(
      named: "Text", [.text("text") { $0.isNegative ? "negative" : "positive" }])
  }
}

/// Its body is always equal, and selects for itself.
private struct Number: Component, Hashable {
  var body: some Component { Shown() }

  private struct Shown: Presenter, Hashable {
    @SelectNumber private var number

    static let template = Template<Self>(named: "Text", [.text("text") { $0.number }])
  }
}

/// Its body is equal for different sizes, which is a mistake.
private struct Size: Component, Hashable {
  @SelectNumber private var number
  private let isShown: Bool

  init(isShown: Bool) { self.isShown = isShown }

  var body: some Component { Shown(size: self.isShown ? abs(self.number) : 0) }

  private struct Shown: Presenter, Hashable {
    let size: Int

    static func == (lhs: Self, rhs: Self) -> Bool { true }
    func hash(into hasher: inout Hasher) {}

    static let template = Template<Self>(named: "Text", [.text("text") { $0.size }])
  }
}

@MainActor struct ShownValuesTests {
  private let store = ImmutableData.Store(
    initialState: NumberState(), reducer: NumberState.reduce)
  private let app: TestApp

  init() throws {
    let store = self.store
    self.app = try TestApp(
      templates: TemplateLibrary(sources: [
        "Numbers": "<p>{{first}}{{second}}{{number}}{{size}}</p>", "Text": "<b>{{text}}</b> ",
      ])
    ) {
      Provider(store) { Page(Numbers.self, at: "/numbers", title: "Numbers") }
    }
  }

  @Test func `a region whose body stays equal is not rendered`() async throws {
    let window = try await self.app.open("/numbers")
    #expect(window.text.contains("positive positive 1 0"))
    let before = self.app.windows.counts

    try self.store.dispatch(action: .didSet(2))
    try await window.expect("positive positive 2 0")

    let counts = self.app.windows.counts - before
    // The body of the number is equal, too, but selects what it shows.
    #expect(counts.regionRenders == 1)
    #expect(counts.diffs == 1)
    try await self.app.finish()
  }

  @Test func `regions with equal bodies are rendered once`() async throws {
    let window = try await self.app.open("/numbers")
    let before = self.app.windows.counts

    try self.store.dispatch(action: .didSet(-3))
    try await window.expect("negative negative -3 0")

    let counts = self.app.windows.counts - before
    #expect(counts.regionRenders == 2)
    #expect(counts.diffs == 3)
    // They are still told apart, and come back.
    try self.store.dispatch(action: .didSet(4))
    try await window.expect("positive positive 4 0")
    try await self.app.finish()
  }

  @Test func `an audit finds equal bodies that show different things`() async throws {
    _ = try await self.app.open("/numbers?size=true")
    try self.store.dispatch(action: .didSet(5))

    let error = await #expect(throws: WindowTestError.self) { try await self.app.frame() }

    #expect(
      error?.description.hasSuffix("are equal although they show different things") == true)
  }
}
