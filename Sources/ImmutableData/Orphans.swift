/// What waits in a state for an effect that nobody runs any more: all processes that knew of it have
/// ended.
///
/// Nobody can tell from a state when something began to wait. So it is looked at again and again, and what
/// has waited for longer than any effect may take is ended.
struct Orphans {
  /// What ends something that waits, and is the same for as long as it does.
  struct Ending {
    let id: String
    let dispatch: @MainActor () throws -> Void
  }

  /// Since when something has been seen to wait. Bounded by what waits in the states.
  private var firstSeen: [String: ContinuousClock.Instant] = [:]

  /// - Parameters:
  ///   - waiting: How to end all that waits now.
  ///   - age: How long an effect may take.
  /// - Returns: What has waited for longer.
  /// - Complexity: O(n), n that wait.
  mutating func ended(among waiting: [Ending], after age: Duration) -> [Ending] {
    let now = ContinuousClock.now
    let ids = Set(waiting.map(\.id))
    self.firstSeen = self.firstSeen.filter { ids.contains($0.key) }
    return waiting.filter { ending in
      let since = self.firstSeen[ending.id] ?? now
      self.firstSeen[ending.id] = since
      return since + age < now
    }
  }
}
