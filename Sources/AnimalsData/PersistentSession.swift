import DatabaseFiles
import Foundation
import HashTreeCollections
import ImmutableData

/// Where the catalogue is kept.
///
/// Source: the guide, chapter AnimalsData, section PersistentSession.
public protocol PersistentSessionPersistentStore: Sendable {
  /// - Throws: When the store cannot be read; nothing has changed.
  func fetchAnimalsQuery() async throws -> [Animal]

  /// - Returns: The animal, with the id that the store has given it.
  /// - Throws: When it cannot be saved; nothing has changed.
  func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal

  /// - Throws: When there is no such animal, or it cannot be saved; nothing has changed.
  func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal

  /// - Returns: The animal that was there.
  /// - Throws: When there is no such animal, or it cannot be deleted; nothing has changed.
  func deleteAnimalMutation(animalId: String) async throws -> Animal

  /// - Throws: When the store cannot be read; nothing has changed.
  func fetchCategoriesQuery() async throws -> [Category]

  /// Deletes everything and puts the sample data there.
  ///
  /// - Throws: When it cannot be saved; nothing has changed.
  func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [Category]
  )
}

typealias AnimalsDispatcher = ImmutableData.Dispatcher<AnimalsState, AnimalsAction>
typealias AnimalsSelector = ImmutableData.Selector<AnimalsState>

/// Makes the thunks that work on a store and dispatch what came of it.
///
/// Source: the guide, chapter AnimalsData, section PersistentSession.
final actor PersistentSession<PersistentStore>
where PersistentStore: PersistentSessionPersistentStore {
  /// A unit of asynchronous work on the store.
  typealias Thunk<Dispatcher, Selector> = @Sendable (Dispatcher, Selector) async throws -> Void

  private let store: PersistentStore
  private let operations = Operations<Animal.ID> { ($0 as? LocalStoreError)?.visitorMessage }

  init(store: PersistentStore) {
    self.store = store
  }
}

// Queries.
extension PersistentSession {
  nonisolated func fetchAnimalsQuery<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query { _ in
      try await self.store.fetchAnimalsQuery().compactMap(\.cleaned)
    } actions: { result, meanwhile, _ in
      switch result {
      case .success(let animals):
        .did(.didFetchAnimals(result: .success(animals: meanwhile.unchanged(animals))))
      case .failure(let failure):
        .did(.didFetchAnimals(result: .failure(error: failure.reason)))
      }
    }
  }

  nonisolated func fetchCategoriesQuery<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query { _ in
      try await self.store.fetchCategoriesQuery().compactMap(\.cleaned)
    } actions: { result, _, _ in
      switch result {
      case .success(let categories):
        .did(.didFetchCategories(result: .success(categories: categories)))
      case .failure(let failure):
        .did(.didFetchCategories(result: .failure(error: failure.reason)))
      }
    }
  }

  /// Beyond the guide: fetches everything again.
  nonisolated func refreshQuery<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query { _ in
      let categories = try await self.store.fetchCategoriesQuery().compactMap(\.cleaned)
      let animals = try await self.store.fetchAnimalsQuery().compactMap(\.cleaned)
      return (animals: animals, categories: categories)
    } actions: { result, meanwhile, state in
      switch result {
      case .success(let (animals, categories)):
        .did(
          .didRefresh(
            result: .success(
              animals: meanwhile.unchanged(animals)
                + state.animals.data.values(for: meanwhile.ids),
              categories: categories
            )
          )
        )
      case .failure(let failure):
        .did(.didRefresh(result: .failure(error: failure.reason)))
      }
    }
  }
}

// Mutations.
extension PersistentSession {
  nonisolated func addAnimalMutation<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>(
    id: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation { _ in
      try await self.store.addAnimalMutation(name: name, diet: diet, categoryId: categoryId)
        .requireCleaned()
    } changed: { animal in
      [animal.id]
    } actions: { result in
      switch result {
      case .success(let animal): .did(.didAddAnimal(id: id, result: .success(animal: animal)))
      case .failure(let failure):
        .did(.didAddAnimal(id: id, result: .failure(error: failure.reason)))
      }
    }
  }

  nonisolated func updateAnimalMutation<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation { _ in
      try await self.store.updateAnimalMutation(
        animalId: animalId,
        name: name,
        diet: diet,
        categoryId: categoryId
      ).requireCleaned()
    } changed: { animal in
      [animal.id]
    } actions: { result in
      switch result {
      case .success(let animal):
        .did(.didUpdateAnimal(animalId: animalId, result: .success(animal: animal)))
      case .failure(let failure):
        .did(.didUpdateAnimal(animalId: animalId, result: .failure(error: failure.reason)))
      }
    }
  }

  nonisolated func deleteAnimalMutation<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>(
    animalId: String
  ) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation { _ in
      try await self.store.deleteAnimalMutation(animalId: animalId).requireCleaned()
    } changed: { animal in
      [animal.id]
    } actions: { result in
      switch result {
      case .success(let animal):
        .did(.didDeleteAnimal(animalId: animalId, result: .success(animal: animal)))
      case .failure(let failure):
        .did(.didDeleteAnimal(animalId: animalId, result: .failure(error: failure.reason)))
      }
    }
  }

  nonisolated func reloadSampleDataMutation<
    Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector
  >() -> Thunk<Dispatcher, Selector> {
    // No fetch is under way: the reducer sees to it.
    self.operations.mutation { _ in
      let (animals, categories) = try await self.store.reloadSampleDataMutation()
      return (animals.compactMap(\.cleaned), categories.compactMap(\.cleaned))
    } actions: { result in
      switch result {
      case .success(let (animals, categories)):
        .did(.didReloadSampleData(result: .success(animals: animals, categories: categories)))
      case .failure(let failure):
        .did(.didReloadSampleData(result: .failure(error: failure.reason)))
      }
    }
  }
}

extension [AnimalsAction] {
  fileprivate static func did(_ action: AnimalsAction.Data.PersistentSession) -> Self {
    [.data(.persistentSession(action))]
  }
}
