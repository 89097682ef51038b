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
      Parameter("search", \.search),
      Parameter("order", \.order),
      Parameter("selected", \.selected),
    ]
  }

  private let search: String
  private let order: Order
  private let selected: String?

  public init(_ local: Local) {
    self.search = local.search
    self.order = local.order
    self.selected = local.selected
  }

  public static func normalize(_ local: Local, _ state: FixtureState) -> Local {
    var local = local
    if FixtureState.selectItem(id: local.selected)(state) == nil {
      local.selected = nil
    }
    return local
  }

  public static func overlay(_ local: Local) -> Overlay {
    Overlay(list: "items", key: local.selected, attributes: ["aria-current": "true"])
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
      .number("ticks") { $0.ticks },
      .form("tick", FixtureContent.tick),
      .form("add", FixtureContent.add),
      .field("name", "name", in: FixtureContent.add) { _ in "" },
      .localForm("searchForm", parameters: ["search"]),
      .parameter("search", "search"),
      .link("forward") { _ in [QueryItem(name: "order", value: "")] },
      .link("reverse") { _ in [QueryItem(name: "order", value: "reverse")] },
      .region("list") { ItemList(search: $0.search, order: $0.order) },
      .region("detail") { ItemDetail(selected: $0.selected) },
    ])
  }
}

extension FixtureContent {
  public static let tick = Form<FixtureAction>("tick", .repeatable) { _ in
    .ui(.onTapTickButton)
  }

  public static let add = Form<FixtureAction>("add") { fields in
    .ui(
      .onTapAddButton(
        id: fields[FormField.token] ?? "",
        name: try fields.text("name", "Enter a name.")
      )
    )
  }

  public static let delete = Form<FixtureAction>("delete") { fields in
    .ui(.onTapDeleteButton(id: try fields.text("id", "Say which item.")))
  }

  public static var page: Page<Self> {
    self.page(at: "/fixture")
  }

  public static func page(at path: String) -> Page<Self> {
    Page(Self.self, at: path, title: "Fixture", forms: [Self.tick, Self.add, Self.delete])
  }
}
