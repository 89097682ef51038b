import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Testing
import WindowTesting

/// A page of one template.
private struct Name: Root {
  typealias State = FixtureState

  init(_ local: NoLocalState) {}

  var body: some Component { Presenter() }
}

private struct Presenter: ImmutableUI.Presenter {
  static let template = Template<Self>(named: "Name", [])
}

@MainActor struct WindowTextTests {
  @Test func `a word in several elements is one word in the text of a window`() async throws {
    let template = "<span>ui.</span><wbr><strong>on<wbr>Appear</strong><p>1 &lt; 2</p>"
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let app = try TestApp(templates: TemplateLibrary(sources: ["Name": template])) {
      Provider(store) { Page(Name.self, at: "/name", title: "Name") }
    }

    let window = try await app.open("/name")

    #expect(window.text == "ui.onAppear 1 < 2")
    try await app.finish()
  }
}
