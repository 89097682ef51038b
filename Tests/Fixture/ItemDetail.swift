import HTMLTemplates
import ImmutableUI

struct ItemDetail: Component, Hashable {
  @SelectItem private var item: Item?

  init(selected: String?) {
    self._item = SelectItem(id: selected)
  }

  var body: some Component {
    Presenter(item: self.item)
  }
}

extension ItemDetail {
  private struct Presenter: ImmutableUI.Presenter {
    let item: Item?

    static let template = Template<Self>([
      .optional("item", [.text("name") { $0.name }]) { $0.item }
    ])
  }
}
