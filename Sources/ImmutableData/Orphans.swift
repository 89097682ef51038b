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

  /// Returns how to end what waits in a state; `nil` when nobody listens to it any more.
  typealias Find = @MainActor () -> [Ending]?

  /// Of each listener that has not been released.
  private var finds: [ObjectIdentifier: Find] = [:]
  /// Since when something has been seen to wait. Bounded by what waits in the states.
  private var firstSeen: [String: ContinuousClock.Instant] = [:]

  mutating func watch(_ listener: AnyObject, _ find: @escaping Find) {
    self.finds[ObjectIdentifier(listener)] = find
  }

  /// - Parameter age: How long an effect may take.
  /// - Returns: How to end what has waited for longer.
  /// - Complexity: O(n), n statuses in the states.
  @MainActor mutating func endings(after age: Duration) -> [Ending] {
    var waiting: [Ending] = []
    for (listener, find) in self.finds {
      guard let found = find() else {
        self.finds[listener] = nil
        continue
      }
      waiting += found
    }
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
