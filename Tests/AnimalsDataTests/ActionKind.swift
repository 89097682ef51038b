import Pictures

@testable import AnimalsData

/// Every action of the domain, without its values: what tests of filters go through.
enum ActionKind: CaseIterable, Hashable, Sendable {
  case categoryListOnAppear
  case categoryListOnTapReload
  case categoryListOnTapRefresh
  case categoryListOnTapDismissFailure
  case animalListOnAppear
  case animalListOnTapDelete
  case animalListOnTapRestore
  case animalListOnTapFavorite
  case animalListOnTapMove
  case animalListOnTapUndoMove
  case animalListOnTapDismissFailure
  case animalDetailOnTapDelete
  case animalDetailOnTapFavorite
  case animalDetailOnChoosePicture
  case animalEditorOnTapAdd
  case animalEditorOnTapUpdate
  case animalEditorOnTapSaveChanges
  case didFetchCategories
  case didFetchCategoriesFailure
  case didFetchAnimals
  case didFetchAnimalsFailure
  case didReload
  case didReloadFailure
  case didAdd
  case didAddFailure
  case didUpdate
  case didUpdateFailure
  case didDelete
  case didDeleteFailure
  case didRefresh
  case didRefreshFailure
  case didMark
  case didMarkFailure
  case didSaveElsewhere
  case didDeleteElsewhere
  case didReplaceElsewhere
}

// Without a `default`, so that a new action asks for a kind here.
extension ActionKind {
  init(of action: AnimalsAction) {
    switch action {
    case .ui(.categoryList(.onAppear)): self = .categoryListOnAppear
    case .ui(.categoryList(.onTapReloadSampleDataButton)): self = .categoryListOnTapReload
    case .ui(.categoryList(.onTapRefreshButton)): self = .categoryListOnTapRefresh
    case .ui(.categoryList(.onTapDismissFailureButton)): self = .categoryListOnTapDismissFailure
    case .ui(.animalList(.onAppear)): self = .animalListOnAppear
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton)): self = .animalListOnTapDelete
    case .ui(.animalList(.onTapRestoreAnimalButton)): self = .animalListOnTapRestore
    case .ui(.animalList(.onTapFavoriteButton)): self = .animalListOnTapFavorite
    case .ui(.animalList(.onTapMoveButton)): self = .animalListOnTapMove
    case .ui(.animalList(.onTapUndoMoveButton)): self = .animalListOnTapUndoMove
    case .ui(.animalList(.onTapDismissFailureButton)): self = .animalListOnTapDismissFailure
    case .ui(.animalDetail(.onTapFavoriteButton)): self = .animalDetailOnTapFavorite
    case .ui(.animalDetail(.onChoosePicture)): self = .animalDetailOnChoosePicture
    case .ui(.animalDetail(.onTapDeleteSelectedAnimalButton)): self = .animalDetailOnTapDelete
    case .ui(.animalEditor(.onTapAddAnimalButton)): self = .animalEditorOnTapAdd
    case .ui(.animalEditor(.onTapUpdateAnimalButton)): self = .animalEditorOnTapUpdate
    case .ui(.animalEditor(.onTapSaveChangesButton)): self = .animalEditorOnTapSaveChanges
    case .data(.persistentSession(let action)): self.init(of: action)
    }
  }

  private init(of action: AnimalsAction.Data.PersistentSession) {
    switch action {
    case .didFetchCategories(.success): self = .didFetchCategories
    case .didFetchCategories(.failure): self = .didFetchCategoriesFailure
    case .didFetchAnimals(.success): self = .didFetchAnimals
    case .didFetchAnimals(.failure): self = .didFetchAnimalsFailure
    case .didReloadSampleData(.success): self = .didReload
    case .didReloadSampleData(.failure): self = .didReloadFailure
    case .didAddAnimal(_, .success): self = .didAdd
    case .didAddAnimal(_, .failure): self = .didAddFailure
    case .didUpdateAnimal(_, .success): self = .didUpdate
    case .didUpdateAnimal(_, .failure): self = .didUpdateFailure
    case .didDeleteAnimal(_, .success): self = .didDelete
    case .didDeleteAnimal(_, .failure): self = .didDeleteFailure
    case .didMarkAnimal(_, .success): self = .didMark
    case .didMarkAnimal(_, .failure): self = .didMarkFailure
    case .didRefresh(.success): self = .didRefresh
    case .didRefresh(.failure): self = .didRefreshFailure
    case .didChangeElsewhere(.saved): self = .didSaveElsewhere
    case .didChangeElsewhere(.deleted): self = .didDeleteElsewhere
    case .didChangeElsewhere(.replaced): self = .didReplaceElsewhere
    }
  }
}

extension ActionKind {
  /// Whether a store has answered; else somebody has done something in a window.
  var isAnswer: Bool {
    if case .data = AnimalsAction.make(self) { true } else { false }
  }
}

