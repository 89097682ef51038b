import Fixture
import HTMLTemplates
import ImmutableData
import Testing
import WindowTesting

@testable import ImmutableUI

/// A page of items: one is selected in a list and on a map, a sheet asks whether to delete one, and the
/// list has parts. What has been fetched, and how that stands, is in the ticks: an odd number waits,
/// and a negative one has failed.
private struct Items: Root {
  typealias State = FixtureState

  struct Local: LocalState {
    var isOpen: String?
    var start: ListPart.Start<String>?
    var listed: String?
    var mapped: String?
    var sheet = Presented<String>()

    static let parameters: [Parameter<Self>] = [
      Parameter("open", \.isOpen),
      Parameter("from", \.start).when { $0.isOpen != nil },
      Parameter("listed", \.listed),
      Parameter("mapped", \.mapped),
      Parameter("sheet", \.sheet),
    ]
  }

  static let references: [Reference<Self>] = [
    .selection(
      ["list": \.listed, "map": \.mapped],
      of: FixtureState.selectItem(id:),
      status: { id in { _ in id == "busy" ? .waiting : nil } },
      once: { $0.items.isEmpty == false },
      unless: { $0.sheet.value == "edit" }
    ),
    .presented(\.sheet) { sheet, state in sheet == "edit" || state.items.contains { $0.id == sheet }
    },
    .part(\.start, of: FixtureState.selectItem(id:), once: { $0.items.isEmpty == false }),
    .success(of: \.sheet) { local, submission, _ in
      local.isOpen = submission.hasToken("token") ? "token" : "other"
    },
  ]

  static let fetches: [Fetch<Self>] = [
    Fetch(
      .ui(.onTapTickButton),
      Self.status,
      if: { $0.isOpen != nil },
      isEmpty: { $0.items.isEmpty }
    )
  ]

  fileprivate static let status: @Sendable (FixtureState) -> OperationStatus? = { state in
    if state.ticks < 0 { return .failure(error: "The disk is full.") }
    return state.ticks == 0 ? nil : state.ticks % 2 == 1 ? .waiting : .success
  }

  private let local: Local

  init(_ local: Local) {
    self.local = local
  }

  var body: some Component {
    ListPartLinks(
      \Local.start,
      from: self.local.start,
      at: SelectItem(id: self.local.start?.id),
      of: SelectItems(),
      selection: SelectItem(id: self.local.listed)
    )
  }
}

/// A page that fetches the same items, and does not say when all of them are known.
private struct FetchedItems: Root {
  typealias State = FixtureState
  typealias Local = Items.Local

  static let references: [Reference<Self>] = [
    .selection(["list": \.listed], of: FixtureState.selectItem(id:)),
    .part(\.start, of: FixtureState.selectItem(id:)),
  ]

  static let fetches: [Fetch<Self>] = [
    Fetch(.ui(.onTapTickButton), Items.status, isEmpty: { $0.items.isEmpty })
  ]

  init(_ local: Local) {}

  var body: some Component { Items(Local()) }
}

/// The page of one item.
private struct ItemPage: Root {
  typealias State = FixtureState
  typealias Local = Items.Local

  static let references: [Reference<Self>] = [
    .selection(\.listed) { id, state in state.items.contains { $0.id == id } }
  ]

  static let fetches: [Fetch<Self>] = [
    Fetch(.ui(.onTapTickButton), Items.status, isEmpty: { $0.items.isEmpty })
  ]

  init(_ local: Local) {}

  var body: some Component { Items(Local()) }
}

@propertyWrapper private struct SelectItems: ListSelector {
  @ImmutableUI.Selector(outputSelector: { (state: FixtureState) in
    var rows = SortedRows<Item>(by: RowOrder(\.number))
    rows.insert(all: state.items)
    return rows
  })
  var wrappedValue: SortedRows<Item>

  init() {}
}

@propertyWrapper private struct SelectItem: RowSelector {
  @ImmutableUI.Selector<ImmutableData.Store<FixtureState, FixtureAction>, Item?>
  var wrappedValue: Item?

  init(id: String?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: id, outputSelector: FixtureState.selectItem(id: id))
  }
}

extension Item {
  fileprivate var number: Int { Int(self.id) ?? 0 }
}

