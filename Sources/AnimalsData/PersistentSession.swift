import DatabaseFiles
import Foundation
import HashTreeCollections
import ImmutableData

/// A store of the catalog.
///
/// Source: the guide, chapter AnimalsData, section PersistentSession.
public protocol PersistentSessionPersistentStore: Sendable {
  /// Beyond the guide: whether the state itself is the only store. Its queries return nothing, so
  /// they must not replace the state.
  var isState: Bool { get }

  /// Beyond the guide: whether other programs write to the store, so that what it answers must be
  /// checked. The changes that it reports (`followChanges`) are always checked, because they are
  /// made by others.
  var hasForeignWriters: Bool { get }

  /// - Throws: When the store cannot be read; nothing has changed.
  func fetchAnimalsQuery() async throws -> [Animal]

  /// - Returns: The animal, with the id that the store has assigned.
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

  /// Beyond the guide: changes some values of an animal. The others keep the values that they have
  /// in the store. With only the guide's functions, which need every value, they get the known ones.
  ///
  /// - Parameter animal: The animal as it is known.
  /// - Throws: When there is no such animal, or it cannot be saved; nothing has changed.
  func updateAnimalMutation(_ animal: Animal, changes: Animal.Changes) async throws -> Animal

  /// - Returns: The deleted animal.
  /// - Throws: When there is no such animal, or it cannot be deleted; nothing has changed.
  func deleteAnimalMutation(animalId: String) async throws -> Animal

  /// Beyond the guide: restores a deleted animal. Stores with only the guide's functions add it as
  /// a new one.
  ///
  /// - Returns: The animal, with its old id if the store can give it that.
  /// - Throws: When it cannot be saved; nothing has changed.
  func restoreAnimalMutation(_ animal: Animal) async throws -> Animal

  /// Beyond the guide: sets a mark on an animal, or removes it. Stores with only the guide's
  /// functions do not keep marks.
  ///
  /// - Returns: The animal with the mark; nothing else of it has changed.
  /// - Throws: When there is no such animal, or it cannot be saved; nothing has changed.
  func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal

  /// - Throws: When the store cannot be read; nothing has changed.
  func fetchCategoriesQuery() async throws -> [Category]

  /// Replaces everything with the sample data.
  ///
  /// - Throws: When it cannot be saved; nothing has changed.
  func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [Category]
  )

  /// Beyond the guide: follows the changes that are made without this store, until the task is
  /// cancelled. A store that only this server changes need not implement it.
  ///
  /// - Parameters:
  ///   - version: The last version that `body` received, to get the changes since; `nil` at first.
  ///   - onFollowing: Called once the changes can be followed.
  ///   - body: Receives each change in order, and the next one when it returns. It may also receive
  ///     changes by this store.
  /// - Throws: When the store cannot be followed any longer, or an error that `body` throws.
  ///   Without an error it returns only if there is nothing to follow.
  func followChanges(
    since version: String?,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (CatalogEvent) async throws -> Void
  ) async throws
}

extension PersistentSessionPersistentStore {
  public var isState: Bool { false }

  public var hasForeignWriters: Bool { false }

  /// For programs that accept input without a reducer. The store itself accepts any category, as in
  /// the guide.
  ///
  /// - Throws: ``LocalStoreError`` if there is no such category, and what the query throws.
  package func requireCategory(_ categoryId: Category.ID) async throws {
    let categories = try await self.fetchCategoriesQuery()
    guard categories.contains(where: { $0.id == categoryId }) else {
      throw LocalStoreError.categoryNotFound(categoryId)
    }
  }

  public func followChanges(
    since version: String?,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (CatalogEvent) async throws -> Void
  ) async throws {}

  public func updateAnimalMutation(
    _ animal: Animal,
    changes: Animal.Changes
  ) async throws -> Animal {
    let animal = animal.with(changes)
    return try await self.updateAnimalMutation(
      animalId: animal.id,
      name: animal.name,
      diet: animal.diet,
      categoryId: animal.categoryId
    )
  }

  public func restoreAnimalMutation(_ animal: Animal) async throws -> Animal {
    var restored = try await self.addAnimalMutation(
      name: animal.name,
      diet: animal.diet,
      categoryId: animal.categoryId
    )
    for mark in animal.marks {
      // The animal exists now, and an animal without its mark is better than none.
      let marked = try? await self.markAnimalMutation(animalId: restored.animalId, mark: mark)
      restored = marked ?? restored
    }
    return restored
  }

  public func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    throw MarkNotKept(mark: mark)
  }
}

/// A store cannot keep a mark.
struct MarkNotKept: LocalizedError {
  let mark: Animal.Mark

  var errorDescription: String? {
    switch self.mark {
    case .favorite: "This catalog does not support favorites."
    case .position: "This catalog does not support a custom order."
    case .picture: "This catalog does not support pictures."
    }
  }
}

