import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Testing
import WindowTesting

/// A page whose title counts.
private struct Ticker: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var name = ""

    static let parameters: [Parameter<Self>] = [Parameter("name", \.name)]
  }

  @ImmutableUI.Selector(outputSelector: { (state: FixtureState) in state.ticks }) var ticks
  private let name: String

  init(_ local: Local) {
    self.name = local.name
  }

  var title: String? {
    self.ticks == 0 ? nil : "\(self.ticks) \(self.name)"
  }

  var body: some Component {
    Presenter()
  }
}

private struct Presenter: ImmutableUI.Presenter {
  static let template = Template<Self>(named: "Ticker", [])
}

@MainActor struct TitleTests {
  private let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)

  private func app() throws -> TestApp {
    let store = self.store
    return try TestApp(templates: TemplateLibrary(sources: ["Ticker": "<p>Ticker</p>"])) {
      Provider(store) { Page(Ticker.self, at: "/ticker", title: "Ticker") }
    }
  }

  @Test func `the title changes with a push, although nothing else does`() async throws {
    let app = try self.app()
    let window = try await app.open("/ticker?name=sheep")
    #expect(window.title == "Ticker")

    try self.store.dispatch(action: .ui(.onTapTickButton))
    let pushes = try await window.expect("Ticker")

    #expect(pushes.map(\.event) == ["frame"])
    #expect(window.title == "1 sheep")
    try await app.finish()
  }

  @Test func `pages and navigating windows have the title of their place`() async throws {
    let app = try self.app()
    try self.store.dispatch(action: .ui(.onTapTickButton))
    let window = try await app.open("/ticker?name=sheep")
    #expect(window.title == "1 sheep")

    try await window.navigate(to: "/ticker?name=goats")

    #expect(window.title == "1 goats")
    try await app.finish()
  }
}
