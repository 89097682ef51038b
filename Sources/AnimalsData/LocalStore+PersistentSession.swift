import DatabaseFiles
import GRDB
import Logging

// Every mutation is a transaction.
extension LocalStore: PersistentSessionPersistentStore {
  public nonisolated var hasForeignWriters: Bool { true }

  /// Rows that cannot be read as an animal are skipped and logged.
  ///
  /// - Complexity: O(n), n animals.
  public func fetchAnimalsQuery() async throws -> [Animal] {
    try await self.file.readableValues(
      of: .animals, .animalsData, "Animals in the database cannot be read and are skipped")
  }

  /// Rows that cannot be read as a category are skipped and logged.
  ///
  /// - Complexity: O(k), k categories.
  public func fetchCategoriesQuery() async throws -> [Category] {
    try await self.file.readableValues(
      of: .categories, .animalsData, "Categories in the database cannot be read and are skipped")
  }

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
    try await self.write { [limit] database in
      guard try DatabaseTable.animals.count(database) < limit else {
        throw LocalStoreError(code: .catalogFull)
      }
      return animal
    } save: { database, animal in
      try DatabaseTable.animals.insert(database, animal)
    }
  }

  public func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.change(animalId) { animal in
      animal.with(Animal.Changes(name: name, diet: diet, categoryId: categoryId))
    }
  }

  public func updateAnimalMutation(
    _ animal: Animal,
    changes: Animal.Changes
  ) async throws -> Animal {
    try await self.change(animal.id) { $0.with(changes) }
  }

  public func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    try await self.change(animalId) { $0.with(mark) }
  }

  public func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.file.write { database in
      guard let animal = try DatabaseTable.animals.value(database, id: animalId) else {
        throw LocalStoreError.animalNotFound(animalId)
      }
      try DatabaseTable.animals.delete(database, id: animalId)
      return animal
    } didCommit: { [didChange] animal in
      didChange(.deleted(animal.id))
    }
  }

  public func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [Category]
  ) {
    try await self.file.write { database in
      try DatabaseTable.animals.deleteAll(database)
      try DatabaseTable.categories.deleteAll(database)
      try DatabaseSchema.addSamples(database)
    } didCommit: { [didChange] in
      didChange(.replaced(animals: Animal.samples, categories: Category.samples))
    }
    return (animals: Animal.samples, categories: Category.samples)
  }

  /// Changes by other programs are noticed within half a second. Only one task at a time may follow
  /// a store.
  public func followChanges(
    since version: String?,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (CatalogEvent) async throws -> Void
  ) async throws {
    try await self.file.followForeignCommits(onFollowing: onFollowing) {
      try await body(CatalogEvent(nil))
    }
  }

  /// Changes a part of an animal; the other parts keep the values that they have by then.
  private func change(
    _ animalId: Animal.ID,
    _ change: @escaping @Sendable (Animal) -> Animal
  ) async throws -> Animal {
    try await self.write { database in
      guard let old = try DatabaseTable.animals.value(database, id: animalId) else {
        throw LocalStoreError.animalNotFound(animalId)
      }
      return change(old)
    } save: { database, animal in
      _ = try DatabaseTable.animals.update(database, animal)
    }
  }

  private func write(
    _ animal: @escaping @Sendable (Database) throws -> Animal,
    save: @escaping @Sendable (Database, Animal) throws -> Void
  ) async throws -> Animal {
    try await self.file.write { database in
      let animal = try animal(database)
      try save(database, animal)
      return animal
    } didCommit: { [didChange] animal in
      didChange(.saved(animal))
    }
  }
}

extension LocalStoreError {
  static func animalNotFound(_ animalId: Animal.ID) -> Self {
    Self(code: .animalNotFound, message: "There is no animal “\(animalId)”.")
  }

  static func categoryNotFound(_ categoryId: Category.ID) -> Self {
    Self(code: .categoryNotFound, message: "There is no category “\(categoryId)”.")
  }
}

// Errors of requests, in addition to those of the database.
extension LocalStoreError.Code {
  package static let animalNotFound = Self("animalNotFound", "There is no such animal.")
  /// Beyond the guide.
  package static let categoryNotFound = Self("categoryNotFound", "There is no such category.")
  /// Beyond the guide: the limit of animals is reached.
  package static let catalogFull = Self(
    "catalogFull",
    "The catalog is full. Delete an animal, then try again."
  )
}
