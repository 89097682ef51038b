import DatabaseFiles
import Foundation

// Every mutation is a transaction.
extension LocalStore: PersistentSessionLocalStore {
  /// - Throws: ``LocalStoreError``; `invalidRow` names the first quake that cannot be read.
  /// - Complexity: O(n), n quakes.
  public func fetchLocalQuakesQuery() async throws -> [Quake] {
    try await self.file.read { try DatabaseTable.quakes.values($0) }
  }

  /// What is inserted or updated replaces what has its id, so that a store which had missed something
  /// has it now.
  ///
  /// - Complexity: O(k log n), k quakes that are given, n that are there.
  public func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    guard inserted.isEmpty == false || updated.isEmpty == false || deleted.isEmpty == false else {
      return
    }
    try await self.file.write { database in
      try DatabaseTable.quakes.save(database, inserted + updated)
      for quake in inserted { try DeletedQuakes.forget(database, id: quake.id) }
      for quake in deleted { try DatabaseTable.quakes.delete(database, id: quake.id) }
    }
  }

  public func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.file.write { database in
      try DeletedQuakes.remember(database, id: quakeId, at: .now)
      try DatabaseTable.quakes.delete(database, id: quakeId)
    }
  }

  public func deleteLocalQuakesMutation() async throws {
    try await self.file.write { database in
      try DeletedQuakes.rememberAll(database, at: .now)
      try DatabaseTable.quakes.deleteAll(database)
    }
  }

  /// - Complexity: O(n), n quakes that were deleted and that a feed can still have.
  public func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> {
    try await self.file.read { try DeletedQuakes.ids($0) }
  }

  /// What other programs write to the file shows within half a second. Only one task at a time may
  /// follow a store.
  public func followChanges(_ body: @Sendable () async throws -> Void) async throws {
    try await self.file.followForeignCommits(body)
  }
}
