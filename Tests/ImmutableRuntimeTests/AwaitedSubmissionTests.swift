import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Testing

@testable import WindowTesting

private struct Job: StoreState {
  typealias Action = JobAction

  var status: OperationStatus?

  static func status(of action: JobAction, in state: Self) -> OperationStatus? { state.status }

  static func toast(for action: JobAction, in state: Self) -> Toast<Self>? {
    switch action {
    case .onTapStartButton: Toast("Started.", undo: .onTapUndoButton)
    case .onTapUndoButton: Toast("Undone.")
    case .didEnd: nil
    }
  }
}

private enum JobAction: Sendable {
  case onTapStartButton
  case onTapUndoButton
  case didEnd(OperationStatus)
}

private struct JobPage: Root, Presenter {
  typealias State = Job

  init(_ local: NoLocalState) {}

  static let template = Template<Self>(
    named: "Job", [.form("start", Form<JobAction>("start") { .onTapStartButton })])
}

/// A tab that has lost its window is told, once it has another, how its submissions have ended.
@MainActor struct AwaitedSubmissionTests {
  private let store: Store<Job, JobAction>
  private let app: TestApp
  private let session = Identifier()
  private let awaited = [AwaitedSubmission(url: "/job?a=b", token: "one")]

  init() throws {
    let store = Store(initialState: Job()) { (_: Job, action: JobAction) in
      switch action {
      case .onTapStartButton, .onTapUndoButton: Job(status: .waiting)
      case .didEnd(let status): Job(status: status)
      }
    }
    let templates = TemplateLibrary(sources: [
      "Job": "{{#start}}<button>Start</button>{{/start}}"
    ])
    self.app = try TestApp(templates: templates) {
      Provider(store) { Page(JobPage.self, at: "/job", title: "Job") }
    }
    self.store = store
  }

  private func end(_ status: OperationStatus) async throws {
    try self.store.dispatch(action: .didEnd(status))
    try await self.app.frame()
  }

  @Test func `what has succeeded while it had none`() async throws {
    let window = try await self.app.open("/job", session: self.session)
    let other = try await self.app.open("/job", session: self.session)
    try await window.submit("start", token: "one")
    try await window.leave()
    try await self.end(.success)

    try await window.join(awaiting: self.awaited)

    _ = try other.receive()
    #expect(window.toast == "Started.")
    #expect(window.toastSubmission != nil)
    #expect(other.toast == nil)
  }

  @Test func `what succeeds later`() async throws {
    let window = try await self.app.open("/job", session: self.session)
    try await window.submit("start", token: "one")
    try await window.leave()
    try await window.join(awaiting: self.awaited)
    let before = window.toast

    try await self.end(.success)

    _ = try window.receive()
    #expect(before == nil)
    #expect(window.toast == "Started.")
  }

  @Test func `what fails later, and its other windows are not`() async throws {
    let window = try await self.app.open("/job", session: self.session)
    let other = try await self.app.open("/job", session: self.session)
    try await window.submit("start", token: "one")
    try await window.leave()
    try await window.join(awaiting: self.awaited)

    try await self.end(.failure(error: "No."))

    _ = (try window.receive(), try other.receive())
    #expect(window.toast == "This did not work. No.")
    #expect(other.toast == nil)
  }

  @Test func `what it has posted before it had one`() async throws {
    let fields = FormFields(Query("\(FormField.form)=start&\(FormField.token)=one"))
    _ = try await self.app.windows.submit(fields, to: "/job", session: self.session, window: nil)
    try await self.end(.success)

    let window = try await self.app.open("/job", session: self.session)
    try await window.leave()
    try await window.join(awaiting: self.awaited)

    #expect(window.toast == "Started.")
  }

  @Test func `not what another browser has posted`() async throws {
    let window = try await self.app.open("/job", session: self.session)
    let stranger = try await self.app.open("/job")
    try await window.submit("start", token: "one")
    try await self.end(.success)
    try await stranger.leave()

    try await stranger.join(
      awaiting: self.awaited + [AwaitedSubmission(url: "/nowhere", token: "one")])

    #expect(stranger.toast == nil)
  }

  @Test(arguments: [(19, "Started."), (20, nil)])
  func `of twenty submissions at once`(others: Int, toast: String?) async throws {
    let window = try await self.app.open("/job", session: self.session)
    try await window.submit("start", token: "one")
    try await window.leave()
    try await self.end(.success)
    let other = AwaitedSubmission(url: "/job?a=b", token: "other")

    try await window.join(awaiting: Array(repeating: other, count: others) + self.awaited)

    #expect(window.toast == toast)
  }

  @Test func `that an undo has failed while it had none`() async throws {
    let window = try await self.app.open("/job", session: self.session)
    try await window.submit("start")
    try await self.end(.success)
    try await window.undo()
    try await window.leave()
    try await self.end(.failure(error: "No."))

    try await window.join()

    #expect(window.toast == "This could not be undone. No.")
    #expect(window.toastSubmission != nil)
  }
}
