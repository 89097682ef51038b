import AnimalsData
import ImmutableUI

/// Which of many animals the list shows, with links to the others.
struct AnimalListPart: Component, Hashable {
  @SelectAnimalsValues private var animals: [Animal]
  private let part: ListPart.Number
  private let selectedAnimalId: Animal.ID?

  init(_ local: AnimalsLocal) {
    self._animals = SelectAnimalsValues(categoryId: local.selectedCategoryId)
    self.part = local.part
    self.selectedAnimalId = local.selectedAnimalId
  }

  var body: some Component {
    ListPartLinks(
      \AnimalsLocal.part,
      showing: self.part,
      of: self.animals,
      selection: self.selectedAnimalId
    )
  }
}
