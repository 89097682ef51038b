import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import Synchronization
import Testing
import WindowTesting

private struct Task: Hashable, Identifiable, Sendable {
  let id: Int
  let title: String
  let isDone: Bool
}

private struct TasksState: StoreState {
  enum Action: Sendable {
    case didSet(Task)
    case didRemove(id: Int)
    case didNothing
  }

  var table = Table<Task>()
  var archive = Table<Task>()

  static func reduce(state: Self, action: Action) -> Self {
    var state = state
    switch action {
    case .didSet(let task): state.table[task.id] = task
    case .didRemove(let id): state.table[id] = nil
    case .didNothing: break
    }
    return state
  }
}

private typealias RowCounts = FrameTimes.RowCounts
private typealias TasksStore = ImmutableData.Store<TasksState, TasksState.Action>

/// How many tasks are done. If told so, it forgets those that go.
private struct DoneCount: Derivation {
  var isForgetful = false
  private(set) var output = 0

  init(isForgetful: Bool) { self.isForgetful = isForgetful }

  mutating func insert(_ task: Task) {
    if task.isDone { self.output += 1 }
  }

  mutating func remove(_ task: Task) {
    if task.isDone, self.isForgetful == false { self.output -= 1 }
  }
}

private struct Tasks: Root {
  typealias State = TasksState

  struct Local: LocalState {
    var isDone = false
    var isForgetful = false
    var isCareless = false
    var isArchived = false

    static let parameters: [Parameter<Self>] = [
      Parameter("done", \.isDone), Parameter("forgetful", \.isForgetful),
      Parameter("careless", \.isCareless), Parameter("archived", \.isArchived),
    ]
  }

  @TableSelector<TasksStore, SortedRows<Task>> private var tasks: SortedRows<Task>
  @TableSelector<TasksStore, DoneCount> private var count: Int
  private let isDone: Bool

  init(_ local: Local) {
    let isDone = local.isDone
    self.isDone = isDone
    let table: any KeyPath<TasksState, Table<Task>> & Sendable =
      local.isArchived ? \.archive : \.table
    self._tasks = TableSelector(
      id: local.isCareless ? nil : isDone,
      from: table,
      into: SortedRows(by: RowOrder(\.title)) { $0.isDone == isDone }
    )
    self._count = TableSelector(
      id: local.isForgetful,
      from: \.table,
      into: DoneCount(isForgetful: local.isForgetful)
    )
  }

  var body: some Component {
    Presenter(tasks: self.tasks, count: self.count)
  }

  private struct Presenter: ImmutableUI.Presenter {
    let tasks: SortedRows<Task>
    let count: Int

    static let template = Template<Self>(
      named: "Tasks",
      [
        .text("count") { $0.count },
        .rows("tasks", [.text("title") { $0.title }]) { Array($0.tasks.prefix(100)) },
      ]
    )
  }
}

private struct FirstTask: Root {
  typealias State = TasksState

  @TableSelector<TasksStore, SingleRow<Task>> private var task: Task?

  init(_ local: NoLocalState) { self._task = TableSelector(row: 1, from: \.table) }

  var body: some Component { Presenter(title: self.task?.title ?? "") }

  private struct Presenter: ImmutableUI.Presenter {
    let title: String

    static let template = Template<Self>(named: "Task", [.text("title") { $0.title }])
  }
}

@MainActor struct TableSelectorTests {
  private let store = TasksStore(initialState: TasksState(), reducer: TasksState.reduce)
  private let app: TestApp

  init() throws {
    let store = self.store
    self.app = try Self.app(store)
    for number in 1...100 {
      try self.set(number, "Task \(100 + number)")
    }
  }

  private static func app(_ store: TasksStore, renderBytes: Int? = nil) throws -> TestApp {
    var configuration = WindowGroup.Configuration()
    if let renderBytes { configuration.renderBytes = renderBytes }
    return try TestApp(
      templates: TemplateLibrary(sources: [
        "Tasks": "{{count}}<ul data-list=\"tasks\">{{#tasks}}<li>{{title}}</li>{{/tasks}}</ul>",
        "Task": "{{title}}",
      ]),
      configuration: configuration
    ) {
      Provider(store) {
        Page(Tasks.self, at: "/tasks", title: "Tasks")
        Page(FirstTask.self, at: "/task", title: "Task").unlisted()
      }
    }
  }

  private func set(_ id: Int, _ title: String, isDone: Bool = false) throws {
    try self.store.dispatch(action: .didSet(Task(id: id, title: title, isDone: isDone)))
  }

  @Test func `rows follow the table, and only changed rows are rendered`() async throws {
    let window = try await self.app.open("/tasks")
    try await self.app.frame()
    let before = self.app.windows.counts

    try self.set(50, "A task")
    try self.store.dispatch(action: .didRemove(id: 1))
    try await self.app.frame()

    let counts = self.app.windows.counts - before
    #expect(counts.rowRenders == 1)
    _ = try window.receive()
    #expect(window.text.hasPrefix("0 A task Task 102"))
    #expect(window.text.contains("Task 101") == false)
  }

  @Test func `a row that was changed back while no window showed it is followed`() async throws {
    let first = try await self.app.open("/task")
    try self.set(1, "Done")
    try await self.app.frame()
    try await first.navigate(to: "/tasks")
    try self.set(1, "Task 101")
    try await self.app.frame()
    let window = try await self.app.open("/task")

    try self.set(1, "Done")
    try await self.app.frame()

    _ = try window.receive()
    #expect(window.text == "Done")
  }

