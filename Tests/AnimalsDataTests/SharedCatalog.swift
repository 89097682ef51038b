import HashTreeCollections
import ImmutableData
import Synchronization

@testable import AnimalsData

/// A ``StateStore`` with the state that it keeps the catalog in. Each result becomes an action, as the
/// session makes it of results.
final class SharedCatalog: PersistentSessionPersistentStore {
  private typealias Action = AnimalsAction.Data.PersistentSession

  private let store: Store<AnimalsState, AnimalsAction>
  private let rows: StateStore
  /// A state has no order of its own; tests compare rows in the order in which they were added.
  private let ids = Mutex(Animal.samples.map(\.id))

  @MainActor init() {
    self.store = Store(
      initialState: .samples(), reducer: Reducer(AnimalsReducer.reduceOrRefuse))
    self.rows = StateStore(self.store)
  }

  private func apply(_ action: Action) async throws {
    try await MainActor.run {
      try self.store.dispatch(action: .data(.persistentSession(action)))
    }
  }

  var isState: Bool { self.rows.isState }

  func fetchAnimalsQuery() async throws -> [Animal] {
    try await self.apply(.didFetchAnimals(result: .success(animals: self.rows.fetchAnimalsQuery())))
    let animals = self.store.snapshot().state.animals.data
    return self.ids.withLock { $0 }.compactMap { animals[$0] }
  }

  func fetchCategoriesQuery() async throws -> [Category] {
    try await self.apply(
      .didFetchCategories(result: .success(categories: self.rows.fetchCategoriesQuery())))
    let categories = self.store.snapshot().state.categories.data
    return Category.samples.compactMap { categories[$0.id] }
  }

  func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    let animal = try await self.rows.addAnimalMutation(
      name: name, diet: diet, categoryId: categoryId)
    return try await self.added(animal)
  }

  func restoreAnimalMutation(_ animal: Animal) async throws -> Animal {
    try await self.added(self.rows.restoreAnimalMutation(animal))
  }

  private func added(_ animal: Animal) async throws -> Animal {
    self.ids.withLock { $0.append(animal.id) }
    try await self.apply(.didAddAnimal(id: animal.id, result: .success(animal: animal)))
    return animal
  }

  func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.updated(
      self.rows.updateAnimalMutation(
        animalId: animalId, name: name, diet: diet, categoryId: categoryId))
  }

  func updateAnimalMutation(_ animal: Animal, changes: Animal.Changes) async throws -> Animal {
    try await self.updated(self.rows.updateAnimalMutation(animal, changes: changes))
  }

  func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    try await self.updated(self.rows.markAnimalMutation(animalId: animalId, mark: mark))
  }

  private func updated(_ animal: Animal) async throws -> Animal {
    try await self.apply(
      .didUpdateAnimal(animalId: animal.id, result: .success(animal: animal)))
    return animal
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    let animal = try await self.rows.deleteAnimalMutation(animalId: animalId)
    self.ids.withLock { $0.removeAll { $0 == animalId } }
    try await self.apply(.didDeleteAnimal(animalId: animalId, result: .success(animal: animal)))
    return animal
  }

  func reloadSampleDataMutation() async throws -> (animals: [Animal], categories: [Category]) {
    let (animals, categories) = try await self.rows.reloadSampleDataMutation()
    self.ids.withLock { $0 = animals.map(\.id) }
    try await self.apply(
      .didReloadSampleData(result: .success(animals: animals, categories: categories)))
    return (animals, categories)
  }
}
