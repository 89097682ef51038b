public import AnimalsData
import HashTreeCollections
public import ImmutableUI

// What a window is told about what was done in it.
extension Content {
  public static func toast(
    for action: AnimalsAction,
    in state: AnimalsState
  ) -> Toast<AnimalsState>? {
    switch action {
    case .ui(.animalEditor(.onTapAddAnimalButton(id: _, let name, let diet, let categoryId))):
      return Toast("\(name) added.") { state in
        // The store has given it an id that only its answer says.
        let animals = AnimalsState.selectAnimals(categoryId: categoryId)(state).values
        let added = animals.filter { $0.name == name && $0.diet == diet }
        guard added.count == 1, let animal = added.first else { return nil }
        return .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: animal.id)))
      }
    case .ui(.animalEditor(.onTapUpdateAnimalButton(let id, let name, let diet, let categoryId))):
      guard let old = AnimalsState.selectAnimal(animalId: id)(state) else { return nil }
      let new = Animal(animalId: id, name: name, diet: diet, categoryId: categoryId)
      return Toast("\(name) saved.") { state in
        guard AnimalsState.selectAnimal(animalId: id)(state) == new else { return nil }
        return .ui(
          .animalEditor(
            .onTapUpdateAnimalButton(
              animalId: id, name: old.name, diet: old.diet, categoryId: old.categoryId)))
      }
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      return AnimalsState.selectAnimal(animalId: animalId)(state).map { animal in
        Toast("\(animal.name) deleted.", undo: .ui(.animalList(.onTapRestoreAnimalButton(animal))))
      }
    case .ui(.animalList(.onTapRestoreAnimalButton(let animal))):
      return Toast("\(animal.name) is back.")
    case .ui(.categoryList(.onTapReloadSampleDataButton)):
      return Toast("The sample animals are back.")
    case .ui(.categoryList(.onAppear)), .ui(.categoryList(.onTapRefreshButton)),
      .ui(.animalList(.onAppear)), .data:
      return nil
    }
  }
}