struct ReferenceTests {
  private static func items(_ ids: some Sequence<String>) -> FixtureState {
    FixtureState(items: ids.map { Item(id: $0, name: $0) })
  }

  private let state = Self.items(["a", "b", "busy"])

  private func normalized(_ query: String, in state: FixtureState) -> String {
    Items.normalize(Items.Local(Query(query)), state).query.text
  }

  @Test(arguments: [
    ("listed=a", "listed=a&mapped=a"), ("mapped=b", "listed=b&mapped=b"),
    ("listed=a&mapped=b", "listed=a&mapped=a"), ("listed=gone&mapped=b", "listed=b&mapped=b"),
    ("listed=gone&mapped=gone", ""), ("listed=gone&sheet=edit", "listed=gone&sheet=edit"),
  ])
  func `a selection of a missing item is dropped`(query: String, normal: String) {
    #expect(self.normalized(query, in: self.state) == normal)
  }

  @Test func `a selection stays while its items may still be loading`() {
    #expect(self.normalized("listed=gone", in: FixtureState()) == "listed=gone")
  }

  @Test(
    arguments: [
      (0, [], "open=yes&from=gone&listed=gone"), (1, [], "open=yes&from=gone&listed=gone"),
      (2, [], "open=yes"), (1, ["a"], "open=yes"),
      (-1, [], "open=yes&from=gone&listed=gone"), (-1, ["a"], "open=yes"),
    ] as [(Int, [String], String)])
  func `a selection stays by default until the page has fetched`(
    ticks: Int, ids: [String], normal: String
  ) {
    var state = Self.items(ids)
    state.ticks = ticks
    let local = Items.Local(Query("open=yes&from=gone&listed=gone"))

    #expect(FetchedItems.normalize(local, state).query.text == normal)
  }

  @Test(
    arguments: [
      (0, [], "listed=gone"), (1, [], "listed=gone"), (2, [], ""), (1, ["a"], ""),
      (2, ["gone"], "listed=gone"),
    ] as [(Int, [String], String)])
  func `the page of one item has none once it is deleted, but not before it is fetched`(
    ticks: Int, ids: [String], normal: String
  ) {
    var state = Self.items(ids)
    state.ticks = ticks

    #expect(ItemPage.normalize(Items.Local(Query("listed=gone")), state).query.text == normal)
  }

