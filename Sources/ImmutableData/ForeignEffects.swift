/// The effects of other processes' actions. They run there, and are kept here until they have
/// ended, so that they can run here if their process ends first.
///
/// An effect that runs twice takes effect once: the actions that it dispatches have ids that are
/// derived from the action that caused it (``ActionOrigin/nextActionID(of:)``), and only the first of
/// two actions with the same id is reduced.
struct ForeignEffects {
  struct Entry: Sendable {
    /// The process where it runs.
    let node: String
    /// Whether the state says that it has not ended.
    let isWanted: @MainActor @Sendable () -> Bool
    let run: @MainActor @Sendable () -> Void
  }

  private struct Kept {
    let entry: Entry
    let bytes: Int
    let added: ContinuousClock.Instant
  }

  /// Newest last. Bounded by ``limit``: the oldest are dropped, and no process runs them if their
  /// own process ends.
  private var entries: [Kept] = []
  /// The size of the entries, in bytes.
  private(set) var bytes = 0
  private static let limit = 64 << 20

  var count: Int { self.entries.count }

  /// - Parameters:
  ///   - bytes: The size of the action, which the effect may hold.
  ///   - age: The time since the action, in which the effect may have ended.
  /// - Complexity: O(1), amortised.
  mutating func add(_ entry: Entry, bytes: Int, age: Duration = .zero) {
    let kept = Kept(entry: entry, bytes: bytes + 1_024, added: .now - age)
    self.entries.append(kept)
    self.bytes += kept.bytes
    guard self.bytes > Self.limit else { return }
    // In batches, because each removal moves the remaining entries.
    var count = 0
    while self.bytes > Self.limit / 2 {
      self.bytes -= self.entries[count].bytes
      count += 1
    }
    self.entries.removeFirst(count)
  }

  /// The processes with effects that have not ended.
  ///
  /// - Parameter age: An effect that has not ended by then never will.
  /// - Complexity: O(n), n effects.
  @MainActor mutating func nodes(forgetting age: Duration) -> Set<String> {
    let oldest = ContinuousClock.now - age
    self.remove { $0.added < oldest || $0.entry.isWanted() == false }
    return Set(self.entries.map(\.entry.node))
  }

  /// The effects of a process, which are no longer kept.
  mutating func take(of node: String) -> [Entry] {
    defer { self.remove { $0.entry.node == node } }
    return self.entries.map(\.entry).filter { $0.node == node }
  }

  private mutating func remove(where isGone: (Kept) -> Bool) {
    self.entries.removeAll(where: isGone)
    self.bytes = self.entries.reduce(0) { $0 + $1.bytes }
  }
}
