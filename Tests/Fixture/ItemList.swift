import HTMLTemplates
import ImmutableUI

struct ItemList: Component, Hashable {
  @SelectItemsValues private var items: [Item]

  init(search: String, order: Order) {
    self._items = SelectItemsValues(search: search, order: order)
  }

  var body: some Component {
    Presenter(items: self.items)
  }
}

extension ItemList {
  private struct Presenter: ImmutableUI.Presenter {
    let items: [Item]

    static let template = Template<Self>([
      .text("count") { $0.items.count },
      .rows(
        "items",
        [
          .text("name") { $0.name },
          .link("select", FixtureContent.Local.self) { $0.selected = $1.id },
          .form("delete", FixtureContent.delete),
          .field("id", FixtureContent.id) { $0.id },
        ]
      ) { $0.items },
    ])
  }
}
