import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Synchronization
import Testing
import WindowTesting

/// A page with a form whose effect never ends, which counts how often one asks.
private struct Job: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var number = 0

    static let parameters: [Parameter<Self>] = [Parameter("number", \.number)]
  }

  static let questions = Mutex(0)

  static let begin = Form<FixtureAction>("begin", .repeatable) { .ui(.onTapTickButton) }

  init(_ local: Local) {}

  static func status(of action: FixtureAction, in state: FixtureState) -> EffectStatus? {
    self.questions.withLock { $0 += 1 }
    return .waiting
  }

  var body: some Component {
    Presenter()
  }
}

private struct Presenter: ImmutableUI.Presenter {
  static let template = Template<Self>(named: "Job", [.form("begin", Job.begin)])
}

@MainActor struct OutcomesTests {
  @Test func `a frame asks once how an effect stands, however many places there are`() async throws
  {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["Job": "<p>Job</p>{{#begin}}{{/begin}}"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Job.self, at: "/job", title: "Job") }
    }
    for number in 0..<10 {
      _ = try await app.open("/job?number=\(number)")
    }
    _ = try await app.windows.submit(
      FormFields(Query("\(FormField.form)=begin")),
      to: "/job",
      session: Identifier(),
      window: nil
    )
    try await app.frame()
    let before = Job.questions.withLock { $0 }

    try store.dispatch(action: .data(.didLoad(items: [])))
    try await app.frame()

    #expect(Job.questions.withLock { $0 } - before == 1)
    try await app.finish()
  }

  @Test func `a state that is only shown ends no effect`() async throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["Job": "<p>Job</p>{{#begin}}{{/begin}}"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Job.self, at: "/job", title: "Job") }
    }
    let window = try await app.open("/job")
    try await window.submit("begin")
    try await app.frame()
    let before = Job.questions.withLock { $0 }

    store.show(FixtureState())
    try await app.frame()

    #expect(Job.questions.withLock { $0 } == before)
    store.show(nil)
    try await app.frame()
    #expect(Job.questions.withLock { $0 } > before)
    _ = try window.receive()
    try await app.finish()
  }
}
