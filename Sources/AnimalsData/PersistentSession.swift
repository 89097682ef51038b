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

/// Makes the thunks that work on a store and dispatch what came of it.
///
/// Source: the guide, chapter AnimalsData, section PersistentSession.
final actor PersistentSession<PersistentStore>
where PersistentStore: PersistentSessionPersistentStore {
  /// A unit of asynchronous work on the store.
  typealias Thunk<Dispatcher, Selector> = @Sendable (Dispatcher, Selector) async throws -> Void
  private typealias Action = AnimalsAction.Data.PersistentSession

  private let store: PersistentStore
  private let overlaps = Overlaps()

  init(store: PersistentStore) {
    self.store = store
  }
}

// Queries.
extension PersistentSession {
  func fetchAnimalsQuery<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.fetch {
      try await self.store.fetchAnimalsQuery().compactMap(\.cleaned)
    } action: { result, changed, _ in
      switch result {
      case .success(let animals):
        .didFetchAnimals(
          result: .success(animals: animals.filter { changed.contains($0.id) == false })
        )
      case .failure(let error):
        .didFetchAnimals(result: .failure(error: error.visitorMessage))
      }
    }
  }

  func fetchCategoriesQuery<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.fetch {
      try await self.store.fetchCategoriesQuery().compactMap(\.cleaned)
    } action: { result, _, _ in
      switch result {
      case .success(let categories):
        .didFetchCategories(result: .success(categories: categories))
      case .failure(let error):
        .didFetchCategories(result: .failure(error: error.visitorMessage))
      }
    }
  }

  /// Beyond the guide: fetches everything again.
  func refreshQuery<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.fetch {
      let categories = try await self.store.fetchCategoriesQuery().compactMap(\.cleaned)
      let animals = try await self.store.fetchAnimalsQuery().compactMap(\.cleaned)
      return (animals: animals, categories: categories)
    } action: { result, changed, state in
      switch result {
      case .success(let fetched):
        .didRefresh(
          result: .success(
            animals: fetched.animals.filter { changed.contains($0.id) == false }
              + changed.compactMap { state.animals.data[$0] },
            categories: fetched.categories
          )
        )
      case .failure(let error):
        .didRefresh(result: .failure(error: error.visitorMessage))
      }
    }
  }
}

// Mutations.
extension PersistentSession {
  func addAnimalMutation<Dispatcher, Selector>(
    id: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.mutate {
      let animal = try await self.store.addAnimalMutation(
        name: name,
        diet: diet,
        categoryId: categoryId
      )
      return try animal.requireCleaned()
    } changed: { animal in
      animal.id
    } action: { result in
      switch result {
      case .success(let animal): .didAddAnimal(id: id, result: .success(animal: animal))
      case .failure(let error):
        .didAddAnimal(id: id, result: .failure(error: error.visitorMessage))
      }
    }
  }

  func updateAnimalMutation<Dispatcher, Selector>(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.mutate {
      let animal = try await self.store.updateAnimalMutation(
        animalId: animalId,
        name: name,
        diet: diet,
        categoryId: categoryId
      )
      return try animal.requireCleaned()
    } changed: { animal in
      animal.id
    } action: { result in
      switch result {
      case .success(let animal):
        .didUpdateAnimal(animalId: animalId, result: .success(animal: animal))
      case .failure(let error):
        .didUpdateAnimal(animalId: animalId, result: .failure(error: error.visitorMessage))
      }
    }
  }

  func deleteAnimalMutation<Dispatcher, Selector>(
    animalId: String
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.mutate {
      let animal = try await self.store.deleteAnimalMutation(animalId: animalId)
      return try animal.requireCleaned()
    } changed: { animal in
      animal.id
    } action: { result in
      switch result {
      case .success(let animal):
        .didDeleteAnimal(animalId: animalId, result: .success(animal: animal))
      case .failure(let error):
        .didDeleteAnimal(animalId: animalId, result: .failure(error: error.visitorMessage))
      }
    }
  }

  func reloadSampleDataMutation<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    self.mutate {
      let data = try await self.store.reloadSampleDataMutation()
      return (
        animals: data.animals.compactMap(\.cleaned),
        categories: data.categories.compactMap(\.cleaned)
      )
    } changed: { _ in
      // No fetch is under way: the reducer sees to it.
      nil
    } action: { result in
      switch result {
      case .success(let data):
        .didReloadSampleData(
          result: .success(animals: data.animals, categories: data.categories)
        )
      case .failure(let error):
        .didReloadSampleData(result: .failure(error: error.visitorMessage))
      }
    }
  }
}

// One helper each for reading and writing.
extension PersistentSession {
  /// A thunk that reads, and dispatches what it read or why it could not.
  ///
  /// - Parameters:
  ///   - query: Reads.
  ///   - action: Makes the action, from the animals that were changed while it read, of which it
  ///     knows less than the state, and from that state. It runs beside the main actor, and again if
  ///     more were changed meanwhile.
  private nonisolated func fetch<Dispatcher, Selector, Value: Sendable>(
    _ query: @escaping @Sendable () async throws -> Value,
    action: @escaping @Sendable (Result<Value, any Error>, Set<Animal.ID>, AnimalsState) -> Action
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    { dispatcher, selector in
      let fetch = await self.overlaps.beginFetch()
      let result = await Result { try await query() }
      var isDispatched = false
      while isDispatched == false {
        let (changed, state) = await MainActor.run {
          (self.overlaps.changes(since: fetch), selector.state)
        }
        let next = action(result, changed, state)
        isDispatched = try await MainActor.run {
          guard self.overlaps.changes(since: fetch).count == changed.count else { return false }
          self.overlaps.endFetch(fetch)
          try dispatcher.dispatch(action: .data(.persistentSession(next)))
          return true
        }
      }
      _ = try result.get()
    }
  }

  /// A thunk that writes, and dispatches what came of it.
  private nonisolated func mutate<Dispatcher, Selector, Value: Sendable>(
    _ mutation: @escaping @Sendable () async throws -> Value,
    changed: @escaping @Sendable (Value) -> Animal.ID?,
    action: @escaping @Sendable (Result<Value, any Error>) -> Action
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    Selector: ImmutableData.Selector<AnimalsState>
  {
    { dispatcher, _ in
      let result = await Result { try await mutation() }
      try await MainActor.run {
        if let value = try? result.get(), let animalId = changed(value) {
          self.overlaps.didChange(animalId)
        }
        try dispatcher.dispatch(action: .data(.persistentSession(action(result))))
      }
      _ = try result.get()
    }
  }
}
