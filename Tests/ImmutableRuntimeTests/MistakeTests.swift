import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Logging
import TestSupport
import Testing
import WindowTesting

// A product whose author makes mistakes that no compiler and no start finds.

private struct TaskState: StoreState {
  typealias Action = TaskAction

  // Not Equatable, as most states are not.
  var tasks: [Entry] = []
  var numbers: [Double] = []
  var status: OperationStatus?

  struct Entry: Hashable, Sendable {
    let id: String
    var notes: Set<String> = []
  }

  static func status(of action: TaskAction, in state: TaskState) -> OperationStatus? {
    state.status
  }
}

private enum TaskAction: Sendable {
  case add(id: String?)
  case note(String)
  case number(Double)
  case save
  case didSave
}

private enum TaskReducer {
  @Sendable static func reduce(state: TaskState, action: TaskAction) -> TaskState {
    var state = state
    switch action {
    case .add(let id): state.tasks.append(TaskState.Entry(id: id ?? UUID().uuidString))
    case .note(let note): state.tasks[0].notes.insert(note)
    case .number(let number): state.numbers.append(number)
    case .save: state.status = .waiting
    case .didSave: state.status = .success
    }
    return state
  }
}

private struct ListLocal: LocalState {
  var sheet = ""

  static let parameters: [Parameter<Self>] = [Parameter("sheet", \.sheet)]
}

private struct ListPage: Root, Presenter {
  typealias State = TaskState

  @ImmutableUI.Selector(outputSelector: { (state: TaskState) in state.status }) var status

  init(_ local: ListLocal) {}

  static let template = Template<Self>(
    named: "List",
    [
      .flag("isSaved") { $0.status == .success },
      .form("save", Form<TaskAction>("save", .repeatable) { .save }),
    ]
  )
}

private struct TaskLocal: LocalState {
  var task: String?

  static let parameters: [Parameter<Self>] = [Parameter("task", \.task)]
}

/// Its links and its search are for the local state of the list.
private struct TaskPage: Root, Presenter {
  typealias State = TaskState

  init(_ local: TaskLocal) {}

  static let template = Template<Self>(
    named: "Task",
    [
      .link("edit", ListLocal.self) { local, _ in local.sheet = "edit" },
      .link("other", TaskLocal.self) { local, _ in local.task = "b" },
      .localForm("search", ListLocal.self),
      .field("sheet", Field.text("sheet")),
    ]
  )
}

@MainActor struct MistakeTests {
  private let store = Store(initialState: TaskState(), reducer: TaskReducer.reduce)

  private func app(
    task template: String = "",
    effects: EffectLanes? = nil,
    logger: Logger? = nil
  ) throws -> TestApp {
    let store = self.store
    var configuration = WindowGroup.Configuration()
    if let logger { configuration.logger = logger }
    let list = "{{#save}}<button>Save</button>{{/save}}{{#isSaved}}Saved{{/isSaved}}"
    return try TestApp(
      templates: TemplateLibrary(sources: ["List": list, "Task": template]),
      configuration: configuration
    ) {
      Provider(store, effects: effects) {
        Page(ListPage.self, at: "/", title: "Tasks")
        Page(TaskPage.self, at: "/tasks/:task", title: "Task")
      }
    }
  }

  @Test func `a reducer that makes an id is found`() async throws {
    let app = try self.app()
    _ = try await app.open("/")
    try self.store.dispatch(action: .add(id: "a"))
    try self.store.dispatch(action: .add(id: nil))

    let error = await #expect(throws: WindowTestError.self) { try await app.frame() }

    #expect(
      error?.description
        == "the reducer of TaskState reads more than the state and the action: reduced again, add "
        + "gives another \u{201C}tasks.1.id\u{201D}. Put dates, ids and random numbers into the action"
    )
  }

  @Test func `a pure reducer is not blamed for sets without order and numbers that are none`()
    async throws
  {
    let app = try self.app()
    _ = try await app.open("/")
    try self.store.dispatch(action: .add(id: "a"))
    for number in 0..<100 { try self.store.dispatch(action: .note("\(number)")) }
    try self.store.dispatch(action: .number(.nan))
    try self.store.dispatch(action: .add(id: "b"))

    try await app.finish()
  }

  @Test func `what an effect changes that a test has not waited for is unexpected`() async throws {
    let (lanes, gate) = (EffectLanes(), Gate())
    let listening = lanes.listen(to: self.store) { _, _, action in
      guard case .save = action else { return [] }
      return [
        Effect("tasks.save") { store, _ in
          await gate.wait()
          try await store.dispatch(action: .didSave)
        }
      ]
    }
    defer { withExtendedLifetime(listening) {} }
    let app = try self.app(effects: lanes)
    let window = try await app.open("/")
    try await window.submit("save")
    _ = try window.receive()

    let finished = Task { try await app.finish() }
    gate.open()
    let error = await #expect(throws: WindowTestError.self) { try await finished.value }

    #expect(error?.description.hasPrefix("nobody expected these pushes:") == true)
  }

  @Test func `a listener that was released is named in the log`() async throws {
    let (lanes, messages) = (EffectLanes(), Transcript<String>())
    // Nothing keeps what is returned.
    _ = lanes.listen(to: self.store) { _, _, _ in [Effect("tasks.save") { _, _ in }] }
    let app = try self.app(effects: lanes, logger: messages.logger)
    let window = try await app.open("/")

    try await window.submit("save")
    try await window.submit("save")

    #expect(
      messages.entries.filter { $0.hasPrefix("warning") } == [
        "warning the status of save is waiting, but no effect has begun. Is its listener kept for as long as "
          + "the store, does it listen to the store, and does it return an effect for save, in the "
          + "lanes of the Provider? "
      ]
    )
  }

  @Test(
    arguments: [
      "<a {{edit}}>Edit</a>",
      "{{#search}}<input {{sheet}}>{{/search}}",
    ]
  )
  func `a link for the local state of another page is found`(template: String) async throws {
    let app = try self.app(task: "<a {{other}}>Other</a>" + template)
    _ = try await app.open("/tasks/a")

    let error = await #expect(throws: WindowTestError.self) { try await app.finish() }

    #expect(
      error?.description
        == "a link or form on /tasks/:task sets \u{201C}sheet\u{201D}, which is no parameter of the "
        + "page's TaskLocal, so it does nothing there")
  }
}
