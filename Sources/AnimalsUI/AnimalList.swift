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
  @SelectWaitingAnimals private var waiting: Set<Animal.ID>
  private let number: ListPart.Number

  init(selectedCategoryId: Category.ID?, part: ListPart.Number) {
    self._animals = SelectAnimalsValues(categoryId: selectedCategoryId)
    self._category = SelectCategory(categoryId: selectedCategoryId)
    self.number = part
  }

  private var part: ListPart { ListPart(self.number, of: self.animals.count) }

  private var rows: [Row] {
    self.part.elements(of: self.animals).map { animal in
      Row(animal: animal, isWaiting: self.waiting.contains(animal.id))
    }
  }

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
        .text("name") { $0.animal.name },
        .link("select", AnimalsLocal.self) { $0.select(animal: $1.animal) },
        .flag("isWaiting") { $0.isWaiting },
        .link("delete", AnimalsLocal.self) { $0.sheet.value = .delete($1.id) },
      ]
    ) { $0.rows },
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

extension AnimalList {
  private struct Row: Identifiable, Hashable, Sendable {
    let animal: Animal
    /// Whether it is being saved or deleted, so that it cannot be deleted now.
    let isWaiting: Bool

    var id: Animal.ID { self.animal.id }
  }
}