  @Test(arguments: [(-1, "/fetched"), (1, "/fetched?listed=a"), (2, "/fetched")])
  func `a selection ends when its row, the last one, is deleted after a refresh has failed`(
    ticks: Int, url: String
  ) async throws {
    var state = Self.items(["a"])
    state.ticks = ticks
    let store = await Store(initialState: state, reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["ImmutableUI/LocalState/ListPartLinks": ""])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(FetchedItems.self, at: "/fetched", title: "Items") }
    }
    let window = try await app.open("/fetched?listed=a")

    try await store.dispatch(action: .ui(.onTapDeleteButton(id: "a")))
    try await app.frame()

    _ = try window.receive()
    #expect(window.url == url)
  }

  @Test func `the rows of a selection are marked in each of its lists`() {
    let overlay = Items.overlay(Items.Local(Query("listed=a&mapped=b")))

    #expect(
      overlay == [
        "list": ["a": ["aria-current": "true"]], "map": ["b": ["aria-current": "true"]],
      ]
    )
    #expect(Items.overlay(Items.Local()) == Overlay())
  }

  @Test(arguments: [("sheet=a", "sheet=a"), ("sheet=gone", ""), ("sheet=edit", "sheet=edit")])
  func `a sheet closes once its item has been deleted`(query: String, normal: String) {
    #expect(self.normalized(query, in: self.state) == normal)
  }

  @Test func `the window that waited for a success sets its follow-up state once`() {
    var hasher = TagHasher()
    for text in ["/items", "token"] { hasher.combine(text) }
    let submission = hasher.finalize().text
    var local = Items.Local(Query([QueryItem(name: "sheet", value: "a~~\(submission)")]))
    local.settle(submission, .success, at: "/items")

    let normal = Items.normalize(local, self.state)

    #expect(normal.query.text == "open=token")
    #expect(normal == Items.Local(Query("open=token")))
    #expect(Items.normalize(Items.Local(), self.state) == Items.Local())
  }

  @Test func `an invalid or unused list start has its default`() {
    #expect(self.normalized("open=yes&from=b", in: self.state) == "open=yes&from=b")
    #expect(self.normalized("open=yes&from=gone", in: self.state) == "open=yes")
    #expect(self.normalized("open=yes&from=gone", in: FixtureState()) == "open=yes&from=gone")
    #expect(self.normalized("open=yes&from=gone.1", in: self.state) == "open=yes&from=gone.1")
    for text in ["", ".", "b.", "b.-1", "b.x", "b.99999999999999999999"] {
      #expect(self.normalized("open=yes&from=\(text)", in: self.state) == "open=yes")
    }
    #expect(Items.Local(Query("from=b")) == Items.Local())
  }

  @Test(arguments: ["b", "b.1", "b.c.0", "b.c.12", ".1", "ü.3"])
  func `the start of a list part survives a round trip through text`(text: String) {
    #expect(ListPart.Start<String>(text)?.description == text)
  }

  @Test func `a fetch begins once, and only where its result shows`() {
    var state = FixtureState()
    let open = Items.Local(Query("open=yes"))

    #expect(Items.onAppear(open, state).count == 1)
    #expect(Items.onAppear(Items.Local(), state).isEmpty)
    state.ticks = 1
    #expect(Items.onAppear(open, state).isEmpty)
  }

  @Test func `a page refreshes itself during a fetch, but not while it has an open form`() {
    var state = self.state
    let isWaiting = { (query: String, state: FixtureState) in
      Items.isWaiting(Items.Local(Query(query)), state)
    }

    #expect(isWaiting("open=yes", state) == false)
    #expect(isWaiting("listed=busy", state))
    #expect(isWaiting("listed=busy&sheet=edit", state) == false)
    #expect(isWaiting("sheet=edit~~SUBMISSION", state))
    state.ticks = 1
    #expect(isWaiting("open=yes", state))
    #expect(isWaiting("", state) == false)
    #expect(isWaiting("open=yes&sheet=edit", state) == false)
    state.items = []
    #expect(isWaiting("open=yes&sheet=edit", state))
  }

  @Test func `links go to the other parts and to the part of the selected row`() async throws {
    let store = await Store(
      initialState: Self.items((0..<1_001).map { "\($0)" }),
      reducer: FixtureReducer.reduce
    )
    let template = """
      {{#isOneOfSeveral}}{{text}}{{#previous}} back {{show}}{{/previous}}{{#next}} on {{show}}{{/next}}\
      {{#selected}} there {{show}}{{/selected}}{{/isOneOfSeveral}}
      """
    let templates = TemplateLibrary(sources: ["ImmutableUI/LocalState/ListPartLinks": template])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Items.self, at: "/items", title: "Items") }
    }

    let window = try await app.open("/items?open=yes&from=500&listed=1000&mapped=1000")

    #expect(window.text.contains("Showing 501–1,000 of 1,001"))
    for link in [
      "back data-set=\"from=\"", "on data-set=\"from=1000.1000\"",
      "there data-set=\"from=1000.1000\"",
    ] {
      #expect(window.html.contains(link))
    }
    try await app.finish()
  }

  @Test func `a window keeps its local state while a state is only shown`() async throws {
    let store = await Store(
      initialState: Self.items(["a", "b"]), reducer: FixtureReducer.reduce)
    let templates = TemplateLibrary(sources: ["ImmutableUI/LocalState/ListPartLinks": ""])
    let app = try TestApp(templates: templates) {
      Provider(store) { Page(Items.self, at: "/items", title: "Items") }
    }
    let window = try await app.open("/items?listed=b&mapped=b")

    await store.show(Self.items(["a"]))
    try await app.frame()
    await store.show(nil)
    try await app.frame()
    _ = try window.receive()

    #expect(window.url == "/items?listed=b&mapped=b")
    await store.show(Self.items(["a"]))
    try await app.frame()
    try await store.dispatch(action: .data(.didLoad(items: [Item(id: "c", name: "c")])))
    await store.show(nil)
    try await app.frame()
    _ = try window.receive()
    #expect(window.url == "/items")
    try await app.finish()
  }
}
