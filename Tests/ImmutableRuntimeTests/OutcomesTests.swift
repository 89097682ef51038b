import Fixture
import HTMLTemplates
import ImmutableData
import Synchronization
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

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

  static func status(of action: FixtureAction, in state: FixtureState) -> OperationStatus? {
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

/// A page with two sheets. An item is saved once its name is "saved", and not if that is "cancelled".
private struct Sheets: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var left = Presented<String>()
    var right = Presented<String>()

    static let parameters: [Parameter<Self>] = [
      Parameter("left", \.left), Parameter("right", \.right),
    ]
  }

  static let left = Form<FixtureAction>("left") { .ui(.onTapAddButton(id: "left", name: "a")) }
  static let right = Form<FixtureAction>("right") { .ui(.onTapAddButton(id: "right", name: "b")) }

  let local: Local

  init(_ local: Local) {
    self.local = local
  }

  static func status(of action: FixtureAction, in state: FixtureState) -> OperationStatus? {
    guard case .ui(.onTapAddButton(let id, _)) = action else { return nil }
    return switch state.items.first(where: { $0.id == id })?.name {
    case "saved": .success
    case "cancelled": .empty
    default: .waiting
    }
  }

  var body: some Component {
    SheetsPresenter(local: self.local)
  }
}

private struct SheetsPresenter: ImmutableUI.Presenter {
  let local: Sheets.Local

  static let template = Template<Self>(
    named: "Sheets",
    [
      .form("left", Sheets.left, closing: \Sheets.Local.left),
      .form("right", Sheets.right, closing: \Sheets.Local.right),
      .text("text") { "\($0.local.left.isWaiting) \($0.local.right.isWaiting)" },
    ]
  )
}

/// One after another, because they count in a static property.
@Suite(.serialized) @MainActor struct OutcomesTests {
  @Test(arguments: [("left", "right"), ("right", "left")])
  func `a sheet closes while another waits`(first: String, second: String) async throws {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(
      sources: ["Sheets": "{{#left}}{{/left}}{{#right}}{{/right}}<p>{{text}}</p>"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Sheets.self, at: "/sheets", title: "Sheets") }
    }
    let window = try await app.open("/sheets?left=a&right=b")
    try await window.submit("left", token: "left")
    try await window.submit("right", token: "right")
    try await window.expect("true true")

    try store.dispatch(action: .data(.didRename(id: first, name: "saved")))
    try await window.expect(first == "left" ? "false true" : "true false")
    #expect(window.url.contains("\(first)=") == false)
    #expect(window.url.contains("\(second)="))

    try store.dispatch(action: .data(.didRename(id: second, name: "saved")))
    try await window.expect("false false")
    #expect(window.url == "/sheets")
    try await app.finish()
  }

  @Test func `the oldest submissions with running effects are forgotten`() async throws {
    let (outcomes, snapshot) = try self.outcomes(of: Job.self, .ui(.onTapTickButton), count: 10_000)
    var later = outcomes
    let ended = later.update(to: snapshot)

    #expect(outcomes.bytes <= 4 << 20)
    #expect(outcomes["0"] == nil)
    #expect(outcomes["9999"] == .waiting)
    #expect(ended == [])
  }

  @Test func `the local state of a submission with a running effect counts`() async throws {
    let action = FixtureAction.ui(.onTapAddButton(id: "right", name: "a"))
    let long = Query("left=" + String(repeating: "a", count: 200))

    let (without, _) = try self.outcomes(of: Sheets.self, action, count: 10)
    let (with, _) = try self.outcomes(of: Sheets.self, action, at: long, count: 10)

    #expect(with.bytes - without.bytes >= 10 * 200)
  }

  @Test func `the oldest submissions with ended effects are forgotten`() async throws {
    let action = FixtureAction.ui(.onTapAddButton(id: "left", name: "a"))
    let (outcomes, _) = try self.outcomes(of: Sheets.self, action, count: 20_000)

    #expect(outcomes.bytes <= 1 << 20)
    #expect(outcomes["0"] == nil)
    #expect(outcomes["19999"] == .success)
  }

  /// What is known after many submissions of a client.
  private func outcomes<Content: Root>(
    of root: Content.Type, _ action: FixtureAction, at query: Query = Query(), count: Int
  ) throws -> (Outcomes<FixtureState>, StoreSnapshot<FixtureState, FixtureAction>)
  where Content.State == FixtureState {
    let items = [Item(id: "left", name: "saved")]
    let store = Store(initialState: FixtureState(items: items), reducer: FixtureReducer.reduce)
    let page = Page(root, at: "/page", title: "Page")
    let location = page.location(query, WindowEnvironment())
    let snapshot = store.snapshot()
    var outcomes = Outcomes<FixtureState>()
    for number in 0..<count {
      let effect = try #require(
        SubmissionEffect(of: action, from: location, submission: "\(number)", in: snapshot.state))
      _ = outcomes.add(
        "\(number)", effect, since: snapshot.version, bytes: 1_000, of: "client", in: snapshot)
    }
    return (outcomes, snapshot)
  }

  @Test func `a sheet whose effect was cancelled stays open and can be posted again`()
    async throws
  {
    let store = Store(initialState: FixtureState(), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(
      sources: ["Sheets": "{{#left}}{{/left}}{{#right}}{{/right}}<p>{{text}}</p>"])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Sheets.self, at: "/sheets", title: "Sheets") }
    }
    let window = try await app.open("/sheets?left=a")
    try await window.submit("left", token: "left")
    try await window.expect("true false")

    try store.dispatch(action: .data(.didRename(id: "left", name: "cancelled")))

    try await window.expect("false false")
    #expect(window.url == "/sheets?left=a")
    try await app.finish()
  }

  @Test func `a frame asks once for an effect's outcome, however many places there are`()
    async throws
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

  @Test func `showing a state does not end an effect`() async throws {
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