extension AnimalsAction {
  /// An action of a kind, with these values where it has such.
  ///
  /// - Parameters:
  ///   - id: Of what is operated on, or the placeholder.
  ///   - animal: What the store answers.
  static func make(
    _ kind: ActionKind,
    id: Animal.ID = "Cat",
    animal: Animal = .cat,
    animals: [Animal] = Animal.samples,
    categories: [Category] = Category.samples
  ) -> Self {
    switch kind {
    case .categoryListOnAppear: .ui(.categoryList(.onAppear))
    case .categoryListOnTapReload: .ui(.categoryList(.onTapReloadSampleDataButton))
    case .categoryListOnTapRefresh: .ui(.categoryList(.onTapRefreshButton))
    case .categoryListOnTapDismissFailure: .ui(.categoryList(.onTapDismissFailureButton))
    case .animalListOnTapDismissFailure: .ui(.animalList(.onTapDismissFailureButton))
    case .animalListOnAppear: .ui(.animalList(.onAppear))
    case .animalListOnTapDelete: .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: id)))
    case .animalListOnTapRestore: .ui(.animalList(.onTapRestoreAnimalButton(animal)))
    case .animalDetailOnTapDelete:
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: id)))
    case .animalListOnTapFavorite:
      .ui(.animalList(.onTapFavoriteButton(animalId: id, isFavorite: true)))
    case .animalListOnTapMove:
      .ui(.animalList(.onTapMoveButton(animalId: id, after: "Dog", before: nil)))
    case .animalListOnTapUndoMove:
      .ui(.animalList(.onTapUndoMoveButton(animalId: id, position: Animal.Position("80"))))
    case .animalDetailOnTapFavorite:
      .ui(.animalDetail(.onTapFavoriteButton(animalId: id, isFavorite: true)))
    case .animalDetailOnChoosePicture:
      .ui(.animalDetail(.onChoosePicture(animalId: id, picture: .sample)))
    case .animalEditorOnTapAdd: .onTapAdd(id, animal)
    case .animalEditorOnTapUpdate: .onTapUpdate(id, animal)
    case .animalEditorOnTapSaveChanges:
      .ui(
        .animalEditor(
          .onTapSaveChangesButton(animalId: id, changes: Animal.Changes(name: animal.name))))
    case .didFetchCategories: .did(.didFetchCategories(result: .success(categories: categories)))
    case .didFetchCategoriesFailure: .did(.didFetchCategories(result: .failure(error: "Disk")))
    case .didFetchAnimals: .did(.didFetchAnimals(result: .success(animals: animals)))
    case .didFetchAnimalsFailure: .did(.didFetchAnimals(result: .failure(error: "Disk")))
    case .didReload:
      .did(.didReloadSampleData(result: .success(animals: animals, categories: categories)))
    case .didReloadFailure: .did(.didReloadSampleData(result: .failure(error: "Disk")))
    case .didAdd: .did(.didAddAnimal(id: id, result: .success(animal: animal)))
    case .didAddFailure: .did(.didAddAnimal(id: id, result: .failure(error: "Disk")))
    case .didUpdate: .did(.didUpdateAnimal(animalId: id, result: .success(animal: animal)))
    case .didUpdateFailure: .did(.didUpdateAnimal(animalId: id, result: .failure(error: "Disk")))
    case .didDelete: .did(.didDeleteAnimal(animalId: id, result: .success(animal: animal)))
    case .didDeleteFailure: .did(.didDeleteAnimal(animalId: id, result: .failure(error: "Disk")))
    case .didMark: .did(.didMarkAnimal(animalId: id, result: .success(animal: animal)))
    case .didMarkFailure: .did(.didMarkAnimal(animalId: id, result: .failure(error: "Disk")))
    case .didRefresh: .did(.didRefresh(result: .success(animals: animals, categories: categories)))
    case .didRefreshFailure: .did(.didRefresh(result: .failure(error: "Disk")))
    case .didSaveElsewhere: .did(.didChangeElsewhere(.saved(animal)))
    case .didDeleteElsewhere: .did(.didChangeElsewhere(.deleted(id)))
    case .didReplaceElsewhere:
      .did(.didChangeElsewhere(.replaced(animals: animals, categories: categories)))
    }
  }

  static func did(_ action: AnimalsAction.Data.PersistentSession) -> Self {
    .data(.persistentSession(action))
  }

  static func onTapAdd(_ id: Animal.ID, _ animal: Animal) -> Self {
    .ui(
      .animalEditor(
        .onTapAddAnimalButton(
          id: id,
          name: animal.name,
          diet: animal.diet,
          categoryId: animal.categoryId
        )
      )
    )
  }

  static func onTapUpdate(_ id: Animal.ID, _ animal: Animal) -> Self {
    .ui(
      .animalEditor(
        .onTapUpdateAnimalButton(
          animalId: id,
          name: animal.name,
          diet: animal.diet,
          categoryId: animal.categoryId
        )
      )
    )
  }
}

extension Picture {
  static var sample: Self? {
    Self(hash: String(repeating: "0f", count: 32), kind: .jpeg, width: 640, height: 480)
  }
}
