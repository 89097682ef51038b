import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableUI
import Services
import Testing
import WindowTesting

// docs/PRODUCTS.md: a form in two steps, rules about several fields, lists of one kind, data of another server, and
// progress. docs/INCREMENTAL.md, *Rows of a part* and *Regions that show a value*.

struct Good: Codable, Hashable, Identifiable, Sendable {
  let id: String
  let name: String
  var quantity = 0
  var shelf = Shelf.front
}

enum Shelf: String, CaseIterable, Codable, Sendable { case front, back }

struct WarehouseState: StoreState {
  typealias Action = WarehouseAction
  typealias Store = ImmutableData.Store<Self, WarehouseAction>

  var goods = Table<Good>()
  var loading = Loading()

  struct Loading: Hashable, Sendable {
    var status: OperationStatus?
    var done = 0
    var total = 0
  }
}

enum WarehouseAction: Sendable {
  case onTapAddButton(Good)
  case onTapMoveButton([Good.ID], to: Shelf)
  case onTapLoadButton
  case onTapCancelButton
  case didLoad(done: Int, total: Int)
  case didEndLoading([Good])
  case didFailLoading(reason: String)
}

enum WarehouseReducer {
  @Sendable static func reduce(state: WarehouseState, action: WarehouseAction) -> WarehouseState {
    var state = state
    switch action {
    case .onTapAddButton(let good):
      state.goods[good.id] = good
    case .onTapMoveButton(let ids, let shelf):
      for id in ids { state.goods[id]?.shelf = shelf }
    case .onTapLoadButton:
      state.loading = WarehouseState.Loading(status: .waiting)
    case .onTapCancelButton:
      state.loading.status = .empty
    case .didLoad(let done, let total):
      guard state.loading.status == .waiting else { return state }  // it was cancelled
      (state.loading.done, state.loading.total) = (done, total)
    case .didEndLoading(let goods):
      for good in goods { state.goods[good.id] = good }
      state.loading.status = .success
    case .didFailLoading(let reason):
      guard state.loading.status == .waiting else { return state }
      state.loading.status = .failure(error: reason)
    }
    return state
  }
}

// A form in two steps.

enum Step: String, CaseIterable, Sendable { case details }

struct WarehouseLocal: LocalState {
  enum Sheet: String, Sendable { case add }

  var sheet = Presented<Sheet>()
  var name = ""
  var step: Step?
  var start: ListPart.Start<Good.ID>?

  static let parameters: [Parameter<Self>] = [
    Parameter("sheet", \.sheet),
    Parameter(Self.nameField, \.name).when { $0.sheet.value != nil },
    Parameter(Self.stepField, \.step).when { $0.name.isEmpty == false },
    Parameter("start", \.start),
  ]

  static let nameField = Field.text("name", limit: 80)
  static let stepField = Field<Step>.choice("step", .buttons, of: Step.allCases, "Go on.")
}

struct GoodAdder: Presenter {
  let local: WarehouseLocal

  static let template = Template<Self>(
    named: "GoodAdder",
    [
      .flag("isDetails") { $0.local.step == .details },
      .localForm("first", WarehouseLocal.self),
      .field("draft", WarehouseLocal.nameField),
      .field("next", WarehouseLocal.stepField),
      .link("previous", WarehouseLocal.self) { local, _ in local.step = nil },
      .form("add", GoodAdder.add, closing: \WarehouseLocal.sheet),
      .field("name", GoodAdder.name) { $0.local.name },
      .field("quantity", GoodAdder.quantity),
      .field("capacity", GoodAdder.capacity),
    ])

  static let name = Field<String>.hidden("name")
  static let quantity = Field<Int>.number("quantity", "Enter 0 to 99.", in: 0...99)
  static let capacity = Field<Int>.number("capacity", "Enter 0 to 99.", in: 0...99)

