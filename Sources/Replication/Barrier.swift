import ActionLogs
import Foundation

/// Where the entries of one reducer end in a log, and those of the next begin.
///
/// The first server of a newer release appends it. From then on the log takes no entry of the older
/// release, and each of its servers keeps a snapshot of the state before the barrier and ends. The newer
/// release begins with that: so no entry is reduced by two reducers.
struct Barrier {
  private static let prefix = "barrier/"

  let entry: LogEntry

  /// The same for all servers of a release, so that there is one.
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
    while true {
      // Without entries between the newest snapshot and the barrier it is that.
      if let snapshot = try await log.newestSnapshot(), snapshot.sequence + 1 >= sequence {
        return snapshot
      }
      guard ContinuousClock.now < deadline else {
        throw ReplicaError(
          code: .stopped,
          message: "No server of the older release is there to keep a snapshot. Start one of them, "
            + "which then ends by itself, and this one again."
        )
      }
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}
