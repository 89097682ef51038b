public import ImmutableData

extension AnimalsAction: Redactable {
  /// - Complexity: O(n), n animals of the action.
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .ui(.animalList(.onTapRestoreAnimalButton(let animal))):
      .ui(.animalList(.onTapRestoreAnimalButton(animal.redacted(pseudonym))))
    case .ui(.animalList(.onTapUndoMoveButton(let animalId, let position))):
      .ui(
        .animalList(
          .onTapUndoMoveButton(
            animalId: animalId, position: position.flatMap { $0.redacted(pseudonym) })))
    case .ui(.animalEditor(let action)): .ui(.animalEditor(action.redacted(pseudonym)))
    case .ui(.categoryList), .ui(.animalDetail), .ui(.animalList(.onAppear)),
      .ui(.animalList(.onTapDeleteSelectedAnimalButton)), .ui(.animalList(.onTapFavoriteButton)),
      .ui(.animalList(.onTapMoveButton)), .ui(.animalList(.onTapDismissFailureButton)):
      self
    case .data(.persistentSession(let action)):
      .data(.persistentSession(action.redacted(pseudonym)))
    }
  }
}

extension AnimalsAction.UI.AnimalEditor: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .onTapAddAnimalButton(let id, let name, let diet, let categoryId):
      .onTapAddAnimalButton(id: id, name: pseudonym(name), diet: diet, categoryId: categoryId)
    case .onTapUpdateAnimalButton(let animalId, let name, let diet, let categoryId):
      .onTapUpdateAnimalButton(
        animalId: animalId, name: pseudonym(name), diet: diet, categoryId: categoryId)
    case .onTapSaveChangesButton(let animalId, let changes):
      .onTapSaveChangesButton(animalId: animalId, changes: changes.redacted(pseudonym))
    }
  }
}

extension AnimalsAction.Data.PersistentSession: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .didFetchCategories: self
    case .didFetchAnimals(.success(let animals)):
      .didFetchAnimals(result: .success(animals: animals.map { $0.redacted(pseudonym) }))
    case .didFetchAnimals(.failure): self
    case .didReloadSampleData(let result):
      .didReloadSampleData(result: result.redacted(pseudonym))
    case .didAddAnimal(let id, .success(let animal)):
      .didAddAnimal(id: id, result: .success(animal: animal.redacted(pseudonym)))
    case .didUpdateAnimal(let animalId, .success(let animal)):
      .didUpdateAnimal(animalId: animalId, result: .success(animal: animal.redacted(pseudonym)))
    case .didDeleteAnimal(let animalId, .success(let animal)):
      .didDeleteAnimal(animalId: animalId, result: .success(animal: animal.redacted(pseudonym)))
    case .didMarkAnimal(let animalId, .success(let animal)):
      .didMarkAnimal(animalId: animalId, result: .success(animal: animal.redacted(pseudonym)))
    case .didAddAnimal(_, .failure), .didUpdateAnimal(_, .failure), .didDeleteAnimal(_, .failure),
      .didMarkAnimal(_, .failure):
      self
    case .didRefresh(let result): .didRefresh(result: result.redacted(pseudonym))
    case .didChangeElsewhere(let change): .didChangeElsewhere(change.redacted(pseudonym))
    }
  }
}

extension AnimalsAction.Data.PersistentSession.ReloadSampleDataResult: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .success(let animals, let categories):
      .success(animals: animals.map { $0.redacted(pseudonym) }, categories: categories)
    case .failure: self
    }
  }
}
