import Foundation
import Glibc
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI

struct Item: Hashable, Identifiable, Sendable {
  let id: Int
  let name: String
  var value: Int
}

struct Items: StoreState {
  enum Action: Sendable {
    case didSet([Item])
  }

  fileprivate(set) var table = Table<Item>()

  static func reduce(state: Self, action: Action) -> Self {
    var state = state
    switch action {
    case .didSet(let items): state.table.insert(items)
    }
    return state
  }
}

/// Which list a window shows.
struct ItemsLocal: LocalState {
  var view = 0

  static let parameters: [Parameter<Self>] = [Parameter("view", \.view)]
}

/// The first part of a sorted list that no other view has.
struct ItemsPage: Root {
  typealias State = Items

  @TableSelector<Store<Items, Items.Action>, SortedRows<Item>> private var items: SortedRows<Item>

  init(_ local: ItemsLocal) {
    let view = local.view
    self._items = TableSelector(
      id: view, from: \.table,
      into: SortedRows(by: RowOrder(\.name)) { $0.id == 0 || $0.id % 1_009 != view })
  }

  var body: some Component { ItemsPresenter(items: self.items) }
}

struct ItemsPresenter: Presenter {
  let items: SortedRows<Item>

  private var rows: ListRows<Item, Item> {
    ListRows(ListPart(of: self.items, from: nil, at: nil), of: self.items) { $0.source }
  }

  static let template = Template<Self>(
    named: "Items",
    [.rows("items", [.text("name") { $0.name }, .text("value") { $0.value }]) { $0.rows }])
}

/// Measures a frame by the number of rows, of changed rows, and of views.
///
/// ```
/// Changes ROWS CHANGED VIEWS ROUNDS    prints the CPU time of a round in microseconds, the best of them
/// ```
///
/// What it does besides rounds does not depend on their number. So the difference of two counts of
/// instructions is that of rounds.
@main struct ChangesBenchmark {
  /// Not asynchronous, because valgrind does not survive that the main thread ends, as then it does.
  static func main() {
    let numbers = CommandLine.arguments.dropFirst().compactMap { Int($0) }
    guard numbers.count == 4 else { fatalError("usage: Changes ROWS CHANGED VIEWS ROUNDS") }
    Task {
      do {
        try await self.measure(
          rows: numbers[0], changed: numbers[1], views: numbers[2], rounds: numbers[3])
      } catch {
        fatalError("\(error)")
      }
      exit(EXIT_SUCCESS)
    }
    RunLoop.main.run()
  }

  private static func measure(rows: Int, changed: Int, views: Int, rounds: Int) async throws {
    let store = await Store(initialState: Items(), reducer: Items.reduce)
    let items = (0..<rows).map { Item(id: $0, name: "Item \(1_000_000 + $0)", value: 0) }
    try await store.dispatch(action: .didSet(items))
    let templates = TemplateLibrary(sources: [
      "Items": "<ul data-list=\"items\">{{#items}}<li>{{name}}: {{value}}</li>{{/items}}</ul>"
    ])
    // A client may have a quarter of it. Each view has all rows in its own order.
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 64 << 30
    let windows = try WindowGroup(templates: templates, configuration: configuration) {
      Provider(store) { Page(ItemsPage.self, at: "/items", title: "Items") }
    }
    for view in 1...views {
      let (stream, session) = (Identifier(), Identifier())
      _ = try windows.openStream(stream, session: session)
      _ = try await windows.join(
        stream: stream, session: session, at: "/items?view=\(view)", navigation: 1, tags: [:])
    }
    var best = Double.infinity
    for round in 1...rounds {
      // Spread over the table; the first is in each view.
      let new = stride(from: 0, to: rows, by: max(1, rows / changed)).prefix(changed).map { index in
        var item = items[index]
        item.value = round
        return item
      }
      let began = Self.processorTime()
      try await store.dispatch(action: .didSet(Array(new)))
      await windows.frame()
      best = min(best, Self.processorTime() - began)
    }
    print(Int(best))
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }
}
