import AnimalsData
import Foundation
import Synchronization

/// A local store that may not be there yet: while it cannot be opened for a reason that can pass (a
/// folder that is not writable, a lock, a full disk), each operation tries again and fails with that
/// reason, and the rest of the server works.
final class ReopeningStore: PersistentSessionPersistentStore {
  private let url: URL
  private let store: Mutex<LocalStore<UUID>?>

  /// - Throws: When the file cannot be opened for a reason that does not pass.
  init(url: URL) throws {
    self.url = url
    do {
      self.store = Mutex(try LocalStore<UUID>(url: url))
    } catch let error as LocalStoreError where error.mayPass {
      self.store = Mutex(nil)
    }
  }

  /// Whether it could be opened until now.
  var isOpen: Bool {
    self.store.withLock { $0 != nil }
  }

  func close() throws {
    try self.store.withLock { try $0?.close() }
  }

  private func open() throws -> LocalStore<UUID> {
    try self.store.withLock { store in
      if let store { return store }
      let opened = try LocalStore<UUID>(url: self.url)
      store = opened
      return opened
    }
  }
}

extension ReopeningStore {
  func fetchAnimalsQuery() async throws -> [Animal] {
    try await self.open().fetchAnimalsQuery()
  }

  func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.open().addAnimalMutation(name: name, diet: diet, categoryId: categoryId)
  }

  func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    try await self.open().updateAnimalMutation(
      animalId: animalId,
      name: name,
      diet: diet,
      categoryId: categoryId
    )
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.open().deleteAnimalMutation(animalId: animalId)
  }

  func fetchCategoriesQuery() async throws -> [AnimalsData.Category] {
    try await self.open().fetchCategoriesQuery()
  }

  func reloadSampleDataMutation() async throws -> (
    animals: [Animal],
    categories: [AnimalsData.Category]
  ) {
    try await self.open().reloadSampleDataMutation()
  }
}

extension LocalStoreError {
  /// Whether it may be otherwise in a while, with nothing done to the file.
  fileprivate var mayPass: Bool {
    [.locked, .notWritable, .diskFull, .inputOutput].contains(self.code)
  }
}
