import ActionLogs
import Foundation

/// The entry in a log that separates the entries of one reducer from those of the next.
///
/// The first server of a newer release appends it. From then on the log accepts no entries of the
/// older release, and each server of that release saves a snapshot of the state before the barrier
/// and ends. The newer release starts from that snapshot, so two reducers never reduce the same
/// entry.
///
/// Operations that the older release has not finished by then are lost. So the newer one first
/// announces the barrier: the older servers refuse posts, and say when no operation waits any more.
struct Barrier {
  private static let prefix = "barrier/"
  private static let announced = "barrier/announced/"
  private static let ready = "barrier/ready/"

  let entry: LogEntry
  /// Distinguishes the attempts of different processes.
  private let attempt: String

  /// Its id is the same for all servers of a release, so that there is only one barrier.
  init<State>(_ configuration: ReplicaConfiguration<State>) {
    let (product, reducer) = (configuration.product, configuration.reducer)
    self.attempt = "\(product)/\(reducer)/\(configuration.node)"
    self.entry = LogEntry(
      signal: "\(Self.prefix)\(product)/\(reducer)",
      product: product,
      reducer: reducer,
      node: configuration.node
    )
  }

  /// Whether it is a barrier, or belongs to one.
  static func isBarrier(_ entry: LogEntry) -> Bool {
    entry.payload.isEmpty && entry.id.hasPrefix(Self.prefix)
  }

  /// The id of the answer to an announcement; `nil` if the entry is not one.
  ///
  /// - Parameter id: The id of an entry for which ``isBarrier(_:)`` is true.
  static func answer(to id: String) -> String? {
    id.hasPrefix(Self.announced) ? Self.ready + id.dropFirst(Self.announced.count) : nil
  }

  /// Appends it, unless it is there, and waits for the snapshot of the state before it.
  ///
  /// - Parameters:
  ///   - log: The log.
  ///   - older: The reducer of the release before, if its servers may be running.
  ///   - patience: How long to wait for the older servers to finish their operations.
  ///   - limit: How long to wait for the snapshot.
  /// - Returns: The snapshot.
  /// - Throws: `ActionLogError`, or ``ReplicaError`` with code `stopped` if there is a newer release, or
  ///   no server of the older one that could keep a snapshot.
  func cross(
    _ log: any ActionLog,
    from older: Int?,
    patience: Duration,
    within limit: Duration
  ) async throws -> LogSnapshot {
    if let older, try await log.sequence(ofEntry: self.entry.id) == nil {
      try await self.announce(to: older, log, patience)
    }
    let answer = try await log.append([AppendRequest(self.entry)]).first
    guard let answer, let sequence = answer.sequence else {
      throw ReplicaError.outdated(reducer: self.entry.reducer)
    }
    let deadline = ContinuousClock.now + limit
    var isFirstLook = true
    while true {
      // If there are no entries between the newest snapshot and the barrier, that snapshot is the
      // one. Otherwise a server of the older release saves one at the barrier.
      let isSaved = try await log.digest(ofSnapshot: sequence) != nil
      if isFirstLook || isSaved,
        let snapshot = try await log.newestSnapshot(), snapshot.sequence + 1 >= sequence
      {
        return snapshot
      }
      isFirstLook = false
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

  /// Returns when an older server has said that no operation waits, or when the time is over.
  private func announce(to older: Int, _ log: any ActionLog, _ patience: Duration) async throws {
    let deadline = ContinuousClock.now + patience
    let announcement = LogEntry(
      signal: Self.announced + self.attempt,
      product: self.entry.product,
      reducer: older,
      node: self.entry.node
    )
    guard try await log.append([AppendRequest(announcement)]).first?.sequence != nil,
      let answer = Self.answer(to: announcement.id)
    else { return }
    while ContinuousClock.now < deadline, try await log.sequence(ofEntry: answer) == nil {
      try await Task.sleep(for: .milliseconds(50))
    }
  }
}

extension LogEntry {
  /// An entry without an action, for the servers themselves.
  init(signal id: String, product: String, reducer: Int, node: String) {
    self.init(id: id, product: product, reducer: reducer, node: node, payload: Data())
  }
}
