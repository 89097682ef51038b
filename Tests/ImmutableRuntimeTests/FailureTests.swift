import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import TestSupport
import Testing

@testable import WindowTesting

private struct Job: StoreState {
  typealias Action = JobAction

  var status: OperationStatus?

  static func status(of action: JobAction, in state: Self) -> OperationStatus? { state.status }
}

private enum JobAction: Sendable {
  case onTapStartButton
  case didEnd(OperationStatus)
}

private let start = Form<JobAction>("start") { .onTapStartButton }

private struct JobPage: Root, Presenter {
  typealias State = Job

  struct Local: LocalState {
    var sheet = Presented<String>()

    static let parameters: [Parameter<Self>] = [Parameter("sheet", \.sheet)]
  }

  init(_ local: Local) {}

  static let template = Template<Self>(named: "Job", [.form("start", start)])
}

/// It shows why the job has failed.
private struct ReportPage: Root, Presenter {
  typealias State = Job

  @ImmutableUI.Selector(outputSelector: { (state: Job) in state.status?.error ?? "" })
  private var failure: String

  init(_ local: NoLocalState) {}

  static let template = Template<Self>(
    named: "Report", [.form("start", start), .text("failure") { $0.failure }])
}

private struct SheetPage: Root, Presenter {
  typealias State = Job

  private let local: JobPage.Local

  init(_ local: JobPage.Local) {
    self.local = local
  }

  static let template = Template<Self>(
    named: "Sheet",
    [
      .form("save", Form<JobAction>("save") { .onTapStartButton }, closing: \JobPage.Local.sheet),
      .optionalText("failure") { $0.local.sheet.failure },
    ]
  )
}

/// What a window is told when something that it has started outside a sheet fails.
@MainActor struct FailureTests {
  private static let reason = "The disk is full & cannot be read."
  private static let told = "This did not work. \(Self.reason)"

  private let store: Store<Job, JobAction>
  private let app: TestApp
  private let session = Identifier()

  init() throws {
    let store = Store(initialState: Job()) { (_: Job, action: JobAction) in
      switch action {
      case .onTapStartButton: Job(status: .waiting)
      case .didEnd(let status): Job(status: status)
      }
    }
    let templates = TemplateLibrary(sources: [
      "Job": "{{#start}}<button>Start</button>{{/start}}",
      "Report": "{{#start}}<button>Start</button>{{/start}}<p>Sorry: {{failure}}</p>",
      "Sheet": "{{#save}}<button>Save</button>{{/save}}<p>{{failure}}</p>",
    ])
    self.app = try TestApp(templates: templates) {
      Provider(store) {
        Page(JobPage.self, at: "/job", title: "Job")
        Page(ReportPage.self, at: "/report", title: "Report")
        Page(SheetPage.self, at: "/sheet", title: "Sheet")
      }
    }
    self.store = store
  }

  private func fail() async throws {
    try self.store.dispatch(action: .didEnd(.failure(error: Self.reason)))
    try await self.app.frame()
  }

  /// Starts the job in a window whose connection is then lost.
  private func startInLostWindow() async throws {
    let stream = Identifier()
    _ = try self.app.windows.openStream(stream, session: self.session)
    let window = try await self.app.windows.join(
      stream: stream, session: self.session, at: "/job", navigation: 1, tags: [:])
    _ = try await self.app.windows.submit(
      self.fields, to: "/job", session: self.session, window: window)
    await self.app.windows.closeStream(stream)
  }

  private var fields: FormFields { FormFields(Query("\(FormField.form)=start")) }

  private func toastOfNextPage() async throws -> String? {
    guard
      case .content(let content) = try await self.app.windows.page(
        "/job", query: Query(), session: self.session)
    else { return "a redirect" }
    return content.toast?.message
  }

  @Test func `the window that has started it is told why it failed, and others are not`()
    async throws
  {
    let window = try await self.app.open("/job")
    let other = try await self.app.open("/job")
    try await window.submit("start")

    try await self.fail()

    _ = (try window.receive(), try other.receive())
    #expect(window.toast == Self.told)
    #expect(other.toast == nil)
  }

  @Test(arguments: [OperationStatus.success, .empty])
  func `a success without a toast, and a cancellation, say nothing`(status: OperationStatus)
    async throws
  {
    let window = try await self.app.open("/job")
    try await window.submit("start")

    try self.store.dispatch(action: .didEnd(status))
    try await self.app.frame()

    _ = try window.receive()
    #expect(window.toast == nil)
  }

  @Test func `a page that shows the reason needs no toast`() async throws {
    let window = try await self.app.open("/report")
    try await window.submit("start")

    try await self.fail()

    try await window.expect("Sorry: \(Self.reason)")
    #expect(window.toast == nil)
  }

  @Test func `a sheet shows the reason itself`() async throws {
    let window = try await self.app.open("/sheet?sheet=add")
    try await window.submit("save")

    try await self.fail()

    try await window.expect(Self.reason)
    #expect(window.toast == nil)
  }

  @Test func `a page that was reloaded while the effect ran is told`() async throws {
    try await self.startInLostWindow()
    let reloaded = try await self.app.open("/job", session: self.session)
    let stranger = try await self.app.open("/job")

    try await self.fail()

    _ = (try reloaded.receive(), try stranger.receive())
    #expect(reloaded.toast == Self.told)
    #expect(stranger.toast == nil)
    #expect(try await self.toastOfNextPage() == nil)
  }

  @Test func `the next page of a browser that had no window is told, once`() async throws {
    try await self.startInLostWindow()

    try await self.fail()

    #expect(try await self.toastOfNextPage() == Self.told)
    #expect(try await self.toastOfNextPage() == nil)
  }

  @Test func `a window that joins after it failed is told`() async throws {
    let window = try await self.app.open("/job", session: self.session)
    try await self.startInLostWindow()
    try await window.leave()
    try await self.fail()

    try await window.join()

    #expect(window.toast == Self.told)
    #expect(try await self.toastOfNextPage() == nil)
  }

  @Test func `without JavaScript the session is told why it failed`() async throws {
    async let answer = self.app.windows.submit(
      self.fields, to: "/job", session: self.session, window: nil, waits: true)
    while self.store.state.status != .waiting { await letOthersGoOn() }
    try await self.fail()

    let refusal = try await answer.refusal
    #expect(refusal == nil)
    #expect(try await self.toastOfNextPage() == Self.told)
    #expect(try await self.toastOfNextPage() == nil)
  }

  @Test func `without JavaScript a page that shows the reason needs no toast`() async throws {
    async let answer = self.app.windows.submit(
      self.fields, to: "/report", session: self.session, window: nil, waits: true)
    while self.store.state.status != .waiting { await letOthersGoOn() }
    try await self.fail()
    _ = try await answer

    guard
      case .content(let content) = try await self.app.windows.page(
        "/report", query: Query(), session: self.session)
    else {
      Issue.record("it redirects")
      return
    }
    #expect(content.toast == nil)
  }
}
