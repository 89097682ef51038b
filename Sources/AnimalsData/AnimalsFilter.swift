import HashTreeCollections

/// The actions that can change the input of a selector.
///
/// Source: the guide, chapter AnimalsData, section AnimalsFilter.
public enum AnimalsFilter {
}

extension AnimalsFilter {
  /// Passes the actions that can change the categories. O(1).
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
      case .data(.persistentSession(.didAddAnimal(id: _, result: .success(let animal)))),
        .data(.persistentSession(.didDeleteAnimal(animalId: _, result: .success(let animal)))):
        // As in the guide: a store answers with a new animal, or with the category that is known.
        animal.categoryId == categoryId
      case .data(.persistentSession(.didChangeElsewhere(.saved(let animal)))),
        .data(.persistentSession(.didMarkAnimal(animalId: _, result: .success(let animal)))):
        // Its new and its old category, because a store may answer with a category that differs
        // from the known one. Every animal has a category, except that a new animal has no old one.
        categoryId != nil
          && (animal.categoryId == categoryId
            || oldState.animals.data[animal.animalId]?.categoryId == categoryId)
      case .data(.persistentSession(.didUpdateAnimal(animalId: _, result: .success(let animal)))):
        // As in the guide, also without a category if the animal is not known.
        animal.categoryId == categoryId
          || oldState.animals.data[animal.animalId]?.categoryId == categoryId
      default:
        false
      }
    }
  }
}
