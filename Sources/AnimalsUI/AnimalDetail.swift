import AnimalsData
import HTMLTemplates
import ImmutableUI

/// The selected animal.
///
/// Source: the guide, chapter AnimalsUI, section AnimalDetail.
struct AnimalDetail: Component, Hashable {
  private let selectedAnimalId: Animal.ID?

  init(selectedAnimalId: Animal.ID?) {
    self.selectedAnimalId = selectedAnimalId
  }

  var body: some Component {
    Container(selectedAnimalId: self.selectedAnimalId)
  }
}

extension AnimalDetail {
  private struct Container: Component {
    @SelectAnimal private var animal: Animal?
    @SelectCategory private var category: Category?
    @SelectAnimalStatus private var status: Status?

    init(selectedAnimalId: Animal.ID?) {
      self._animal = SelectAnimal(animalId: selectedAnimalId)
      self._category = SelectCategory(animalId: selectedAnimalId)
      self._status = SelectAnimalStatus(animalId: selectedAnimalId)
    }

    var body: some Component {
      Presenter(
        selection: self.animal.map { animal in
          Selection(
            animal: animal,
            category: self.category,
            isWaiting: self.status == .waiting
          )
        }
      )
    }
  }

  private struct Selection: Sendable {
    let animal: Animal
    let category: Category?
    let isWaiting: Bool
  }

  private struct Presenter: ImmutableUI.Presenter {
    let selection: Selection?

    static let template = Template<Self>([
      .optional(
        "animal",
        [
          .text("name") { $0.animal.name },
          .text("category") { $0.category?.name ?? $0.animal.categoryId },
          .text("diet") { $0.animal.diet.rawValue },
          .flag("isWaiting") { $0.isWaiting },
          .link("edit", AnimalsLocal.self) { $0.edit($1.animal) },
          .link("delete", AnimalsLocal.self) { $0.sheet.value = .delete($1.animal.id) },
        ]
      ) { $0.selection },
      .link("back", AnimalsLocal.self) { local, _ in local.select(animal: nil) },
    ])
  }
}
