public import ImmutableData
public import Pictures

/// What can happen to the catalogue.
///
/// Source: the guide, chapter AnimalsData, section AnimalsAction.
public enum AnimalsAction: Codable, Hashable, Sendable {
  /// Somebody did something in a window.
  case ui(_ action: UI)
  /// Somewhere that keeps data has answered.
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
    /// Beyond the guide: everything is fetched again, for what others have changed, or after a
    /// fetch that failed.
    case onTapRefreshButton
  }

  public enum AnimalList: Codable, Hashable, Sendable {
    case onAppear
    case onTapDeleteSelectedAnimalButton(animalId: Animal.ID)
    /// Beyond the guide: an animal that was deleted is to come back.
    case onTapRestoreAnimalButton(_ animal: Animal)
    /// Beyond the guide: everybody's star is put on an animal, or taken off.
    case onTapFavoriteButton(animalId: Animal.ID, isFavorite: Bool)
    /// Beyond the guide: an animal is to be between two others in the order of one's own.
    ///
    /// - Parameters:
    ///   - after: The animal before it; `nil`: it is to be the first.
    ///   - before: The animal behind it; `nil`: it is to be the last.
    case onTapMoveButton(animalId: Animal.ID, after: Animal.ID?, before: Animal.ID?)
  }

  public enum AnimalDetail: Codable, Hashable, Sendable {
    case onTapDeleteSelectedAnimalButton(animalId: Animal.ID)
    /// Beyond the guide: as in the list.
    case onTapFavoriteButton(animalId: Animal.ID, isFavorite: Bool)
    /// Beyond the guide: an animal got a picture, which is on disk already; `nil`: its picture is to
    /// go.
    case onChoosePicture(animalId: Animal.ID, picture: Picture?)
  }

  public enum AnimalEditor: Codable, Hashable, Sendable {
    /// `id` is a placeholder until the store gives the animal an id of its own.
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
    /// Beyond the guide: what was not changed stays as it is by then.
    case onTapSaveChangesButton(animalId: Animal.ID, changes: Animal.Changes)
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
    /// Beyond the guide: a mark was put on an animal, or taken off.
    case didMarkAnimal(animalId: Animal.ID, result: MarkAnimalResult)
    /// Beyond the guide: everything was fetched again.
    case didRefresh(result: RefreshResult)
    /// Beyond the guide: the catalogue has changed without an action of ours, or with one that we have
    /// heard of already.
    case didChangeElsewhere(_ change: CatalogueChange)
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

  public enum AnimalResult: Codable, Hashable, OperationResult {
    case success(animal: Animal)
    case failure(error: String)
  }

  public typealias AddAnimalResult = AnimalResult
  public typealias UpdateAnimalResult = AnimalResult
  public typealias DeleteAnimalResult = AnimalResult
  public typealias MarkAnimalResult = AnimalResult
  /// All that there is now.
  public typealias RefreshResult = ReloadSampleDataResult
}
