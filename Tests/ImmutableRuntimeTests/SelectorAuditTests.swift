import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Testing
import WindowTesting

/// Its selector captures the local state and has no id.
private struct Careless: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var item = ""
    var visitor = ""

    static let parameters: [Parameter<Self>] = [Parameter("item", \.item)]

    mutating func resolve(in environment: WindowEnvironment) {
      self.visitor = environment.visitor?.rawValue ?? ""
    }
  }

  @ImmutableUI.Selector<ImmutableData.Store<FixtureState, FixtureAction>, Item?>
  private var item: Item?
  private let id: String

  init(_ local: Local) {
    let id = local.item.isEmpty ? local.visitor : local.item
    self.id = id
    self._item = ImmutableUI.Selector(outputSelector: FixtureState.selectItem(id: id))
  }

  var body: some Component {
    Presenter(name: self.item?.name ?? "")
  }

  private struct Presenter: ImmutableUI.Presenter {
    let name: String

    static let template = Template<Self>(named: "Careless", [.text("name") { $0.name }])
  }
}

/// It selects nothing.
private struct Plain: Root, ImmutableUI.Presenter {
  typealias State = FixtureState

  static let template = Template<Self>(named: "Plain", [])

  init(_ local: NoLocalState) {}
}

@MainActor struct SelectorAuditTests {
  @Test func `an audit keeps a hundred findings, each once`() {
    let counters = FrameCounters(isAuditing: true)

    for number in 0..<1_000 {
      for _ in 0..<2 { counters.audit { "finding \(number)" } }
    }

    #expect(counters.takeFindings() == (0..<100).map { "finding \($0)" })
    #expect(counters.takeFindings() == [])
  }

  @Test func `the audit finds a selector that captures a value missing from its id`() async throws {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee")),
      reducer: FixtureReducer.reduce
    )
    let app = try TestApp(templates: TemplateLibrary(sources: ["Careless": "{{name}}"])) {
      Provider(store) { Page(Careless.self, at: "/careless", title: "Careless") }
    }
    _ = try await app.open("/careless?item=ant")
    try await app.frame()
    _ = try await app.open("/careless?item=bee")

    let error = await #expect(throws: WindowTestError.self) { try await app.frame() }

    #expect(
      error?.description.hasPrefix("selector at ImmutableRuntimeTests/SelectorAuditTests.swift:")
        == true
    )
    #expect(error?.description.hasSuffix(" captures something that is not in its id") == true)
  }

  @Test(arguments: ["/careless", "/careless/:item"])
  func `one visit is enough to find a selector that captures a value missing from its id`(
    path: String
  ) async throws {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee")),
      reducer: FixtureReducer.reduce
    )
    let app = try TestApp(templates: TemplateLibrary(sources: ["Careless": "{{name}}"])) {
      Provider(store) { Page(Careless.self, at: path, title: "Careless") }
    }
    let isInPath = path.hasSuffix(":item")
    _ = try await app.open(isInPath ? "/careless/ant" : "/careless?item=ant")

    let error = await #expect(throws: WindowTestError.self) { try await app.finish() }

    #expect(error?.description.hasSuffix(" captures something that is not in its id") == true)
  }

  @Test func `one visit each of two visitors is enough to find a selector that captures who it is`()
    async throws
  {
    let store = Store(
      initialState: FixtureState(items: .make("Ant", "Bee")),
      reducer: FixtureReducer.reduce
    )
    let templates = TemplateLibrary(sources: ["Careless": "{{name}}", "Plain": "Plain"])
    let app = try TestApp(templates: templates) {
      Provider(store) {
        Page(Careless.self, at: "/careless", title: "Careless")
        Page(Plain.self, at: "/plain", title: "Plain")
      }
    }
    let error = await #expect(throws: WindowTestError.self) {
      for visitor in ["ant", "bee"] {
        let window = try await app.open(
          "/careless", environment: WindowEnvironment(visitor: Visitor(rawValue: visitor)))
        try await window.navigate(to: "/plain")
      }
      try await app.finish()
    }

    #expect(error?.description.hasSuffix(" captures something that is not in its id") == true)
  }

  @Test func `the audit accepts a selector with every captured value in its id`() async throws {
    let fixture = try FixtureApp()
    _ = try await fixture.app.open("/fixture?selected=ant")
    _ = try await fixture.app.open("/fixture?selected=bee&search=b")

    try await fixture.app.finish()
  }
}
