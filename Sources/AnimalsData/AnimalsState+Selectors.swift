public import Foundation
public import HashTreeCollections
public import ImmutableData

// Selectors that do not say their complexity are O(1).
//
// Source: the guide, chapter AnimalsData, section AnimalsState.

// Categories.
extension AnimalsState {
  /// All categories by id.
  public static func selectCategories()
    -> @Sendable (Self) -> TreeDictionary<
      Category.ID, Category
    >
  {
    { state in state.categories.data }
  }

  /// All categories, sorted; those with equal values by their id.
  ///
  /// - Complexity: O(n log n), n categories.
  public static func selectCategoriesValues(
    sort keyPath: any KeyPath<Category, some Comparable> & Sendable,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Category] {
    let order: any PropertySorting<Category> = PropertyOrder(keyPath, order)
    return { state in order.sort(state.categories.data.values) }
  }

  /// The status of the newest fetch of categories; `nil` before the first.
  public static func selectCategoriesStatus() -> @Sendable (Self) -> Status? {
    { state in state.categories.status }
  }

  /// The category with an id.
  ///
  /// - Complexity: O(log n), n categories.
  public static func selectCategory(
    categoryId: Category.ID?
  ) -> @Sendable (Self) -> Category? {
    { state in categoryId.flatMap { state.categories.data[exactly: $0] } }
  }

  /// The category of an animal.
  ///
  /// - Complexity: O(log n), n animals.
  public static func selectCategory(animalId: Animal.ID?) -> @Sendable (Self) -> Category? {
    { state in
      guard let animalId, let animal = state.animals.data[exactly: animalId] else { return nil }
      return state.categories.data[animal.categoryId]
    }
  }
}

// Pictures.
extension AnimalsState {
  /// Why pictures cannot be stored, as a sentence; `nil` if they can.
  public static func selectNoPictures() -> @Sendable (Self) -> String? {
    { state in state.noPictures }
  }
}

// Animals.
extension AnimalsState {
  /// The animals of a category by id; none without a category.
  ///
  /// - Complexity: O(n), n animals; subtrees that are all of the category are shared, not copied.
  public static func selectAnimals(
    categoryId: Category.ID?
  ) -> @Sendable (Self) -> TreeDictionary<Animal.ID, Animal> {
    { state in
      guard let categoryId else { return [:] }
      return state.animals.data.filter { $0.value.categoryId == categoryId }
    }
  }

  /// The animals of a category, sorted; those with equal values by their id. None without a
  /// category.
  ///
  /// - Complexity: O(n + k log k), n animals, k of them in the category.
  public static func selectAnimalsValues(
    categoryId: Category.ID?,
    sort keyPath: any KeyPath<Animal, some Comparable> & Sendable,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Animal] {
    let order: any PropertySorting<Animal> = PropertyOrder(keyPath, order)
    return { state in
      guard let categoryId else { return [] }
      return order.sort(state.animals.data.values.filter { $0.categoryId == categoryId })
    }
  }

  /// The status of the newest fetch of animals; `nil` before the first.
  public static func selectAnimalsStatus() -> @Sendable (Self) -> Status? {
    { state in state.animals.status }
  }

  /// The animal with an id.
  ///
  /// - Complexity: O(log n), n animals.
  public static func selectAnimal(animalId: Animal.ID?) -> @Sendable (Self) -> Animal? {
    { state in animalId.flatMap { state.animals.data[exactly: $0] } }
  }

  /// The status of the newest operation on an animal, or on the new one with this placeholder.
  ///
  /// - Complexity: O(log n), n operations.
  public static func selectAnimalStatus(animalId: Animal.ID?) -> @Sendable (Self) -> Status? {
    { state in animalId.flatMap { state.animals.status(exactly: $0) } }
  }
}

// Beyond the guide, which leaves this as an exercise.
extension AnimalsState {
  /// Whether anything is in progress: a fetch, or an operation on any animal. A reload is then not
  /// allowed.
  public static func selectIsWaiting() -> @Sendable (Self) -> Bool {
    { state in state.isWaiting }
  }

  /// The ids of the animals that are being saved or deleted.
  public static func selectWaitingAnimals() -> @Sendable (Self) -> TreeSet<Animal.ID> {
    { state in state.animals.waiting }
  }

  /// The total number of animals.
  public static func selectAnimalsCount() -> @Sendable (Self) -> Int {
    { state in state.animals.data.count }
  }
}

extension AnimalsState {
  var isFetching: Bool {
    self.categories.status == .waiting || self.animals.status == .waiting
  }

  var isWaiting: Bool {
    self.isFetching || self.animals.waiting.isEmpty == false
  }
}
