public import ImmutableData
public import Pictures

/// The events of the catalog.
///
/// Source: the guide, chapter AnimalsData, section AnimalsAction.
public enum AnimalsAction: Codable, Hashable, Sendable {
  /// A user did something in a window.
  case ui(_ action: UI)
  /// A store has answered.
  case data(_ action: Data)

  public enum UI: Codable, Hashable, Sendable {
    case categoryList(_ action: CategoryList)
    case animalList(_ action: AnimalList)
    case animalDetail(_ action: AnimalDetail)
    case animalEditor(_ action: AnimalEditor)
  }

  public enum Data: Codable, Hashable, Sendable {
    case persistentSession(_ action: PersistentSession)
  }
}

extension AnimalsAction.UI {
  public enum CategoryList: Codable, Hashable, Sendable {
    case onAppear
    case onTapReloadSampleDataButton
    /// Beyond the guide: everything is to be fetched again, because others have changed it, or
    /// after a failed fetch.
    case onTapRefreshButton
    /// Beyond the guide: the failure of a fetch was read and need no longer be shown in any window.
    case onTapDismissFailureButton
  }

  public enum AnimalList: Codable, Hashable, Sendable {
    case onAppear
    case onTapDeleteSelectedAnimalButton(animalId: Animal.ID)
    /// Beyond the guide: a deleted animal is to be restored.
    case onTapRestoreAnimalButton(_ animal: Animal)
    /// Beyond the guide: the shared star is added to an animal, or removed.
    case onTapFavoriteButton(animalId: Animal.ID, isFavorite: Bool)
    /// Beyond the guide: an animal is to be moved between two others in the custom order; `nil` for
    /// the beginning or the end.
    case onTapMoveButton(animalId: Animal.ID, after: Animal.ID?, before: Animal.ID?)
    /// Beyond the guide: a moved animal is to return to where it was; `nil` for its place by name.
    case onTapUndoMoveButton(animalId: Animal.ID, position: Animal.Position?)
    /// Beyond the guide: the failure of a mark or a deletion was read and need no longer be shown in
    /// any window.
    case onTapDismissFailureButton
  }

  public enum AnimalDetail: Codable, Hashable, Sendable {
    case onTapDeleteSelectedAnimalButton(animalId: Animal.ID)
    /// Beyond the guide: as in the list.
    case onTapFavoriteButton(animalId: Animal.ID, isFavorite: Bool)
    /// Beyond the guide: an animal got a picture, which is already on disk; `nil` to remove its
    /// picture.
    case onChoosePicture(animalId: Animal.ID, picture: Picture?)
  }

  public enum AnimalEditor: Codable, Hashable, Sendable {
    /// `id` is a placeholder until the store assigns an id to the animal.
    case onTapAddAnimalButton(
      id: Animal.ID,
      name: String,
      diet: Animal.Diet,
      categoryId: Category.ID
    )
    case onTapUpdateAnimalButton(
      animalId: Animal.ID,
      name: String,
      diet: Animal.Diet,
      categoryId: Category.ID
    )
    /// Beyond the guide: the parts that were not changed keep the values that they have by then.
    case onTapSaveChangesButton(animalId: Animal.ID, changes: Animal.Changes)
  }
}

extension AnimalsAction.UI {
  /// Beyond the guide: the animal that it is about, or the placeholder of a new one; `nil` if it is
  /// not about one animal.
  public var animalId: Animal.ID? {
    switch self {
    case .animalList(.onTapDeleteSelectedAnimalButton(let animalId)),
      .animalList(.onTapFavoriteButton(let animalId, isFavorite: _)),
      .animalList(.onTapMoveButton(let animalId, after: _, before: _)),
      .animalList(.onTapUndoMoveButton(let animalId, position: _)),
      .animalDetail(.onTapDeleteSelectedAnimalButton(let animalId)),
      .animalDetail(.onTapFavoriteButton(let animalId, isFavorite: _)),
      .animalDetail(.onChoosePicture(let animalId, picture: _)),
      .animalEditor(.onTapAddAnimalButton(let animalId, name: _, diet: _, categoryId: _)),
      .animalEditor(.onTapUpdateAnimalButton(let animalId, name: _, diet: _, categoryId: _)),
      .animalEditor(.onTapSaveChangesButton(let animalId, changes: _)):
      animalId
    case .animalList(.onTapRestoreAnimalButton(let animal)): animal.id
    case .categoryList, .animalList(.onAppear), .animalList(.onTapDismissFailureButton): nil
    }
  }
}

extension AnimalsAction.Data {
  public enum PersistentSession: Codable, Hashable, Sendable {
    case didFetchCategories(result: FetchCategoriesResult)
    case didFetchAnimals(result: FetchAnimalsResult)
    case didReloadSampleData(result: ReloadSampleDataResult)
    case didAddAnimal(id: Animal.ID, result: AddAnimalResult)
    case didUpdateAnimal(animalId: Animal.ID, result: UpdateAnimalResult)
    case didDeleteAnimal(animalId: Animal.ID, result: DeleteAnimalResult)
    /// Beyond the guide: a mark was set on an animal, or removed.
    case didMarkAnimal(animalId: Animal.ID, result: MarkAnimalResult)
    /// Beyond the guide: everything was fetched again.
    case didRefresh(result: RefreshResult)
    /// Beyond the guide: the catalog was changed by others, or by an action whose result is
    /// already known.
    case didChangeElsewhere(_ change: CatalogChange)
  }
}

extension AnimalsAction.Data.PersistentSession {
  public enum FetchCategoriesResult: Codable, Hashable, OperationResult {
    case success(categories: [Category])
    case failure(error: String)
  }

  public enum FetchAnimalsResult: Codable, Hashable, OperationResult {
    case success(animals: [Animal])
    case failure(error: String)
  }

  public enum ReloadSampleDataResult: Codable, Hashable, OperationResult {
    case success(animals: [Animal], categories: [Category])
    case failure(error: String)
  }

  public enum AddAnimalResult: Codable, Hashable, AnimalResult {
    case success(animal: Animal)
    case failure(error: String)
  }

  public enum UpdateAnimalResult: Codable, Hashable, AnimalResult {
    case success(animal: Animal)
    case failure(error: String)
  }

  public enum DeleteAnimalResult: Codable, Hashable, AnimalResult {
    case success(animal: Animal)
    case failure(error: String)
  }

  /// The animal, or the placeholder of a new one, whose operation this ends.
  var endedId: Animal.ID? {
    switch self {
    case .didAddAnimal(let id, result: _), .didUpdateAnimal(let id, result: _),
      .didDeleteAnimal(let id, result: _), .didMarkAnimal(let id, result: _):
      id
    case .didFetchCategories, .didFetchAnimals, .didReloadSampleData, .didRefresh,
      .didChangeElsewhere:
      nil
    }
  }

  public typealias MarkAnimalResult = UpdateAnimalResult
  /// The whole catalog as it is now.
  public typealias RefreshResult = ReloadSampleDataResult
}

/// The result of an operation on one animal.
protocol AnimalResult: OperationResult {
  static func success(animal: Animal) -> Self
}
