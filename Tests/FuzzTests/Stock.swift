import Foundation
import HTMLTemplates
import HashTreeCollections
import ImmutableData
import ImmutableUI

/// A product that uses every way of following a table.
struct Stock: StoreState {
  enum Action: Sendable {
    case didSet([Ware])
    case didRemove(Ware.ID)
    case didReplace([Ware])
    case didBin(Ware.ID)
    case didTakeBack(Ware.ID)
    case didMark(Ware.ID)
    case didTick
  }

  struct Ware: Hashable, Identifiable, Sendable {
    let id: Int
    var group: Int
    var name: String
    var price: Int
  }

  var wares = Table<Ware>()
  var bin = Table<Ware>()
  var marked: TreeSet<Ware.ID> = []
  var ticks = 0

  static func reduce(_ state: Self, _ action: Action) throws -> Self {
    var state = state
    switch action {
    case .didSet(let wares): state.wares.insert(wares)
    case .didRemove(let id):
      guard state.wares[id] != nil else { throw Refusal(.unknown, "It is gone.") }
      state.wares[id] = nil
    case .didReplace(let wares): state.wares.replace(with: wares)
    case .didBin(let id):
      state.bin[id] = state.wares[id]
      state.wares[id] = nil
    case .didTakeBack(let id):
      if let ware = state.bin[id] { state.wares[id] = ware }
      state.bin[id] = nil
    case .didMark(let id):
      if state.marked.remove(id) == nil { state.marked.insert(id) }
    case .didTick: state.ticks += 1
    }
    return state
  }
}

extension Stock.Ware {
  fileprivate static let byGroup = RowIndex<Self, Int>(by: \.group)
  fileprivate static let byPrice = RowIndex<Self, Int>(by: { $0.price / 4 })
}

/// The wares of a group or of all, sorted, found, in parts, with counts and a selected one.
struct StockPage: Root, Presenter {
  typealias State = Stock

  struct Local: LocalState, Hashable {
    var group: Int?
    var search = ""
    var byPrice = false
    var start: ListPart.Start<Int>?
    var selected: Int?
    var zoom = 1

    init() {}

    static let parameters: [Parameter<Self>] = [
      Parameter("group", \.group), Parameter("search", \.search), Parameter("price", \.byPrice),
      Parameter("from", \.start).reset(by: \.group, \.search, \.byPrice),
      Parameter("selected", \.selected), Parameter("zoom", \.zoom).late(),
    ]
  }

  private let local: Local
  @TableSelector<Stock.Store, SingleRow<Stock.Ware>> private var ware: Stock.Ware?

  init(_ local: Local) {
    self.local = local
    self._ware = TableSelector(row: local.selected, from: \.wares)
  }

  var title: String? { self.ware.map { "\($0.name) · Stock" } }

  static var page: Page<Self> { Page(Self.self, at: "/stock", title: "Stock") }

  static let references: [Reference<Self>] = [
    .selection(["wares": \.selected], of: { id in { state in id.flatMap { state.wares[$0]?.id } } })
  ]

  static let template = Template<Self>(
    named: "Stock",
    [
      .attribute("zoom", "data-zoom", from: Local.self) { "\($0.zoom)" },
      .region("list") { StockList($0.local) },
      .region("pair") { StockPair(group: $0.local.group ?? 0) },
      .region("detail") { StockDetail(selected: $0.local.selected) },
      .region("totals") { _ in StockTotals() },
      .region("neighbors") { StockNeighbors($0.local) },
    ])

  static let templates = TemplateLibrary(sources: [
    "Stock":
      "<div {{zoom}}>{{list}}{{pair}}{{detail}}{{totals}}{{neighbors}}</div>",
    "StockList":
      "<p>{{part}}</p><ul data-list=\"wares\">{{#wares}}<li><a {{select}}>{{name}}</a> {{price}}"
      + "{{#isMarked}} marked{{/isMarked}} after {{previous}}</li>{{/wares}}</ul>",
    "StockPair":
      "<ol data-list=\"{{wares.list}}\">{{#wares}}<li>{{name}} {{price}}</li>{{/wares}}</ol>",
    "StockDetail": "<p>{{name}} {{price}} {{cheap}} {{binned}}</p>",
    "StockTotals": "<p>{{ticks}} {{count}} {{dear}} {{groups}} {{bin}} {{marked}}</p>",
    "StockNeighbors": "<p>{{cheapest}} {{names}}</p>",
  ])
}

private struct SelectWares: Hashable, Sendable {
  @TableSelector<Stock.Store, SortedRows<Stock.Ware>> var rows: SortedRows<Stock.Ware>

  init(_ local: StockPage.Local) {
    let (group, search) = (local.group, local.search)
    self._rows = TableSelector(
      id: ID(group: group, search: search, byPrice: local.byPrice),
      from: \.wares,
      in: group.map { Stock.Ware.byGroup.groups([$0]) },
      into: SortedRows(by: local.byPrice ? RowOrder(\.price) : RowOrder(\.name)) {
        (group == nil || $0.group == group) && (search.isEmpty || $0.name.contains(search))
      })
  }

  private struct ID: Hashable, Sendable {
    let group: Int?
    let search: String
    let byPrice: Bool
  }
}

private struct StockList: Presenter, Hashable {
  private struct Row: Hashable, Identifiable, Sendable {
    let ware: Stock.Ware
    let isMarked: Bool
    let previous: String
    var id: Int { self.ware.id }
  }

