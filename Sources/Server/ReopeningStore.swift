import AnimalsData
import DatabaseFiles
import Foundation
import QuakesData
import Synchronization

/// A local store that may not be there yet: while it cannot be opened for a reason that can pass (a
/// folder that is not writable, a lock, a full disk), each operation tries again and fails with that
/// reason, and the rest of the server works.
final class ReopeningStore<LocalStore: Sendable>: Sendable {
  private let openStore: @Sendable () throws -> LocalStore
  private let store: Mutex<LocalStore?>
  /// Why the store could not be opened at first, for a reason that can pass.
  let firstObstacle: String?

  /// - Parameter open: Opens the store.
  /// - Throws: When it cannot be opened for a reason that does not pass.
  init(_ open: @escaping @Sendable () throws -> LocalStore) throws {
    self.openStore = open
    do {
      self.store = Mutex(try open())
      self.firstObstacle = nil
    } catch let error as LocalStoreError where error.mayPass {
      self.store = Mutex(nil)
      self.firstObstacle = error.message
    }
  }

  /// Why the store cannot be opened; `nil` if it is open. It is tried again, unless it is just now.
  var obstacle: String? {
    let obstacle = self.store.withLockIfAvailable { store in
      do {
        _ = try self.open(&store)
        return String?.none
      } catch {
        return "\(error)"
      }
    }
    return obstacle ?? "It is being opened."
  }

  /// Ends work on the store, if it was opened.
  func close(_ close: (LocalStore) throws -> Void) throws {
    try self.store.withLock { try $0.map(close) }
  }

  private func open() throws -> LocalStore {
    try self.store.withLock { try self.open(&$0) }
  }

  private func open(_ store: inout LocalStore?) throws -> LocalStore {
    if let store { return store }
    let opened = try self.openStore()
    store = opened
    return opened
  }
}

extension ReopeningStore: PersistentSessionPersistentStore
where LocalStore: PersistentSessionPersistentStore {
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

extension ReopeningStore: PersistentSessionLocalStore
where LocalStore: PersistentSessionLocalStore {
  func fetchLocalQuakesQuery() async throws -> [Quake] {
    try await self.open().fetchLocalQuakesQuery()
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    try await self.open().didFetchRemoteQuakesMutation(
      inserted: inserted,
      updated: updated,
      deleted: deleted
    )
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.open().deleteLocalQuakeMutation(quakeId: quakeId)
  }

  func deleteLocalQuakesMutation() async throws {
    try await self.open().deleteLocalQuakesMutation()
  }
}

extension LocalStoreError {
  /// Whether it may be otherwise in a while, with nothing done to the file.
  fileprivate var mayPass: Bool {
    [.missing, .locked, .notWritable, .diskFull, .inputOutput].contains(self.code)
  }
}
