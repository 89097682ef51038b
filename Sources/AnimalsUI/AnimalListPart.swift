import AnimalsData
import HTMLTemplates
import ImmutableUI

/// Which of many animals the list shows, with links to the others.
struct AnimalListPart: Component, Hashable {
  let selectedCategoryId: Category.ID?
  let selectedAnimalId: Animal.ID?
  let part: ListPart.Number

  var body: some Component {
    Container(
      categoryId: self.selectedCategoryId,
      animalId: self.selectedAnimalId,
      part: self.part
    )
  }
}

extension AnimalListPart {
  private struct Container: Component {
    @SelectAnimalsValues private var animals: [Animal]
    private let animalId: Animal.ID?
    private let part: ListPart.Number

    init(categoryId: Category.ID?, animalId: Animal.ID?, part: ListPart.Number) {
      self._animals = SelectAnimalsValues(categoryId: categoryId)
      self.animalId = animalId
      self.part = part
    }

    var body: some Component {
      let animals = self.animals
      let index =
        animals.count > ListPart.defaultSize && self.animalId != nil
        ? animals.firstIndex { $0.id == self.animalId } : nil
      return Presenter(part: ListPart(self.part, of: animals.count, selection: index))
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let part: ListPart

    static let template = Template<Self>([
      .optional("part", ListPart.slots(\AnimalsLocal.part)) {
        $0.part.isOneOfSeveral ? $0.part : nil
      }
    ])
  }
}
