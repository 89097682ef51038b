import ActionLogs
import Foundation

/// The entry in a log that separates the entries of one reducer from those of the next.
///
/// The first server of a newer release appends it. From then on the log accepts no entries of the
/// older release, and each server of that release saves a snapshot of the state before the barrier
/// and ends. The newer release starts from that snapshot, so two reducers never reduce the same
/// entry.
struct Barrier {
  private static let prefix = "barrier/"

  let entry: LogEntry

  /// The same for all servers of a release, so that there is only one barrier.
  init(product: String, reducer: Int, node: String) {
    self.entry = LogEntry(
      id: "\(Self.prefix)\(product)/\(reducer)",
      product: product,
      reducer: reducer,
      node: node,
      payload: Data()
    )
  }

  static func isBarrier(_ entry: LogEntry) -> Bool {
    entry.payload.isEmpty && entry.id.hasPrefix(Self.prefix)
  }

  /// Appends it, and waits for the snapshot of the state before it.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - limit: How long to wait.
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if there is a newer release, or
  ///   no server of the older one that could keep a snapshot.
  func cross(_ log: any ActionLog, within limit: Duration) async throws -> LogSnapshot {
    guard let sequence = try await log.append([AppendRequest(self.entry)]).first?.sequence else {
      throw ReplicaError.outdated(reducer: self.entry.reducer)
    }
    let deadline = ContinuousClock.now + limit
    var isFirst = true
    while true {
      // If there are no entries between the newest snapshot and the barrier, that snapshot is the
      // one. Otherwise a server of the older release saves one at the barrier.
      let isSaved = try await log.digest(ofSnapshot: sequence) != nil
      if isFirst || isSaved,
        let snapshot = try await log.newestSnapshot(), snapshot.sequence + 1 >= sequence
      {
        return snapshot
      }
      isFirst = false
      guard ContinuousClock.now < deadline else {
        throw ReplicaError(
          code: .stopped,
          message: "No server of the older release has saved a snapshot. If one was running, its "
            + "last messages say why. Start one, which then stops by itself, and then this one again."
        )
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
