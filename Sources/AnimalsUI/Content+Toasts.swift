public import AnimalsData
public import ImmutableUI

// Messages to a window about its own actions.
extension Content {
  public static func toast(
    for action: AnimalsAction,
    in state: AnimalsState
  ) -> Toast<AnimalsState>? {
    switch action {
    case .ui(.animalEditor(.onTapAddAnimalButton(let placeholder, let name, _, _))):
      return Toast("\(name) added.") { state in
        let animal = AnimalsState.selectAnimal(addedWhere: { $0 == placeholder })(state)
        return animal.map {
          .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: $0.id)))
        }
      }
    case .ui(.animalEditor(.onTapUpdateAnimalButton(_, let name, _, _))):
      return Toast("\(name) saved.")
    case .ui(.animalEditor(.onTapSaveChangesButton(let animalId, let changes))):
      return AnimalsState.selectAnimal(animalId: animalId)(state).map { old in
        Toast("\(old.with(changes).name) saved.") { state in
          // Unless it was changed again meanwhile.
          guard let animal = AnimalsState.selectAnimal(animalId: animalId)(state),
            animal.with(changes) == animal
          else { return nil }
          return .ui(
            .animalEditor(
              .onTapSaveChangesButton(animalId: animalId, changes: old.undoing(changes))))
        }
      }
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      return AnimalsState.selectAnimal(animalId: animalId)(state).map { animal in
        Toast("\(animal.name) deleted.", undo: .ui(.animalList(.onTapRestoreAnimalButton(animal))))
      }
    case .ui(.animalList(.onTapRestoreAnimalButton(let animal))):
      return Toast("\(animal.name) is back.")
    case .ui(.animalList(.onTapFavoriteButton(let animalId, let isFavorite))),
      .ui(.animalDetail(.onTapFavoriteButton(let animalId, let isFavorite))):
      return AnimalsState.selectAnimal(animalId: animalId)(state).map { animal in
        let undo = AnimalsAction.UI.AnimalList.onTapFavoriteButton(
          animalId: animalId, isFavorite: isFavorite == false)
        return Toast(
          isFavorite
            ? "\(animal.name) is a favorite." : "\(animal.name) is no longer a favorite."
        ) { state in
          // Unless it was already undone.
          AnimalsState.selectAnimal(animalId: animalId)(state)?.isFavorite == isFavorite
            ? .ui(.animalList(undo)) : nil
        }
      }
    case .ui(.animalDetail(.onChoosePicture(let animalId, let picture))):
      return AnimalsState.selectAnimal(animalId: animalId)(state).map { animal in
        Toast(self.sentence(picture, of: animal)) { state in
          // Unless another picture was chosen meanwhile.
          AnimalsState.selectAnimal(animalId: animalId)(state)?.picture == picture
            ? .ui(.animalDetail(.onChoosePicture(animalId: animalId, picture: animal.picture)))
            : nil
        }
      }
    case .ui(.categoryList(.onTapReloadSampleDataButton)):
      return Toast("The sample animals are back.")
    case .ui(.categoryList(.onAppear)), .ui(.categoryList(.onTapRefreshButton)),
      .ui(.categoryList(.onTapDismissFailureButton)), .ui(.animalList(.onAppear)),
      .ui(.animalList(.onTapMoveButton)), .ui(.animalList(.onTapDismissFailureButton)), .data:
      return nil
    }
  }

  private static func sentence(_ picture: Picture?, of animal: Animal) -> String {
    switch (animal.picture, picture) {
    case (_, nil): "Picture of \(animal.name) removed."
    case (nil, _): "Picture of \(animal.name) added."
    case (_, _): "Picture of \(animal.name) changed."
    }
  }
}
