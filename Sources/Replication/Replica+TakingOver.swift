import ActionLogs
import ImmutableData

// Making way for a newer release.
extension Replica {
  /// The time in which other servers learn of an announcement, and this one of their last posts.
  private static var settling: Duration { .milliseconds(300) }

  /// A newer release waits to take over. Refuses posts from now on, and says when no operation waits
  /// any more, because none can end after the barrier. If the barrier does not come, posts go on.
  ///
  /// - Parameter answer: The id of the entry that says so.
  func makeWay(_ answer: String) {
    self.makingWay?.cancel()
    self.outgoing.pause = ReplicaError(code: .away, message: "A newer release is taking over.")
    self.makingWay = Task {
      defer { if Task.isCancelled == false { self.outgoing.pause = nil } }
      let deadline = ContinuousClock.now + self.configuration.patience * 2
      try await Task.sleep(for: Self.settling)
      while let lanes = self.configuration.lanes, lanes.waitingCount > 0 {
        guard ContinuousClock.now < deadline else { return }
        try await Task.sleep(for: .milliseconds(20))
      }
      let entry = LogEntry(
        signal: answer,
        product: self.configuration.product,
        reducer: self.configuration.reducer,
        node: self.configuration.node
      )
      try await self.persistently(until: deadline) {
        _ = try await self.log.append([AppendRequest(entry)])
      }
      try await Task.sleep(until: deadline, clock: .continuous)
    }
  }
  /// Tries again while the log is unavailable.
  private func persistently(
    until deadline: ContinuousClock.Instant,
    _ work: () async throws -> Void
  ) async throws {
    while true {
      do {
        return try await work()
      } catch let error as ActionLogError
        where error.code == .unavailable && ContinuousClock.now < deadline
      {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }
}
