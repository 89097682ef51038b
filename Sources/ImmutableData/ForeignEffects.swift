/// The effects of actions of other processes, which run there: kept until they have ended, so that they
/// can run here if their process ends first.
///
/// What ran twice has happened once: what an effect dispatches is named after the action that caused it
/// (``ActionOrigin/nextActionID()``), and of two actions with a name only the first is reduced.
struct ForeignEffects {
  struct Entry: Sendable {
    /// The process where it runs.
    let node: String
    /// Whether it has not ended, as far as the state says.
    let isWanted: @MainActor @Sendable () -> Bool
    let run: @MainActor @Sendable () -> Void
  }

  private struct Kept {
    let entry: Entry
    let bytes: Int
    let added: ContinuousClock.Instant
  }

  /// Newest last. Bounded by ``limit``: the oldest are forgotten, and nobody runs them if their process
  /// ends.
  private var entries: [Kept] = []
  /// What they hold, in bytes.
  private(set) var bytes = 0
  private static let limit = 64 << 20

  var count: Int { self.entries.count }

  /// - Parameter bytes: The size of the action, which the effect may hold.
  /// - Complexity: O(1), amortised.
  mutating func add(_ entry: Entry, bytes: Int) {
    let kept = Kept(entry: entry, bytes: bytes + 1_024, added: .now)
    self.entries.append(kept)
    self.bytes += kept.bytes
    guard self.bytes > Self.limit else { return }
    // In batches, because each moves what is kept.
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
