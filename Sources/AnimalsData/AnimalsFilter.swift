import HashTreeCollections

/// Which actions can change what a selector depends on.
///
/// Source: the guide, chapter AnimalsData, section AnimalsFilter.
public enum AnimalsFilter {
}

extension AnimalsFilter {
  /// Passes the actions that can change the categories.
  ///
  /// - Complexity: O(1).
  public static func filterCategories() -> @Sendable (AnimalsState, AnimalsAction) -> Bool {
    { _, action in
      switch action {
      case .data(.persistentSession(.didFetchCategories(result: .success))),
        .data(.persistentSession(.didReloadSampleData(result: .success))),
        .data(.persistentSession(.didRefresh(result: .success))),
        .data(.persistentSession(.didChangeElsewhere(.replaced))):
        true
      default:
        false
      }
    }
  }

  /// Passes the actions that can change any animal. Beyond the guide.
  ///
  /// - Complexity: O(1).
  public static func filterAnimals() -> @Sendable (AnimalsState, AnimalsAction) -> Bool {
    { _, action in
      switch action {
      case .data(.persistentSession(.didFetchAnimals(result: .success))),
        .data(.persistentSession(.didReloadSampleData(result: .success))),
        .data(.persistentSession(.didRefresh(result: .success))),
        .data(.persistentSession(.didAddAnimal(id: _, result: .success))),
        .data(.persistentSession(.didDeleteAnimal(animalId: _, result: .success))),
        .data(.persistentSession(.didUpdateAnimal(animalId: _, result: .success))),
        .data(.persistentSession(.didMarkAnimal(animalId: _, result: .success))),
        .data(.persistentSession(.didChangeElsewhere)):
        true
      default:
        false
      }
    }
  }

  /// Passes the actions that can change the animals of a category.
  ///
  /// - Complexity: O(log n), n animals.
  public static func filterAnimals(
    categoryId: Category.ID?
  ) -> @Sendable (AnimalsState, AnimalsAction) -> Bool {
    { oldState, action in
      switch action {
      case .data(.persistentSession(.didFetchAnimals(result: .success))),
        .data(.persistentSession(.didReloadSampleData(result: .success))),
        .data(.persistentSession(.didRefresh(result: .success))),
        .data(.persistentSession(.didChangeElsewhere(.replaced))):
        true
      case .data(.persistentSession(.didChangeElsewhere(.deleted(let animalId)))):
        categoryId != nil && oldState.animals.data[animalId]?.categoryId == categoryId
      case .data(.persistentSession(.didChangeElsewhere(.saved(let animal)))),
        .data(.persistentSession(.didAddAnimal(id: _, result: .success(let animal)))),
        .data(.persistentSession(.didDeleteAnimal(animalId: _, result: .success(let animal)))),
        .data(.persistentSession(.didMarkAnimal(animalId: _, result: .success(let animal)))),
        .data(.persistentSession(.didUpdateAnimal(animalId: _, result: .success(let animal)))):
        // Where it is now, or where it was: a store may answer with another category than we knew. No
        // animal is without a category, though an animal that is new was nowhere.
        categoryId != nil
          && (animal.categoryId == categoryId
            || oldState.animals.data[animal.animalId]?.categoryId == categoryId)
      default:
        false
      }
    }
  }
}
