import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport

@testable import AnimalsData

extension AnimalsState {
  /// A state with these values, each under its own id.
  static func make(
    categories: [Category] = [],
    categoriesStatus: Status? = nil,
    animals: [Animal] = [],
    animalsStatus: Status? = nil,
    queue: TreeDictionary<Animal.ID, Status> = [:]
  ) -> Self {
    Self(
      categories: Categories(
        data: TreeDictionary(uniqueKeysWithValues: categories.map { ($0.id, $0) }),
        status: categoriesStatus
      ),
      animals: Animals(
        data: TreeDictionary(uniqueKeysWithValues: animals.map { ($0.id, $0) }),
        status: animalsStatus,
        queue: queue
      )
    )
  }

  /// Everything has been fetched, and nothing is under way.
  static var fetched: Self {
    .make(
      categories: Category.samples,
      categoriesStatus: .success,
      animals: Animal.samples,
      animalsStatus: .success
    )
  }

  /// This state with operations under way.
  func waiting(_ animalIds: Animal.ID...) -> Self {
    var state = self
    for animalId in animalIds { state.animals.queue[animalId] = .waiting }
    return state
  }
}

extension Animal {
  static func make(
    _ animalId: String = "Cat",
    name: String = "Cat",
    diet: Diet = .carnivorous,
    categoryId: String = "Mammal"
  ) -> Self {
    Self(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
  }
}

/// What a store can be asked for.
enum StoreCall: Hashable, Sendable {
  case fetchAnimals
  case fetchCategories
  case add(name: String, diet: Animal.Diet, categoryId: String)
  case update(animalId: String, name: String, diet: Animal.Diet, categoryId: String)
  case delete(animalId: String)
  case reload
}

/// Why a store double refused.
struct StoreError: LocalizedError, Hashable {
  let call: StoreCall

  var errorDescription: String? {
    "The store refused \(self.call)"
  }
}

/// A store that refuses whatever it is asked; a test overrides what it uses.
struct StoreDouble: PersistentSessionPersistentStore {
  enum Entry: Hashable, Sendable {
    case began(StoreCall)
    case ended(StoreCall)
  }

  let transcript = Transcript<Entry>()

  var hasForeignWriters = false
  var fetchAnimals: @Sendable () async throws -> [Animal] = {
    throw StoreError(call: .fetchAnimals)
  }
  var fetchCategories: @Sendable () async throws -> [Category] = {
    throw StoreError(call: .fetchCategories)
  }
  var add: @Sendable (_ name: String, Animal.Diet, _ categoryId: String) async throws -> Animal = {
    throw StoreError(call: .add(name: $0, diet: $1, categoryId: $2))
  }
  var update: @Sendable (_ animal: Animal) async throws -> Animal = {
    throw StoreError(
      call: .update(animalId: $0.id, name: $0.name, diet: $0.diet, categoryId: $0.categoryId)
    )
  }
  var delete: @Sendable (_ animalId: String) async throws -> Animal = {
    throw StoreError(call: .delete(animalId: $0))
  }
  var reload: @Sendable () async throws -> (animals: [Animal], categories: [Category]) = {
    throw StoreError(call: .reload)
  }

  /// Everything that it was asked, in the order in which it was.
  var calls: [StoreCall] {
    self.transcript.entries.compactMap { if case .began(let call) = $0 { call } else { nil } }
  }

  func fetchAnimalsQuery() async throws -> [Animal] {
    try await self.record(.fetchAnimals) { try await self.fetchAnimals() }
  }

  func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.record(.add(name: name, diet: diet, categoryId: categoryId)) {
      try await self.add(name, diet, categoryId)
    }
  }

  func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.record(
      .update(animalId: animalId, name: name, diet: diet, categoryId: categoryId)
    ) {
      try await self.update(.make(animalId, name: name, diet: diet, categoryId: categoryId))
    }
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.record(.delete(animalId: animalId)) { try await self.delete(animalId) }
  }

  func fetchCategoriesQuery() async throws -> [Category] {
    try await self.record(.fetchCategories) { try await self.fetchCategories() }
  }

  func reloadSampleDataMutation() async throws -> (
    animals: [Animal], categories: [Category]
  ) {
    try await self.record(.reload) { try await self.reload() }
  }

  private func record<Value>(
    _ call: StoreCall,
    _ work: () async throws -> Value
  ) async throws -> Value {
    self.transcript.append(.began(call))
    defer { self.transcript.append(.ended(call)) }
    // So that another call gets in between if it can.
    await Task.yield()
    let value = try await work()
    await Task.yield()
    return value
  }
}

extension StoreDouble {
  /// A store that has the sample data, and does what it is asked.
  static var obliging: Self {
    var store = Self()
    store.fetchAnimals = { Animal.samples }
    store.fetchCategories = { Category.samples }
    store.add = { name, diet, categoryId in
      .make("id of \(name)", name: name, diet: diet, categoryId: categoryId)
    }
    store.update = { $0 }
    store.delete = { animalId in Animal.samples.first { $0.id == animalId } ?? .make(animalId) }
    store.reload = { (Animal.samples, Category.samples) }
    return store
  }

  /// Like ``obliging``, but its fetch of categories ends only when it is cancelled.
  static func hanging(begun: Gate, cancelled: Gate) -> Self {
    var store = Self.obliging
    store.fetchCategories = {
      begun.open()
      await withTaskCancellationHandler {
        await cancelled.wait()
      } onCancel: {
        cancelled.open()
      }
      return []
    }
    return store
  }
}
