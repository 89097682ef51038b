import ActionLogs
import ImmutableData
import Logging

// Joining anew.
extension Replica {
  /// Continues with the newest snapshot, because this server was cut off until entries that it needs
  /// were removed from the log. Pages can be read meanwhile, and say that they may be out of date.
  ///
  /// The effects of the entries between are not known here. Those of other servers that have not ended
  /// by then never will, because entries are kept for longer.
  ///
  /// - Parameter error: The log's error.
  /// - Throws: `error` if the log has no snapshot that is newer than the state; `ActionLogError`;
  ///   ``ReplicaError`` with code `stopped` if the snapshot is not for this release.
  func joinAnew(because error: ActionLogError) async throws {
    self.setStatus(.away(error.message))
    guard let start = try await self.newerStart() else { throw error }
    // An append may have been the reason to read the log meanwhile.
    guard start.sequence > self.position.folded else { return }
    self.store.skip(to: start.state, version: start.sequence)
    self.outgoing.skip(to: start.sequence, start.decisions)
    self.position.didFold(start.sequence)
    self.configuration.logger.warning(
      "The log does not have the next entries any more. This server continues with a snapshot",
      metadata: ["snapshot": "\(start.sequence)"])
  }

  /// - Returns: `nil` if there is no newer snapshot.
  @concurrent private nonisolated func newerStart() async throws -> Start? {
    guard self.configuration.coding != nil, let newest = try await self.log.newestSnapshot(),
      newest.sequence > self.position.folded
    else { return nil }
    try await Self.check(newest, self.log, self.configuration)
    return try Start(newest, self.configuration, orElse: self.initialState)
  }
}
