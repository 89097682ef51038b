import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import TestSupport
import Testing
import WindowTesting

private struct Item: Hashable, Identifiable, Sendable {
  let id: Int
  let group: Int
  let value: Int
}

private struct ItemsState: StoreState {
  enum Action: Sendable {
    case didSet([Item])
    case didRemove(id: Int)
  }

  var table = Table<Item>()

  static func reduce(state: Self, action: Action) -> Self {
    var state = state
    switch action {
    case .didSet(let items): state.table.insert(items)
    case .didRemove(let id): state.table[id] = nil
    }
    return state
  }
}

private typealias ItemsStore = ImmutableData.Store<ItemsState, ItemsState.Action>

private let itemsByGroup = RowIndex<Item, Int>(by: \.group)

/// The items of two groups, and one item. If it is greedy, it shows items of all groups.
private struct Items: Root {
  typealias State = ItemsState

  struct Local: LocalState {
    var group = 0
    var item = 0
    var isGreedy = false

    static let parameters: [Parameter<Self>] = [
      Parameter("group", \.group), Parameter("item", \.item), Parameter("greedy", \.isGreedy),
    ]
  }

  @TableSelector<ItemsStore, SortedRows<Item>> private var items: SortedRows<Item>
  @TableSelector<ItemsStore, SingleRow<Item>> private var item: Item?

  init(_ local: Local) {
    let groups = [local.group, local.group + 1]
    let isGreedy = local.isGreedy
    self._items = TableSelector(
      id: [local.group, isGreedy ? 1 : 0],
      from: \.table,
      in: itemsByGroup.groups(groups),
      into: SortedRows(by: RowOrder(\.value)) { isGreedy || groups.contains($0.group) }
    )
    self._item = TableSelector(row: local.item, from: \.table) { $0.value % 2 == 0 }
  }

  var body: some Component {
    Presenter(items: self.items, item: self.item)
  }

  private struct Presenter: ImmutableUI.Presenter {
    let items: SortedRows<Item>
    let item: Item?

    static let template = Template<Self>(
      named: "Items",
      [
        .text("item") { $0.item.map { "\($0.value)" } ?? "none" },
        .rows("items", [.text("value") { $0.value }]) { Array($0.items) },
      ]
    )
  }
}

@MainActor struct RowGroupsTests {
  private let store = ItemsStore(initialState: ItemsState(), reducer: ItemsState.reduce)
  private let app: TestApp

  init() throws {
    let store = self.store
    self.app = try TestApp(
      templates: TemplateLibrary(sources: [
        "Items": "{{item}}:<ul data-list=\"items\">{{#items}}<li>{{value}}</li>{{/items}}</ul>"
      ])
    ) {
      Provider(store) { Page(Items.self, at: "/items", title: "Items") }
    }
  }

  @Test func `a change to one group does not update the selectors of other groups`() async throws {
    try self.store.dispatch(action: .didSet((1...100).map { Item(id: $0, group: $0, value: $0) }))
    for group in stride(from: 1, to: 100, by: 2) {
      _ = try await self.app.open("/items?group=\(group)&item=\(group)")
    }
    // A frame asks all selectors when it does not know which groups have changed.
    try self.store.dispatch(action: .didSet([Item(id: 50, group: 50, value: 1_000)]))
    try await self.app.frame()
    let before = self.app.windows.counts

    try self.store.dispatch(action: .didSet([Item(id: 50, group: 50, value: 2_000)]))
    try await self.app.frame()

    let counts = self.app.windows.counts - before
    #expect(counts.outputRuns == 1)
    // Only the selectors of the place that has changed run, out of 100.
    #expect(counts.memoHits < 10)
    #expect(counts.regionRenders == 1)
  }

  @Test func `an audit finds a selector that shows rows outside its groups`() async throws {
    try self.store.dispatch(action: .didSet([Item(id: 1, group: 1, value: 1)]))
    _ = try await self.app.open("/items?group=1&greedy=true")
    try await self.app.frame()
    try self.store.dispatch(action: .didSet([Item(id: 1, group: 1, value: 2)]))
    try await self.app.frame()
    try self.store.dispatch(action: .didSet([Item(id: 5, group: 5, value: 5)]))

    let error = await #expect(throws: WindowTestError.self) { try await self.app.frame() }

    #expect(error?.description.hasSuffix("depends on rows outside its groups") == true)
  }

  @Test(arguments: [1, 14_672_707_749_174_836_231, UInt64.random(in: .min ... .max)])
  func `windows show the right rows after any changes`(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    var windows: [(window: TestWindow, group: Int, item: Int)] = []
    for step in 0..<400 {
      // A few groups stay for a long time, and many come and go, so that old changes are forgotten.
      let group = Int.random(in: 0..<(step % 3 == 0 ? 200 : 10), using: &random)
      let item = Int.random(in: 0..<60, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0 where windows.count < 12:
        windows.append(
          (try await self.app.open("/items?group=\(group)&item=\(item)"), group, item))
      case 1 where windows.isEmpty == false:
        let index = windows.indices.randomElement(using: &random) ?? 0
        try await windows[index].window.navigate(to: "/items?group=\(group)&item=\(item)")
        (windows[index].group, windows[index].item) = (group, item)
      case 2:
        try self.store.dispatch(action: .didRemove(id: item))
      case 3:
        let items = (0..<50).map { Item(id: $0, group: ($0 + group) % 200, value: step) }
        try self.store.dispatch(action: .didSet(items))
      default:
        let value = Int.random(in: 0..<100, using: &random)
        try self.store.dispatch(action: .didSet([Item(id: item, group: group, value: value)]))
      }
      if Bool.random(using: &random) { try await self.app.frame() }
      guard step % 5 == 0 else { continue }
      try await self.app.frame()
      for (window, group, item) in windows {
        _ = try window.receive()
        #expect(window.text == self.text(group, item), "seed \(seed), step \(step)")
      }
    }
  }

  /// The text of a page, computed from all items.
  private func text(_ group: Int, _ item: Int) -> String {
    let table = self.store.snapshot().state.table
    let values = table.allRows.filter { [group, group + 1].contains($0.group) }
      .sorted { ($0.value, $0.id) < ($1.value, $1.id) }
      .map { "\($0.value)" }
    let shown = table[item].flatMap { $0.value % 2 == 0 ? "\($0.value)" : nil } ?? "none"
    return (["\(shown):"] + values).joined(separator: " ")
  }
}
