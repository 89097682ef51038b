import HTMLTemplates
public import ImmutableUI

/// Local state, a list, a detail, forms of both policies, and whatever a patch must leave alone.
public struct FixtureContent: Root {
  public typealias State = FixtureState

  public struct Local: LocalState {
    public var search = ""
    public var order = Order.forward
    public var selected: String?

    public init() {}

    public static let parameters: [Parameter<Self>] = [
      Parameter(Self.searchField, \.search),
      Parameter("order", \.order),
      Parameter("selected", \.selected),
    ]

    static let searchField = Field.text("search", .search)
  }

  private let search: String
  private let order: Order
  private let selected: String?

  public init(_ local: Local) {
    self.search = local.search
    self.order = local.order
    self.selected = local.selected
  }

  public static let references: [Reference<Self>] = [
    .selection(["items": \.selected], of: FixtureState.selectItem(id:))
  ]

  /// As if the fixture gave deleted items such ids.
  public static func wasDeleted(_ local: Local, _ state: FixtureState) -> Bool {
    local.selected?.hasPrefix("deleted-") == true
  }

  public var body: some Component {
    Container(search: self.search, order: self.order, selected: self.selected)
  }
}

extension FixtureContent {
  private struct Container: Component {
    @SelectTicks private var ticks
    let search: String
    let order: Order
    let selected: String?

    var body: some Component {
      Presenter(
        ticks: self.ticks,
        search: self.search,
        order: self.order,
        selected: self.selected
      )
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let ticks: Int
    let search: String
    let order: Order
    let selected: String?

    static let template = Template<Self>([
      .text("ticks") { $0.ticks },
      .form("tick", FixtureContent.tick),
      .form("add", FixtureContent.add),
      .field("name", FixtureContent.name),
      .localForm("searchForm", Local.self),
      .field("search", Local.searchField),
      .link("forward", Local.self) { local, _ in local.order = .forward },
      .link("reverse", Local.self) { local, _ in local.order = .reverse },
      .region("list") { ItemList(search: $0.search, order: $0.order) },
      .region("detail") { ItemDetail(selected: $0.selected) },
    ])
  }
}

extension FixtureContent {
  static let tick = Form<FixtureAction>("tick", .repeatable) {
    .ui(.onTapTickButton)
  }

  // Not required by browsers, so that they post what the server refuses.
  static let name = Field.text("name").map(
    get: { $0 },
    tag: { name in
      guard name.allSatisfy(\.isWhitespace) == false else {
        throw Refusal(field: "name", "Enter a name.")
      }
      return name
    }
  )

  static let add = Form<FixtureAction>("add", fields: .submission, Self.name) {
    .ui(.onTapAddButton(id: $0, name: $1))
  }

  static let id = Field<String>.hidden("id", "Say which item.")

  static let delete = Form<FixtureAction>("delete", fields: Self.id) {
    .ui(.onTapDeleteButton(id: $0))
  }

  public static var page: Page<Self> {
    self.page(at: "/fixture")
  }

  /// The same, with what is selected in the path.
  public static var itemsPage: Page<Self> {
    self.page(at: "/items/:selected?").unlisted()
  }

  public static func page(at path: String) -> Page<Self> {
    Page(Self.self, at: path, title: "Fixture")
  }
}