  static let add = Form<WarehouseAction>("add", fields: .submission, name, quantity, capacity) {
    id, name, quantity, capacity in
    guard quantity <= capacity else {
      throw Refusal(field: "quantity", "The shelf holds only \(capacity).")
    }
    return .onTapAddButton(Good(id: id, name: name, quantity: quantity))
  }
}

// A part of a long list.

@propertyWrapper struct SelectGoods: Hashable, ListSelector {
  @TableSelector<WarehouseState.Store, SortedRows<Good>> var wrappedValue: SortedRows<Good>

  init() {
    self._wrappedValue = TableSelector(from: \.goods, into: SortedRows(by: RowOrder(\.name)))
  }
}

@propertyWrapper struct SelectGood: Hashable, RowSelector {
  @TableSelector<WarehouseState.Store, SingleRow<Good>> var wrappedValue: Good?

  init(id: Good.ID?) {
    self._wrappedValue = TableSelector(row: id, from: \.goods)
  }
}

struct GoodList: Presenter, Hashable {
  @SelectGoods private var goods: SortedRows<Good>
  @SelectGood private var first: Good?
  private let start: ListPart.Start<Good.ID>?

  init(from start: ListPart.Start<Good.ID>?) {
    self._first = SelectGood(id: start?.id)
    self.start = start
  }

  private var part: ListPart {
    ListPart(of: self.goods, from: self.start, at: self.first)
  }

  static let template = Template<Self>(
    named: "GoodList",
    [
      .rows("goods", [.text("name") { $0.name }]) { model in
        ListRows(model.part, of: model.goods) { $0.source }
      }
    ])
}

struct GoodLimit: Component, Hashable {
  @SelectGoods private var goods: SortedRows<Good>

  var body: some Component { GoodLimitPresenter(isReached: self.goods.count >= 1_000) }
}

private struct GoodLimitPresenter: Presenter, Hashable {
  let isReached: Bool

  static let template = Template<Self>(
    named: "GoodLimit", [.flag("isReached") { $0.isReached }])
}

struct WarehousePage: Root, Presenter {
  typealias State = WarehouseState

  let local: WarehouseLocal

  init(_ local: WarehouseLocal) {
    self.local = local
  }

  static let template = Template<Self>(
    named: "WarehousePage",
    [
      .region("list") { GoodList(from: $0.local.start) },
      .region("limit") { _ in GoodLimit() },
      .region("part") { page in
        ListPartLinks(
          \WarehouseLocal.start,
          from: page.local.start,
          at: SelectGood(id: page.local.start?.id),
          of: SelectGoods(),
          selection: SelectGood(id: nil)
        )
      },
      .component("adder") { GoodAdder(local: $0.local) },
    ])

  static let references: [Reference<Self>] = [
    .part(\.start) { id in { state in id.flatMap { state.goods[$0] } } }
  ]
}

// docs/DEVELOPER.md, *Previews*: a sample state that actions produce.

extension PreviewStore<WarehouseState> {
  static var sample: Self {
    PreviewStore(
      WarehouseState(),
      after: [.onTapAddButton(Good(id: "a", name: "Candle"))],
      WarehouseReducer.reduce
    )
  }
}

// Several lists of one kind.

extension Good {
  static let byShelf = RowIndex<Good, Shelf>(by: \.shelf)
}

@propertyWrapper struct SelectShelf: Hashable, Sendable {
  @TableSelector<WarehouseState.Store, SortedRows<Good>> var wrappedValue: SortedRows<Good>

  init(_ shelf: Shelf) {
    self._wrappedValue = TableSelector(
      id: shelf,
      from: \.goods,
      in: Good.byShelf.groups([shelf]),
      into: SortedRows(by: RowOrder(\.name)) { $0.shelf == shelf }
    )
  }
}

struct ShelvesPage: Root, Presenter {
  typealias State = WarehouseState

  struct Section: Sendable {
    let shelf: Shelf
    let goods: SortedRows<Good>
  }

