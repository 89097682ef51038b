public import AnimalsData
public import ImmutableUI
import PlainText

// Messages to a window about its own actions.
extension Content {
  public static func toast(
    for action: AnimalsAction,
    in state: AnimalsState
  ) -> Toast<AnimalsState>? {
    guard case .ui(let action) = action else { return nil }
    let select = AnimalsState.selectAnimal(animalId: action.animalId)
    // An action that undoes another requires that nobody has changed the same again meanwhile.
    switch action {
    case .animalEditor(.onTapAddAnimalButton(let placeholder, let name, _, _)):
      return Toast("\(name.isolated) added.") { state in
        AnimalsState.selectAnimal(addedWhere: { $0 == placeholder })(state).map {
          .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: $0.id)))
        }
      }
    case .animalEditor(.onTapUpdateAnimalButton(_, let name, _, _)):
      return Toast("\(name.isolated) saved.")
    case .animalEditor(.onTapSaveChangesButton(let animalId, let changes)):
      return select(state).map { old in
        let undo = AnimalsAction.UI.AnimalEditor.onTapSaveChangesButton(
          animalId: animalId, changes: old.undoing(changes))
        return Toast(self.sentence(old.with(changes), was: old, in: state)) { state in
          select(state).flatMap { $0.with(changes) == $0 ? .ui(.animalEditor(undo)) : nil }
        }
      }
    case .animalList(.onTapDeleteSelectedAnimalButton),
      .animalDetail(.onTapDeleteSelectedAnimalButton):
      return select(state).map { animal in
        Toast(
          "\(animal.name.isolated) deleted.",
          undo: .ui(.animalList(.onTapRestoreAnimalButton(animal))))
      }
    case .animalList(.onTapRestoreAnimalButton(let animal)):
      return Toast("\(animal.name.isolated) is back.")
    case .animalList(.onTapFavoriteButton(let animalId, let isFavorite)),
      .animalDetail(.onTapFavoriteButton(let animalId, let isFavorite)):
      return select(state).map { animal in
        let undo = AnimalsAction.UI.AnimalList.onTapFavoriteButton(
          animalId: animalId, isFavorite: isFavorite == false)
        let text = isFavorite ? "is a favorite." : "is no longer a favorite."
        return Toast("\(animal.name.isolated) \(text)", about: "star \(animalId)") { state in
          select(state)?.isFavorite == isFavorite ? .ui(.animalList(undo)) : nil
        }
      }
    case .animalList(.onTapMoveButton(let animalId, let after, let before)):
      let position = state.animals.data.position(after: after, before: before)
      return select(state).map { animal in
        let undo = AnimalsAction.UI.AnimalList.onTapUndoMoveButton(
          animalId: animalId, position: animal.position)
        return Toast("\(animal.name.isolated) moved.", about: "move \(animalId)") { state in
          select(state)?.position == position ? .ui(.animalList(undo)) : nil
        }
      }
    case .animalList(.onTapUndoMoveButton):
      return select(state).map { Toast("\($0.name.isolated) is back in its place.") }
    case .animalDetail(.onChoosePicture(let animalId, let picture)):
      return select(state).map { animal in
        let undo = AnimalsAction.UI.AnimalDetail.onChoosePicture(
          animalId: animalId, picture: animal.picture)
        return Toast(self.sentence(picture, of: animal), about: "picture \(animalId)") { state in
          select(state)?.picture == picture ? .ui(.animalDetail(undo)) : nil
        }
      }
    case .categoryList(.onTapReloadSampleDataButton):
      return Toast("The sample animals are back.")
    case .categoryList(.onAppear), .categoryList(.onTapRefreshButton),
      .categoryList(.onTapDismissFailureButton), .animalList(.onAppear),
      .animalList(.onTapDismissFailureButton):
      return nil
    }
  }

  /// A change of nothing but the category says where the animal is now.
  private static func sentence(
    _ animal: Animal,
    was old: Animal,
    in state: AnimalsState
  ) -> String {
    guard animal.categoryId != old.categoryId, animal.name == old.name, animal.diet == old.diet,
      let category = AnimalsState.selectCategory(categoryId: animal.categoryId)(state)
    else { return "\(animal.name.isolated) saved." }
    return "\(animal.name.isolated) moved to \(category.name.isolated)."
  }

  private static func sentence(_ picture: Picture?, of animal: Animal) -> String {
    switch (animal.picture, picture) {
    case (_, nil): "Picture of \(animal.name.isolated) removed."
    case (nil, _): "\(animal.name.isolated) has a picture."  // a new one, or its own again
    case (_, _): "Picture of \(animal.name.isolated) changed."
    }
  }
}