typealias AnimalsDispatcher = ImmutableData.Dispatcher<AnimalsState, AnimalsAction>
typealias AnimalsSelector = ImmutableData.Selector<AnimalsState>

/// Makes the thunks that work on a store and dispatch the results.
///
/// Source: the guide, chapter AnimalsData, section PersistentSession.
final actor PersistentSession<PersistentStore>
where PersistentStore: PersistentSessionPersistentStore {
  /// A unit of asynchronous work on the store.
  typealias Thunk<Dispatcher, Selector> = @Sendable (Dispatcher, Selector) async throws -> Void

  typealias Action = AnimalsAction.Data.PersistentSession

  let store: PersistentStore
  let operations = Operations<Animal.ID> { $0.sentenceForVisitors }

  init(store: PersistentStore) {
    self.store = store
  }
}

// Queries.
extension PersistentSession {
  nonisolated func fetchAnimalsQuery<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query {
      try await self.store.fetchShowableAnimals()
    } success: { animals, meanwhile in
      Action.FetchAnimalsResult.success(animals: meanwhile.unchanged(animals))
    } action: {
      .data(.persistentSession(.didFetchAnimals(result: $0)))
    }
  }

  nonisolated func fetchCategoriesQuery<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query {
      try await self.store.fetchShowableCategories()
    } success: { categories, meanwhile in
      Action.FetchCategoriesResult.success(
        categories: meanwhile.isEverything ? [] : categories)
    } action: {
      .data(.persistentSession(.didFetchCategories(result: $0)))
    }
  }

  /// Beyond the guide: fetches everything again.
  nonisolated func refreshQuery<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query { _ in
      try await self.everything()
    } actions: { result, meanwhile, state in
      let actions: [Action]
      switch result {
      case .success where self.store.isState:
        actions = [
          .didFetchCategories(result: .success(categories: [])),
          .didFetchAnimals(result: .success(animals: [])),
        ]
      case .success(let fetched):
        let (animals, categories) = state.merged(fetched, meanwhile)
        actions = [.didRefresh(result: .success(animals: animals, categories: categories))]
      case .failure(let failure):
        actions = [.didRefresh(result: .failure(error: failure.reason))]
      }
      return actions.map { .data(.persistentSession($0)) }
    }
  }

  nonisolated func everything() async throws -> (animals: [Animal], categories: [Category]) {
    let categories = try await self.store.fetchShowableCategories()
    let animals = try await self.store.fetchShowableAnimals()
    return (animals: animals, categories: categories)
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
    self.mutation {
      try await $0.addAnimalMutation(name: name, diet: diet, categoryId: categoryId)
    } action: {
      .didAddAnimal(id: id, result: $0)
    }
  }

  nonisolated func updateAnimalMutation<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) -> Thunk<Dispatcher, Selector> {
    self.mutation {
      try await $0.updateAnimalMutation(
        animalId: animalId, name: name, diet: diet, categoryId: categoryId)
    } action: {
      .didUpdateAnimal(animalId: animalId, result: $0)
    }
  }

  nonisolated func deleteAnimalMutation<Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector>(
    animalId: String
  ) -> Thunk<Dispatcher, Selector> {
    self.mutation {
      try await $0.deleteAnimalMutation(animalId: animalId)
    } action: {
      .didDeleteAnimal(animalId: animalId, result: $0)
    }
  }

  /// A mutation of one animal.
  nonisolated func mutation<
    Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector, Outcome: AnimalResult
  >(
    _ work: @escaping @Sendable (PersistentStore) async throws -> Animal,
    action: @escaping @Sendable (Outcome) -> Action
  ) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation(isStored: self.store.isState == false) {
      let animal = try await work(self.store)
      return self.store.hasForeignWriters ? try animal.requireCleaned() : animal
    } changed: { animal in
      [animal.id]
    } isCurrent: { animal, state in
      state.animals.data[animal.id] == animal
    } success: { animal in
      Outcome.success(animal: animal)
    } action: {
      .data(.persistentSession(action($0)))
    }
  }

  nonisolated func reloadSampleDataMutation<
    Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector
  >() -> Thunk<Dispatcher, Selector> {
    let readAgain: @Sendable () -> Thunk<Dispatcher, Selector> = { self.refreshQuery() }
    // The reducer ensures that no fetch is in progress.
    return self.operations.mutation(
      isStored: self.store.isState == false, readAgain: readAgain
    ) {
      let (animals, categories) = try await self.store.reloadSampleDataMutation()
      guard self.store.hasForeignWriters else { return (animals, categories) }
      return (animals.showable, categories.showable)
    } changed: { animals, _ in
      animals.map(\.id)
    } success: { animals, categories in
      Action.ReloadSampleDataResult.success(animals: animals, categories: categories)
    } action: {
      .data(.persistentSession(.didReloadSampleData(result: $0)))
    }
  }
}
