import HashTreeCollections
public import ImmutableData
public import PlainText

// The whole catalog. Beyond the guide, whose lists are of one category.

extension SortedRows<Animal> {
  /// The animals of a category; none without a category.
  public static func animals(
    of categoryId: Category.ID?,
    by order: AnimalsOrder = .name
  ) -> Self {
    Self(by: order.rows) { $0.categoryId == categoryId }
  }

  /// The animals that a search finds.
  public static func animals(
    found search: SearchText,
    by order: AnimalsOrder = .name
  ) -> Self {
    Self(by: order.rows) { search.finds($0.name) }
  }

  /// The animals that have a star.
  public static func favoriteAnimals(by order: AnimalsOrder = .name) -> Self {
    Self(by: order.rows) { $0.isFavorite }
  }
}

/// How animals are sorted.
public enum AnimalsOrder: String, CaseIterable, Hashable, Sendable {
  case name
  /// The custom order, as users have arranged them.
  case own

  fileprivate var rows: RowOrder<Animal> {
    switch self {
    case .name: RowOrder(\.name)
    case .own: RowOrder(\.place)
    }
  }
}

extension RowCount<Animal> {
  /// How many animals have a star.
  public static var favorites: Self { Self { $0.isFavorite } }
}

extension RowCounts<Animal, Category.ID> {
  /// The number of animals in each category that has any.
  public static var byCategory: Self { Self(by: \.categoryId) }
}

extension AnimalsState {
  /// Another animal with the same name, ignoring case and accents.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - animalId: The animal that already has the name; `nil` if there is none.
  /// - Complexity: O(log n), n animals.
  public static func selectNamesake(
    of name: String,
    except animalId: Animal.ID?
  ) -> @Sendable (Self) -> Animal? {
    let name = (try? AnimalName(name)).map { FoldedText($0.text) }
    return { state in
      name.flatMap { state.animals.names.id(of: $0, except: animalId) }
        .flatMap { state.animals.data[$0] }
    }
  }

  /// The newest mark or deletion, if it failed. O(1).
  public static func selectFailure() -> @Sendable (Self) -> ChangeFailure? {
    { state in state.animals.failure }
  }

  /// The animal that the store has added for a placeholder, as long as that is remembered.
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
