import ActionLogs
import ImmutableData
import Logging

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
      let answering = Task { try await self.makeWayWhenIdle(answer) }
      defer { answering.cancel() }
      try await self.configuration.clock.sleep(for: self.configuration.patience * 2)
      self.outgoing.pause = nil
    }
  }

  /// Waits for the operations of this server, then appends the answer.
  private func makeWayWhenIdle(_ answer: String) async throws {
    try await Task.sleep(for: Self.settling)
    while let lanes = self.configuration.lanes, lanes.waitingCount > 0 {
      try await Task.sleep(for: .milliseconds(20))
    }
    let entry = LogEntry(
      signal: answer,
      product: self.configuration.product,
      reducer: self.configuration.reducer,
      node: self.configuration.node
    )
    while true {
      do {
        _ = try await self.log.append([AppendRequest(entry)])
        return
      } catch let error as ActionLogError where error.code == .unavailable {
        try await Task.sleep(for: .milliseconds(100))
      } catch {
        guard Task.isCancelled == false else { return }
        self.configuration.logger.error(
          "The newer release was not told that this server makes way",
          metadata: ["error": "\(error)"])
        return
      }
    }
  }
}