  private let wares: SelectWares
  private let start: ListPart.Start<Int>?
  @TableSelector<Stock.Store, SingleRow<Stock.Ware>> private var first: Stock.Ware?
  @ImmutableUI.Selector(outputSelector: { (state: Stock) in state.marked }) private var marked

  init(_ local: StockPage.Local) {
    self.wares = SelectWares(local)
    self.start = local.start
    self._first = TableSelector(row: local.start?.id, from: \.wares)
  }

  private var part: ListPart {
    ListPart(of: self.wares.rows, from: self.start, at: self.first, size: 5)
  }

  private var rows: ListRows<Stock.Ware, Row> {
    ListRows(self.part, of: self.wares.rows, marked: self.marked, reach: 1) { row in
      Row(ware: row.source, isMarked: row.isMarked, previous: row[-1]?.name ?? "none")
    }
  }

  static let template = Template<Self>(
    named: "StockList",
    [
      .text("part") { $0.part.text },
      .rows(
        "wares",
        [
          .text("name") { $0.ware.name }, .text("price") { $0.ware.price },
          .flag("isMarked") { $0.isMarked }, .text("previous") { $0.previous },
          .link("select", StockPage.Local.self) { $0.selected = $1.id },
        ]
      ) { $0.rows },
    ])
}

/// The wares of two groups.
private struct StockPair: Presenter, Hashable {
  @TableSelector<Stock.Store, SortedRows<Stock.Ware>> private var wares: SortedRows<Stock.Ware>

  init(group: Int) {
    let groups = [group, group + 1]
    self._wares = TableSelector(
      id: group, from: \.wares, in: Stock.Ware.byGroup.groups(groups),
      into: SortedRows(by: RowOrder(\.price, .reverse)) { groups.contains($0.group) })
  }

  static let template = Template<Self>(
    named: "StockPair",
    [
      .rows(
        "wares", list: { _ in "pair" }, [.text("name") { $0.name }, .text("price") { $0.price }]
      ) {
        Array($0.wares)
      }
    ])
}

private struct StockDetail: Presenter, Hashable {
  @TableSelector<Stock.Store, SingleRow<Stock.Ware>> private var ware: Stock.Ware?
  @TableSelector<Stock.Store, SingleRow<Stock.Ware>> private var cheap: Stock.Ware?
  @TableSelector<Stock.Store, SingleRow<Stock.Ware>> private var binned: Stock.Ware?

  init(selected: Int?) {
    self._ware = TableSelector(row: selected, from: \.wares)
    self._cheap = TableSelector(row: selected, from: \.wares) { $0.price < 4 }
    self._binned = TableSelector(row: selected, from: \.bin)
  }

  static let template = Template<Self>(
    named: "StockDetail",
    [
      .text("name") { $0.ware?.name ?? "none" }, .text("price") { $0.ware?.price ?? 0 },
      .text("cheap") { $0.cheap == nil ? "" : "cheap" },
      .text("binned") { $0.binned?.name ?? "" },
    ])
}

private struct StockTotals: Presenter, Hashable {
  @TableSelector<Stock.Store, RowCount<Stock.Ware>>(
    from: \.wares, into: RowCount { $0.price >= 8 }
  ) private var dear: Int
  @TableSelector<Stock.Store, RowCounts<Stock.Ware, Int>>(
    from: \.wares, into: RowCounts(by: \.group)
  ) private var groups: [Int: Int]
  @TableSelector<Stock.Store, RowCount<Stock.Ware>>(
    from: \.bin, into: RowCount { _ in true }
  ) private var bin: Int
  @ImmutableUI.Selector(outputSelector: { (state: Stock) in state.wares.count }) private var count
  @ImmutableUI.Selector(outputSelector: { (state: Stock) in state.ticks }) private var ticks
  @ImmutableUI.Selector(outputSelector: { (state: Stock) in state.marked.count }) private var marked

  static let template = Template<Self>(
    named: "StockTotals",
    [
      .text("ticks") { $0.ticks }, .text("count") { $0.count }, .text("dear") { $0.dear },
      .text("groups") { totals in
        totals.groups.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
          .joined(separator: ", ")
      },
      .text("bin") { $0.bin }, .text("marked") { $0.marked },
    ])
}

/// What is derived from all wares, with a filter and with a dependency.
private struct StockNeighbors: Presenter, Hashable {
  @ImmutableUI.Selector<Stock.Store, Int?> private var cheapest: Int?
  @ImmutableUI.Selector<Stock.Store, Int, String> private var names: String

  init(_ local: StockPage.Local) {
    let search = local.search
    self._cheapest = ImmutableUI.Selector(
      id: search,
      filter: { _, action in
        switch action {
        case .didTick, .didMark: false
        case .didSet, .didRemove, .didReplace, .didBin, .didTakeBack: true
        }
      },
      outputSelector: { state in
        state.wares.allRows.filter { $0.name.contains(search) }.map(\.price).min()
      })
    self._names = ImmutableUI.Selector(
      id: search,
      dependencySelector: { @Sendable (state: Stock) in state.ticks },
      outputSelector: { state in "\(state.ticks / 2) \(search)" })
  }

  static let template = Template<Self>(
    named: "StockNeighbors",
    [.text("cheapest") { $0.cheapest ?? -1 }, .text("names") { $0.names }])
}
