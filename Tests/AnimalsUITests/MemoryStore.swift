import AnimalsData
import Foundation

/// A store in memory whose operations a test can hold up and fail.
actor MemoryStore: PersistentSessionPersistentStore {
  struct Failure: LocalizedError {
    var errorDescription: String? { "the disk is full" }
  }

  private(set) var animals: [String: Animal]
  private var count = 0
  private var isHeld = false
  private var held: [CheckedContinuation<Void, Never>] = []
  private var arrivals: [CheckedContinuation<Void, Never>] = []
  var failure: (any Error)?
  private(set) var fetches = 0

  init(_ animals: [Animal] = [.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt]) {
    self.animals = Dictionary(uniqueKeysWithValues: animals.map { ($0.id, $0) })
  }

  func fail(_ failure: (any Error)? = Failure()) {
    self.failure = failure
  }

  /// From now on operations wait until they are released.
  func hold() {
    self.isHeld = true
  }

  /// Waits until an operation waits.
  func arrival() async {
    guard self.held.isEmpty else { return }
    await withCheckedContinuation { self.arrivals.append($0) }
  }

  func release() {
    self.isHeld = false
    for continuation in self.held { continuation.resume() }
    self.held = []
  }

  /// What somebody else does in the same store.
  func change(_ animal: Animal) {
    self.animals[animal.id] = animal
  }

  private func operate() async throws {
    if self.isHeld {
      for arrival in self.arrivals { arrival.resume() }
      self.arrivals = []
      await withCheckedContinuation { self.held.append($0) }
    }
    if let failure = self.failure { throw failure }
  }
}

extension MemoryStore {
  func fetchAnimalsQuery() async throws -> [Animal] {
    self.fetches += 1
    try await self.operate()
    return Array(self.animals.values)
  }

  func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.operate()
    self.count += 1
    let animal = Animal.make("new-\(self.count)", name, diet, categoryId)
    self.animals[animal.id] = animal
    return animal
  }

  func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.operate()
    let changes = Animal.Changes(name: name, diet: diet, categoryId: categoryId)
    let animal = (self.animals[animalId] ?? .make(animalId)).with(changes)
    self.animals[animalId] = animal
    return animal
  }

  func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    try await self.operate()
    guard let animal = self.animals[animalId]?.with(mark) else { throw Failure() }
    self.animals[animalId] = animal
    return animal
  }

  func restoreAnimalMutation(_ animal: Animal) async throws -> Animal {
    try await self.operate()
    self.animals[animal.id] = animal
    return animal
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.operate()
    guard let animal = self.animals.removeValue(forKey: animalId) else { throw Failure() }
    return animal
  }

  func fetchCategoriesQuery() async throws -> [AnimalsData.Category] {
    self.fetches += 1
    try await self.operate()
    return [.amphibian, .bird, .fish, .invertebrate, .mammal, .reptile]
  }

  func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [AnimalsData.Category]
  ) {
    try await self.operate()
    let animals = [Animal.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt]
    self.animals = Dictionary(uniqueKeysWithValues: animals.map { ($0.id, $0) })
    return (animals, [.amphibian, .bird, .fish, .invertebrate, .mammal, .reptile])
  }
}

extension Animal {
  static func make(
    _ id: String,
    _ name: String = "Otter",
    _ diet: Diet = .carnivorous,
    _ categoryId: String = "Mammal"
  ) -> Animal {
    Animal(animalId: id, name: name, diet: diet, categoryId: categoryId)
  }
}
