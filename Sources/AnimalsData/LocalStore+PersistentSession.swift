import DatabaseFiles
import GRDB

// Every mutation is a transaction.
extension LocalStore: PersistentSessionPersistentStore {
  /// - Complexity: O(n), n animals.
  public func fetchAnimalsQuery() async throws -> [Animal] {
    try await self.file.read { try Catalogue($0).animals() }
  }

  /// - Complexity: O(k), k categories.
  public func fetchCategoriesQuery() async throws -> [Category] {
    try await self.file.read { try Catalogue($0).categories() }
  }

  public func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    let animal = Animal(
      animalId: UUID().uuidString,
      name: name,
      diet: diet,
      categoryId: categoryId
    )
    try await self.file.write { try Catalogue($0).add(animal) }
    return animal
  }

  public func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    let animal = Animal(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
    try await self.file.write { try Catalogue($0).update(animal) }
    return animal
  }

  public func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.file.write { try Catalogue($0).delete(animalId) }
  }

  public func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [Category]
  ) {
    try await self.file.write { database in
      let catalogue = Catalogue(database)
      try catalogue.deleteAll()
      try catalogue.addSamples()
    }
    return (animals: Animal.samples, categories: Category.samples)
  }
}