  @SelectShelf(.front) private var front: SortedRows<Good>
  @SelectShelf(.back) private var back: SortedRows<Good>

  init(_ local: NoLocalState) {}

  var sections: [Section] {
    [Section(shelf: .front, goods: self.front), Section(shelf: .back, goods: self.back)]
  }

  static let template = Template<Self>(
    named: "ShelvesPage",
    [
      .each(
        "shelves",
        [
          .text("title") { $0.shelf.rawValue },
          .rows("goods", list: { "goods-\($0.shelf)" }, [.text("name") { $0.name }]) {
            Array($0.goods)
          },
        ]
      ) { $0.sections }
    ])
}

// Data of another server, and progress.

struct Supplier: Sendable {
  struct Page: Decodable, Sendable {
    let pages: Int
    let goods: [Good]
  }

  let url: URL
  private let session = NetworkSession(
    urlSession: URLSession.withTimeouts(),
    bodyLimit: 1 << 20
  )

  init(url: URL) {
    self.url = url
  }

  func page(_ number: Int) async throws -> Page {
    let url = self.url.appending(queryItems: [URLQueryItem(name: "page", value: "\(number)")])
    return try await self.session.json(for: URLRequest(url: url), from: JSONDecoder())
  }
}

@MainActor final class WarehouseListener: EffectListener<WarehouseState, WarehouseAction> {
  typealias FetchPage = @Sendable (Int) async throws -> Supplier.Page

  private let page: FetchPage
  private let operations = Operations<Good.ID> { _ in "The supplier could not be reached." }

  init(lanes: EffectLanes, page: @escaping FetchPage) {
    self.page = page
    super.init(lanes: lanes, label: "Warehouse")
  }

  override func effects(
    _ oldState: WarehouseState, _ newState: () -> WarehouseState, _ action: WarehouseAction
  ) -> [Effect] {
    let (operations, page) = (self.operations, self.page)
    switch action {
    case .onTapLoadButton:
      return [
        Effect("warehouse.load") { store, selector in
          let thunk: Effect.Thunk = operations.mutation { _ in
            var goods: [Good] = []
            var (done, total) = (0, 1)
            while done < total {
              let next = try await page(done + 1)
              goods += next.goods
              (done, total) = (done + 1, next.pages)
              try await store.dispatch(action: .didLoad(done: done, total: total))
            }
            return goods
          } actions: { result in
            switch result {
            case .success(let goods): [.didEndLoading(goods)]
            case .failure(let failure): [.didFailLoading(reason: failure.reason)]
            }
          }
          try await thunk(store, selector)
        }
      ]
    case .onTapCancelButton:
      self.cancel("warehouse.load")
      return []
    case .onTapAddButton, .onTapMoveButton, .didLoad, .didEndLoading, .didFailLoading:
      return []
    }
  }
}

@MainActor struct WarehouseSnippetTests {
  private static let templates = [
    "WarehousePage": "{{list}}{{limit}}{{part}}{{adder}}",
    "GoodLimit": "{{#isReached}}This warehouse is full.{{/isReached}}",
    "GoodList": "<ul data-list=\"goods\">{{#goods}}<li>{{name}}</li>{{/goods}}</ul>",
    "GoodAdder": """
    {{^isDetails}}{{#first}}<input {{draft}}><button {{next.details}}>Next</button>{{/first}}{{/isDetails}}
    {{#isDetails}}<a {{previous}}>Back</a>{{#add}}<input {{name}}>
    <input {{quantity}}><input {{capacity}}>{{/add}}{{/isDetails}}
    """,
    "ShelvesPage": """
    {{#shelves}}<h2>{{title}}</h2>
    <ul data-list="{{goods.list}}">{{#goods}}<li>{{name}}</li>{{/goods}}</ul>{{/shelves}}
    """,
    "ImmutableUI/LocalState/ListPartLinks": """
    {{#isOneOfSeveral}}{{text}}{{#previous}}<a {{show}}>Previous</a>{{/previous}}
    {{#next}}<a {{show}}>Next</a>{{/next}}{{#selected}}<a {{show}}>Selected</a>{{/selected}}{{/isOneOfSeveral}}
    """,
  ]

