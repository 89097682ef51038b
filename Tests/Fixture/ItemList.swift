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
      .number("count") { $0.items.count },
      .rows(
        "items",
        [
          .text("name") { $0.name },
          .link("select") { [QueryItem(name: "selected", value: $0.id)] },
          .form("delete", FixtureContent.delete) { [QueryItem(name: "id", value: $0.id)] },
        ]
      ) { $0.items },
    ])
  }
}
