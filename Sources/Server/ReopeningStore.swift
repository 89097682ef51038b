import AnimalsData
import DatabaseFiles
import Dispatch
import Foundation
import QuakesData
import Synchronization

/// A local store that may not be available yet. While it cannot be opened for a temporary reason (a
/// folder that is not writable, a lock, a full disk), each operation tries again to open it and
/// fails with that reason. The rest of the server works.
final class ReopeningStore<LocalStore: Sendable>: Sendable {
  private let openStore: @Sendable () throws -> LocalStore
  private let check: @Sendable (LocalStore) throws -> Void
  private let store: Mutex<LocalStore?>
  /// The tasks that wait until the store is open; `nil` once it is. Bounded by the number of tasks
  /// that follow changes.
  private let waiting = Mutex<Set<AsyncStream<Never>.Continuation>?>([])
  /// Where operations open the store. That may wait for a lock or a disk, so it must not block threads
  /// of Swift's pool.
  private let opening = DispatchQueue(label: "ReopeningStore.opening")
  private let checking: DiskCheck
  /// The temporary reason why the store could not be opened at first.
  let firstObstacle: String?

  /// - Parameters:
  ///   - open: Opens the store.
  ///   - patience: How long to wait for a check, longer than for a lock (2 s).
  ///   - check: Throws if the open store has lost its files.
  /// - Throws: If it cannot be opened for a reason that is not temporary.
  init(
    _ open: @escaping @Sendable () throws -> LocalStore,
    patience: Duration = .seconds(5),
    check: @escaping @Sendable (LocalStore) throws -> Void = { _ in }
  ) throws {
    self.openStore = open
    self.checking = DiskCheck(patience: patience)
    self.check = check
    do {
      self.store = Mutex(try open())
      self.firstObstacle = nil
      self.didOpen()
    } catch let error as LocalStoreError where error.mayPass {
      self.store = Mutex(nil)
      self.firstObstacle = error.message
    }
  }

  /// Why the store cannot be used; `nil` if it can. Tries to open it, unless that is in progress.
  var obstacle: String? {
    get async { await self.checking.obstacle { self.obstacleNow } }
  }

  private var obstacleNow: String? {
    do {
      let isOpen = self.waiting.withLock { $0 == nil }
      let opened =
        try isOpen ? self.openNow() : self.store.withLockIfAvailable { try self.open(&$0) }
      guard let opened else { return "It is being opened." }
      // Without the lock: the check may wait for a disk, and operations need not wait for the check.
      try self.check(opened)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Closes the store if it was opened.
  func close(_ close: (LocalStore) throws -> Void) throws {
    try self.store.withLock(\.self).map(close)
  }

  private func open() async throws -> LocalStore {
    if let store = self.store.withLockIfAvailable(\.self) ?? nil { return store }
    return try await withCheckedThrowingContinuation { continuation in
      self.opening.async { continuation.resume(with: Result { try self.openNow() }) }
    }
  }

  private func openNow() throws -> LocalStore {
    try self.store.withLock { try self.open(&$0) }
  }

  private func open(_ store: inout LocalStore?) throws -> LocalStore {
    if let store { return store }
    let opened = try self.openStore()
    store = opened
    self.didOpen()
    return opened
  }

  private func didOpen() {
    let tasks = self.waiting.withLock { $0.take() }
    for task in tasks ?? [] { task.finish() }
  }

  /// Waits until an operation, or a check of ``obstacle``, has opened the store. Following changes
  /// does not open it, because each attempt may take seconds.
  private func opened() async throws -> LocalStore {
    // Each task has a stream of its own, because a cancellation ends a stream.
    let (stream, task) = AsyncStream<Never>.makeStream()
    let isOpen = self.waiting.withLock { waiting in
      waiting?.insert(task)
      return waiting == nil
    }
    if isOpen { task.finish() }
    defer { self.waiting.withLock { _ = $0?.remove(task) } }
    for await _ in stream {}
    try Task.checkCancellation()
    return try await self.open()
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

  func restoreAnimalMutation(_ animal: Animal) async throws -> Animal {
    try await self.open().restoreAnimalMutation(animal)
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

  func updateAnimalMutation(
    _ animal: Animal,
    changes: Animal.Changes
  ) async throws -> Animal {
    try await self.open().updateAnimalMutation(animal, changes: changes)
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.open().deleteAnimalMutation(animalId: animalId)
  }

  func markAnimalMutation(animalId: String, mark: Animal.Mark) async throws -> Animal {
    try await self.open().markAnimalMutation(animalId: animalId, mark: mark)
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

  func followChanges(
    since version: String?,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (CatalogueEvent) async throws -> Void
  ) async throws {
    try await self.opened().followChanges(since: version, onFollowing: onFollowing, body)
  }
}

extension ReopeningStore where LocalStore == AnimalsData.LocalStore<Foundation.UUID> {
  /// Returns those of these pictures that an animal has.
  func picturesInUse(among hashes: Set<String>) async throws -> Set<String> {
    try await self.open().picturesInUse(among: hashes)
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

  func deleteLocalQuakesMutation(quakeIds: Set<Quake.ID>) async throws {
    try await self.open().deleteLocalQuakesMutation(quakeIds: quakeIds)
  }

  func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> {
    try await self.open().fetchDeletedQuakesQuery()
  }

  func followChanges(
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    try await self.opened().followChanges(onFollowing: onFollowing, body)
  }
}

extension LocalStoreError {
  /// Whether the reason may go away without a change to the file.
  fileprivate var mayPass: Bool {
    [.missing, .locked, .notWritable, .diskFull, .inputOutput].contains(self.code)
  }
}