  @Test func `selectors that differ only in their table show the rows of their own`() async throws {
    let window = try await self.app.open("/tasks")

    let archive = try await self.app.open("/tasks?archived=true")

    #expect(window.text.contains("Task 101"))
    #expect(archive.text == "0")
  }

  @Test func `selectors of groups that differ only in their index are different`() {
    let indices = [RowIndex<Task, Bool>(by: \.isDone), RowIndex<Task, Bool> { $0.id > 1 }]
    func selector(_ index: Int) -> TableSelector<TasksStore, SortedRows<Task>> {
      TableSelector(
        from: \.table, in: indices[index].groups([true]), into: SortedRows(by: RowOrder(\.title)))
    }

    #expect(selector(0) == selector(0))
    #expect(selector(0) != selector(1))
  }

  @Test func `a list without changed rows is not derived again`() async throws {
    _ = try await self.app.open("/tasks?done=true")
    try await self.app.frame()
    let before = self.app.windows.counts

    try self.set(50, "A task")
    try self.store.dispatch(action: .didNothing)
    try await self.app.frame()

    let counts = self.app.windows.counts - before
    #expect(counts.outputRuns == 0)
    #expect(counts.regionRenders == 0)
  }

  @Test func `a selector that looked at rows is said to have run`() async throws {
    let old = self.store.snapshot().state
    func outcomes(_ url: String, _ task: Task) throws -> [SelectorCause] {
      let action = TasksState.Action.didSet(task)
      let dispatch = Dispatch<any Sendable, any Sendable>(
        action: action, origin: nil, oldState: old,
        result: .success(TasksState.reduce(state: old, action: action)), version: 101,
        duration: .zero)
      let causes = self.app.windows.causes(
        url, of: ProductDispatch(product: "TasksState", dispatch: dispatch),
        environment: WindowEnvironment())
      return try #require(causes).flatMap(\.selectors)
    }

    let list = try outcomes("/tasks?done=true", Task(id: 50, title: "A task", isDone: false))
    let known = try outcomes("/task", Task(id: 50, title: "A task", isDone: false))
    let other = try outcomes("/task", Task(id: 1, title: "A task", isDone: false))

    #expect(list.map(\.outcome) == [.sameOutput, .sameOutput])
    #expect(list.map(\.rows) == Array(repeating: RowCounts(looked: 1, changed: 1), count: 2))
    #expect(other.map(\.outcome) == [.changed])
    #expect(known.map(\.outcome) == [.refused])
    #expect(known.map(\.rows) == [RowCounts(looked: 0, changed: 0)])
  }

  @Test func `a measured frame says how many rows each selector looked at`() async throws {
    let parts = Parts()
    self.app.windows.measureFrames(except: "Nobody") { parts.add($0) }
    let window = try await self.app.open("/tasks")
    try await self.app.frame()

    try self.set(50, "A task")
    try self.store.dispatch(action: .didRemove(id: 1))
    try await window.expect("A task")

    // The list, and the count.
    #expect(parts.newest == [.init(looked: 2, changed: 2), .init(looked: 2, changed: 2)])
    for number in 1...100 { try self.set(number, "Other \(number)") }
    try await window.expect("Other 100")
    #expect(parts.newest == [.init(looked: 100, changed: 100), .init(looked: 100, changed: 100)])
    try await self.app.finish()
  }

  /// Keeps the rows of selectors of tables.
  private final class Parts: Sendable {
    private let rows = Mutex<[FrameTimes.RowCounts]>([])

    var newest: [FrameTimes.RowCounts] { self.rows.withLock { $0 } }

    func add(_ cost: FrameCost) { self.rows.withLock { $0 = cost.parts.compactMap(\.rows) } }
  }

  @Test func `the audit finds a derivation that breaks its law`() async throws {
    try self.set(50, "Task 150", isDone: true)
    _ = try await self.app.open("/tasks?forgetful=true")
    try await self.app.frame()
    try self.set(50, "Task 150")

    let error = await #expect(throws: WindowTestError.self) { try await self.app.frame() }

    #expect(error?.description.hasSuffix("see the law of Derivation") == true)
  }

  @Test func `the audit finds a selector that captures a value missing from its id`() async throws {
    try self.set(50, "Task 150", isDone: true)
    _ = try await self.app.open("/tasks?careless=true")
    try await self.app.frame()
    _ = try await self.app.open("/tasks?careless=true&done=true")

    let error = await #expect(throws: WindowTestError.self) { try await self.app.frame() }

    #expect(error?.description.hasSuffix(" captures something that is not in its id") == true)
  }

  @Test func `memory kept by selectors counts against the render limit`() async throws {
    for number in 1...10_000 { try self.set(number, "Task \(number)") }
    // One client may have a quarter of it.
    let app = try Self.app(self.store, renderBytes: 4 * 392_000)
    // A page shows a hundred of them, in about a tenth of that.
    _ = try await app.open("/tasks?done=true")
    _ = try await app.open("/tasks")

    await #expect(throws: WindowError.self) {
      _ = try await app.open("/tasks?forgetful=true")
    }
  }
}
