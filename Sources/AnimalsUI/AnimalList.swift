import AnimalsData
import HTMLTemplates
import ImmutableUI

/// The animals of the selected category.
///
/// Source: the guide, chapter AnimalsUI, section AnimalList.
struct AnimalList: Component, Hashable {
  let selectedCategoryId: Category.ID?
  let part: ListPart.Number

  var body: some Component {
    Container(selectedCategoryId: self.selectedCategoryId, part: self.part)
  }
}

extension AnimalList {
  private struct Container: Component {
    @SelectAnimalsValues private var animals: [Animal]
    @SelectCategory private var category: Category?
    @SelectAnimalsStatus private var status
    private let part: ListPart.Number

    init(selectedCategoryId: Category.ID?, part: ListPart.Number) {
      self._animals = SelectAnimalsValues(categoryId: selectedCategoryId)
      self._category = SelectCategory(categoryId: selectedCategoryId)
      self.part = part
    }

    var body: some Component {
      let animals = self.animals
      let part = ListPart(self.part, of: animals.count)
      return Presenter(
        animals: part.elements(of: animals),
        part: part,
        category: self.category,
        status: self.status
      )
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    /// Those of the part that shows.
    let animals: [Animal]
    let part: ListPart
    let category: Category?
    let status: Status?

    /// How many animals there are; nothing where it is said that there are none, or not yet any.
    var count: String {
      switch self.part.count {
      case 0: ""
      case 1: "1 animal"
      case let count: "\(count) animals"
      }
    }

    static let template = Template<Self>([
      .optional("category", [.text("name") { $0.name }]) { $0.category },
      .rows(
        "animals",
        [
          .text("name") { $0.name },
          .link("select", AnimalsLocal.self) { $0.select(animal: $1) },
          .link("delete", AnimalsLocal.self) { $0.sheet.value = .delete($1.id) },
        ]
      ) { $0.animals },
      .text("part") { $0.part.number },
      .text("count") { $0.count },
      .flag("isLoading") { $0.animals.isEmpty && $0.status.isUnderWay },
      .flag("isEmpty") { $0.animals.isEmpty && $0.status == .success },
      .flag("isFetching") { $0.status == .waiting },
      .optional("failure", [.text("error") { $0 }]) { $0.status?.error },
      .form("refresh", CategoryList.onTapRefreshButton),
      .link("add", AnimalsLocal.self) { local, _ in local.sheet.value = .add },
      .link("back", AnimalsLocal.self) { local, _ in local.select(category: nil) },
    ])
  }
}
