/// Operations that wait in a state for an effect that no process runs any more, because all
/// processes that knew about it have ended.
///
/// A state does not say when an operation began to wait. So the states are checked repeatedly, and
/// an operation that has waited for longer than any effect may take is ended.
struct Orphans {
  /// A way to end a waiting operation. Its id stays the same for as long as the operation waits.
  struct Ending {
    let id: String
    let dispatch: @MainActor () throws -> Void

    /// A short name that is the same in every process: FNV-1a of the id.
    var tag: String {
      let hash = self.id.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      return String(hash, radix: 16)
    }
  }

  /// Returns how to end each waiting operation in a state; `nil` when its listener has been
  /// released.
  typealias Find = @MainActor () -> [Ending]?

  /// One for each listener that has not been released.
  private var finds: [ObjectIdentifier: Find] = [:]
  /// When each waiting operation was first seen. Bounded by the operations that wait in the states.
  private var firstSeen: [String: ContinuousClock.Instant] = [:]

  mutating func watch(_ listener: AnyObject, _ find: @escaping Find) {
    self.finds[ObjectIdentifier(listener)] = find
  }

  /// - Parameter age: How long an effect may take.
  /// - Returns: How to end each operation that has waited for longer.
  /// - Complexity: O(n), n statuses in the states.
  @MainActor mutating func endings(after age: Duration) -> [Ending] {
    let waiting = self.waiting()
    let now = ContinuousClock.now
    let ids = Set(waiting.map(\.id))
    self.firstSeen = self.firstSeen.filter { ids.contains($0.key) }
    return waiting.filter { ending in
      let since = self.firstSeen[ending.id] ?? now
      self.firstSeen[ending.id] = since
      return since + age < now
    }
  }

  /// Counts an operation as one that has just begun to wait, so that it is not ended again before its
  /// end is reduced.
  mutating func postpone(_ ending: Ending) {
    self.firstSeen[ending.id] = .now
  }

  /// How to end each waiting operation.
  ///
  /// - Complexity: O(n), n statuses in the states.
  @MainActor mutating func waiting() -> [Ending] {
    var waiting: [Ending] = []
    for (listener, find) in self.finds {
      guard let found = find() else {
        self.finds[listener] = nil
        continue
      }
      waiting += found
    }
    return waiting
  }
}