  private func app(
    _ state: WarehouseState = WarehouseState()
  ) throws -> (WarehouseState.Store, TestApp) {
    let store = WarehouseState.Store(initialState: state, reducer: WarehouseReducer.reduce)
    let app = try TestApp(templates: TemplateLibrary(sources: Self.templates)) {
      Provider(store) {
        Page(WarehousePage.self, at: "/", title: "Warehouse")
        Page(ShelvesPage.self, at: "/shelves", title: "Shelves")
      }
    }
    return (store, app)
  }

  @Test func `the second step posts what was entered in the first`() async throws {
    let (store, app) = try self.app()
    let window = try await app.open("/?sheet=add&step=details")
    #expect(window.url == "/?sheet=add")
    #expect(window.html.contains("Next"))

    try await window.navigate(to: "/?sheet=add&name=Candle&step=details")
    #expect(window.html.contains(#"value="Candle""#))
    let fields = ["name": "Candle", "quantity": "3", "capacity": "2"]
    guard case .refused(let refusal, version: _) = try await window.submit("add", fields) else {
      Issue.record("more than the shelf holds")
      return
    }
    #expect(refusal.fields == ["quantity": "The shelf holds only 2."])
    try await window.submit("add", fields.merging(["capacity": "4"]) { $1 })

    try await window.expect("Candle")
    #expect(window.url == "/")
    #expect(store.state.goods.rows.values.map(\.quantity) == [3])
    try await app.finish()
  }

  @Test func `a part of a long list begins with its row`() async throws {
    var state = WarehouseState()
    for number in 1000..<1600 {
      state.goods["\(number)"] = Good(id: "\(number)", name: "Good \(number)")
    }
    let (_, app) = try self.app(state)

    let window = try await app.open("/?start=1500.500")

    #expect(window.text.contains("Good 1500") && window.text.contains("Good 1499") == false)
    #expect(window.text.contains("Showing 501–600 of 600"))
    try await app.finish()
  }

  @Test func `rows move from one list to another of the same kind`() async throws {
    var state = WarehouseState()
    for name in ["Candle", "Glass"] { state.goods[name] = Good(id: name, name: name) }
    let (store, app) = try self.app(state)
    let window = try await app.open("/shelves")
    #expect(window.text == "front Candle Glass back")

    try store.dispatch(action: .onTapMoveButton(["Candle"], to: .back))

    try await window.expect("front Glass back Candle")
    try await app.finish()
  }

  @Test func `an effect reports its progress, and can be cancelled between two steps`() async throws
  {
    let (store, _) = try self.app()
    let (steps, next) = AsyncStream<Void>.makeStream()
    let lanes = EffectLanes()
    let listener = WarehouseListener(lanes: lanes) { number in
      for await _ in steps { break }
      try Task.checkCancellation()
      return Supplier.Page(pages: 2, goods: [Good(id: "\(number)", name: "Good \(number)")])
    }
    listener.listen(to: store)
    let changes = store.makeStream()

    try store.dispatch(action: .onTapLoadButton)
    next.yield()
    for await (_, action) in changes { if case .didLoad(done: 1, total: 2) = action { break } }
    #expect(store.state.loading == WarehouseState.Loading(status: .waiting, done: 1, total: 2))
    try store.dispatch(action: .onTapCancelButton)
    next.yield()
    for await (_, action) in store.makeStream() { if case .didFailLoading = action { break } }

    #expect(store.state.loading.status == .empty)
    #expect(store.state.goods.rows.isEmpty)
    withExtendedLifetime(listener) {}
  }
}
