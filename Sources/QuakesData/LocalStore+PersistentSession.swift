import DatabaseFiles
import Foundation
import Logging

// Every mutation is a transaction.
extension LocalStore: PersistentSessionLocalStore {
  public nonisolated var hasForeignWriters: Bool { true }

  /// Rows that cannot be read as a quake are skipped and logged.
  ///
  /// - Throws: ``LocalStoreError``.
  /// - Complexity: O(n), n quakes.
  public func fetchLocalQuakesQuery() async throws -> [Quake] {
    try await self.file.readableValues(
      of: .quakes, self.logger, "Earthquakes in the database cannot be read and are skipped")
  }

  /// An inserted quake replaces the one with its id, if there is one. As in the guide, an updated
  /// quake is not saved if there is none: others have deleted it.
  ///
  /// - Complexity: O(k log n), k given quakes, n stored ones.
  public func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    guard inserted.isEmpty == false || updated.isEmpty == false || deleted.isEmpty == false else {
      return
    }
    try await self.file.write { database in
      try DatabaseTable.quakes.save(database, inserted)
      try DeletedQuakes.forget(database, inserted.lazy.map(\.id))
      for quake in updated { _ = try DatabaseTable.quakes.update(database, quake) }
      for quake in deleted { try DatabaseTable.quakes.delete(database, id: quake.id) }
    }
  }

  public func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.deleteLocalQuakesMutation(quakeIds: [quakeId])
  }

  /// All or none are deleted.
  ///
  /// - Complexity: O(k log n), k given quakes, n stored ones.
  public func deleteLocalQuakesMutation(quakeIds: Set<Quake.ID>) async throws {
    try await self.file.write { database in
      try DeletedQuakes.remember(database, quakeIds, at: .now)
      for quakeId in quakeIds { try DatabaseTable.quakes.delete(database, id: quakeId) }
    }
  }

  public func deleteLocalQuakesMutation() async throws {
    try await self.file.write { database in
      try DeletedQuakes.rememberAll(database, at: .now)
      try DatabaseTable.quakes.deleteAll(database)
    }
  }

  /// - Complexity: O(n), n deleted quakes that a feed can still contain.
  public func fetchDeletedQuakesQuery() async throws -> Set<Quake.ID> {
    try await self.file.read { try DeletedQuakes.ids($0) }
  }

  /// Changes by other programs are noticed within half a second. Only one task at a time may follow
  /// a store.
  public func followChanges(
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    try await self.file.followForeignCommits(onFollowing: onFollowing, body)
  }
}
