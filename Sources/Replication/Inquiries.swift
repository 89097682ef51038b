import ActionLogs

/// What refused posts ask the log. Those that ask while it answers others are answered together, so
/// that a flood of refusals does not hold up whoever reads entries or extends leases on the same
/// connection.
@MainActor final class Inquiries {
  private let log: any ActionLog
  private let heads = Rounds<UInt64>()
  private let entries = Rounds<[String: UInt64]>()
  /// The ids that the next round asks for. One for each post that waits for it.
  private var ids: Set<String> = []

  init(_ log: any ActionLog) {
    self.log = log
  }

  /// The sequence of the newest entry that the log has after this call began.
  ///
  /// - Parameter sequence: The newest entry that is known.
  /// - Throws: `ActionLogError`.
  func head(after sequence: UInt64) async throws -> UInt64 {
    try await self.heads.join { try await self.log.page(after: sequence, limit: 1).head }
  }

  /// The sequence of an entry; `nil` if the log did not have it when this call began.
  ///
  /// - Throws: `ActionLogError`.
  func sequence(ofEntry id: String) async throws -> UInt64? {
    self.ids.insert(id)
    let found = try await self.entries.join {
      let ids = Array(self.ids)
      self.ids = []
      return try await self.log.sequences(ofEntries: ids)
    }
    return found[id]
  }

  /// A question that is asked once for all who wait for its answer.
  @MainActor private final class Rounds<Answer: Sendable> {
    /// The round that has begun last.
    private var last: Task<Answer, any Error>?
    /// The round that begins when the last one has ended.
    private var next: Task<Answer, any Error>?

    /// - Parameter ask: The same for all callers. It begins after this call.
    func join(_ ask: @escaping @MainActor () async throws -> Answer) async throws -> Answer {
      if let next { return try await next.value }
      let last = self.last
      let task = Task {
        _ = await last?.result
        (self.last, self.next) = (self.next, nil)
        return try await ask()
      }
      self.next = task
      return try await task.value
    }
  }
}
