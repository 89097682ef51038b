import DatabaseFiles

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
      for quake in deleted { try DatabaseTable.quakes.delete(database, id: quake.id) }
    }
  }

  public func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.file.write { try DatabaseTable.quakes.delete($0, id: quakeId) }
  }

  public func deleteLocalQuakesMutation() async throws {
    try await self.file.write { try DatabaseTable.quakes.deleteAll($0) }
  }

  /// What other programs write to the file shows within half a second. Only one task at a time may
  /// follow a store.
  public func followChanges(_ body: @Sendable () async throws -> Void) async throws {
    try await self.file.followForeignCommits(body)
  }
}
