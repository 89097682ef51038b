import AnimalsData
import HTMLTemplates
import ImmutableUI

/// The animals of the selected category.
///
/// Source: the guide, chapter AnimalsUI, section AnimalList.
struct AnimalList: Presenter, Hashable {
  @SelectAnimalsValues private var animals: [Animal]
  @SelectCategory private var category: Category?
  @SelectAnimalsStatus private var status
  private let number: ListPart.Number

  init(selectedCategoryId: Category.ID?, part: ListPart.Number) {
    self._animals = SelectAnimalsValues(categoryId: selectedCategoryId)
    self._category = SelectCategory(categoryId: selectedCategoryId)
    self.number = part
  }

  private var part: ListPart { ListPart(self.number, of: self.animals.count) }

  /// How many animals there are; nothing where it is said that there are none, or not yet any.
  private var count: String {
    switch self.animals.count {
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
    ) { $0.part.elements(of: $0.animals) },
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
