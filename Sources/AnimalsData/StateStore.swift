import DatabaseFiles
import Foundation
import HashTreeCollections
public import ImmutableData

/// Keeps the catalog in the state itself, for states that are stored as a whole, in a log that
/// several servers share. A mutation only returns its result, and the action with the result is
/// what the log stores. The reducer refuses a second operation on an animal during the first, so
/// nothing can come between.
///
/// A query has nothing to read. Rows of the state that its result carried could be older than those
/// that the state has when the result is reduced, and would undo what other servers have changed.
public struct StateStore: PersistentSessionPersistentStore {
  private let store: Store<AnimalsState, AnimalsAction>

  public init(_ store: Store<AnimalsState, AnimalsAction>) {
    self.store = store
  }

  private var state: AnimalsState { self.store.snapshot().state }

  public var isState: Bool { true }

  /// - Returns: Nothing besides what the state has.
  public func fetchAnimalsQuery() async throws -> [Animal] { [] }

  /// - Returns: Nothing besides what the state has.
  public func fetchCategoriesQuery() async throws -> [Category] { [] }

  public func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    let animalId = UUID().uuidString
    return try await self.restoreAnimalMutation(
      Animal(animalId: animalId, name: name, diet: diet, categoryId: categoryId))
  }

  public func restoreAnimalMutation(_ animal: Animal) async throws -> Animal {
    try self.check(animal)
  }

  public func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    let changes = Animal.Changes(name: name, diet: diet, categoryId: categoryId)
    return try self.check(self.animal(animalId).with(changes))
  }

  public func updateAnimalMutation(
    _ animal: Animal,
    changes: Animal.Changes
  ) async throws -> Animal {
    try self.check(self.animal(animal.id).with(changes))
  }

  public func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    try self.animal(animalId).with(mark)
  }

  public func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try self.animal(animalId)
  }

  public func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [Category]
  ) {
    (animals: Animal.samples, categories: Category.samples)
  }

  private func animal(_ animalId: Animal.ID) throws -> Animal {
    guard let animal = self.state.animals.data[exactly: animalId] else {
      throw LocalStoreError.animalNotFound(animalId)
    }
    return animal
  }

  private func check(_ animal: Animal) throws -> Animal {
    guard self.state.categories.data[exactly: animal.categoryId] != nil else {
      throw LocalStoreError.categoryNotFound(animal.categoryId)
    }
    return animal
  }
}

extension AnimalsState {
  /// The sample data, with which a ``StateStore`` starts, like a new database.
  ///
  /// - Parameter limit: See ``init(noPictures:limit:)``.
  public static func samples(limit: Int? = nil) -> Self {
    var state = Self(limit: limit)
    state.categories.data.insert(Category.samples)
    state.categories.status = .success
    state.animals.table.insert(Animal.samples)
    state.animals.status = .success
    return state
  }
}
