import HashTreeCollections
public import ImmutableData

// The whole catalogue. Beyond the guide, whose lists are of one category.

extension SortedRows<Animal> {
  /// The animals of a category, by name; none without a category.
  public static func animals(of categoryId: Category.ID?) -> Self {
    Self(by: RowOrder(\.name)) { $0.categoryId == categoryId }
  }

  /// The animals that a search finds, by name.
  public static func animals(found search: AnimalSearch) -> Self {
    Self(by: RowOrder(\.name)) { search.finds($0) }
  }

  /// The animals that have a star, by name.
  public static var favoriteAnimals: Self {
    Self(by: RowOrder(\.name)) { $0.isFavorite }
  }
}

/// How many animals have a star.
public struct FavoritesCount: Derivation {
  public private(set) var output = 0

  public init() {}

  public mutating func insert(_ animal: Animal) {
    if animal.isFavorite { self.output += 1 }
  }

  public mutating func remove(_ animal: Animal) {
    if animal.isFavorite { self.output -= 1 }
  }
}

/// How many animals each category has, of those that have any.
public struct AnimalsCounts: Derivation {
  public private(set) var output: [Category.ID: Int] = [:]

  public init() {}

  public mutating func insert(_ animal: Animal) {
    self.output[animal.categoryId, default: 0] += 1
  }

  public mutating func remove(_ animal: Animal) {
    let count = self.output[animal.categoryId, default: 0] - 1
    self.output[animal.categoryId] = count > 0 ? count : nil
  }
}

extension AnimalsState {
  /// Another animal with the same name, whatever its case and accents.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - animalId: Of the animal that has it already; `nil`: none.
  /// - Complexity: O(log n), n animals.
  public static func selectNamesake(
    of name: String,
    except animalId: Animal.ID?
  ) -> @Sendable (Self) -> Animal? {
    let search = AnimalSearch(name)
    return { state in
      guard search.isEmpty == false else { return nil }
      return state.animals.names.id(of: search, except: animalId).flatMap { state.animals.data[$0] }
    }
  }

  /// Why the newest mark could not be put on its animal; `nil` if it could.
  ///
  /// - Complexity: O(1).
  public static func selectMarkError() -> @Sendable (Self) -> String? {
    { state in state.animals.markError }
  }

  /// The animal that the store has added for a placeholder, while that is remembered.
  ///
  /// - Complexity: O(n), n operations that are remembered; see ``selectIsWaiting()``.
  public static func selectAnimal(
    addedWhere isPlaceholder: @escaping @Sendable (Animal.ID) -> Bool
  ) -> @Sendable (Self) -> Animal? {
    { state in
      state.animals.added.first { isPlaceholder($0.key) }.flatMap { state.animals.data[$0.value] }
    }
  }
}
