public import Foundation
public import HashTreeCollections
import ImmutableData

// The whole catalogue. Beyond the guide, whose lists are of one category.
extension AnimalsState {
  /// The animals that a search finds, by id.
  ///
  /// - Complexity: O(n), n animals; O(1) if nothing is looked for.
  public static func selectAnimals(
    _ search: AnimalSearch
  ) -> @Sendable (Self) -> TreeDictionary<Animal.ID, Animal> {
    { state in
      guard search.isEmpty == false else { return state.animals.data }
      return state.animals.data.filter { search.finds($0.value) }
    }
  }

  /// The animals that a search finds, sorted.
  ///
  /// - Parameters:
  ///   - search: What is looked for in their names.
  ///   - keyPath: What to sort by; equal ones stay in the order of the tree.
  ///   - order: Forward is ascending.
  /// - Complexity: O(n + k log k), n animals, k of them found.
  public static func selectAnimalsValues(
    _ search: AnimalSearch,
    sort keyPath: any KeyPath<Animal, some Comparable & SendableMetatype> & Sendable,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Animal] {
    { state in Self.selectAnimals(search)(state).values.sorted(by: keyPath, order) }
  }

  /// How many animals each category has, of those that have any.
  ///
  /// - Complexity: O(n), n animals.
  public static func selectAnimalsCounts() -> @Sendable (Self) -> [Category.ID: Int] {
    { state in
      state.animals.data.values.reduce(into: [:]) { $0[$1.categoryId, default: 0] += 1 }
    }
  }

  /// Another animal with the same name, whatever its case and accents.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - animalId: Of the animal that has it already; `nil`: none.
  /// - Complexity: O(n), n animals.
  public static func selectNamesake(
    of name: String,
    except animalId: Animal.ID?
  ) -> @Sendable (Self) -> Animal? {
    let search = AnimalSearch(name)
    return { state in
      state.animals.data.values.first { $0.id != animalId && search.names($0) }
    }
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
