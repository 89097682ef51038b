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

  /// Newest last. Bounded by ``limit``.
  private var entries: [(entry: Entry, added: ContinuousClock.Instant)] = []
  /// As many as a server lets be under way.
  private static let limit = 10_000

  /// - Complexity: O(1), amortised.
  mutating func add(_ entry: Entry) {
    self.entries.append((entry, .now))
    guard self.entries.count >= 2 * Self.limit else { return }
    self.entries.removeFirst(Self.limit)
  }

  /// The processes with effects that have not ended.
  ///
  /// - Parameter age: An effect that has not ended by then never will.
  /// - Complexity: O(n), n effects.
  @MainActor mutating func nodes(forgetting age: Duration) -> Set<String> {
    let oldest = ContinuousClock.now - age
    self.entries.removeAll { $0.added < oldest || $0.entry.isWanted() == false }
    return Set(self.entries.map(\.entry.node))
  }

  /// The effects of a process, which are no longer kept.
  mutating func take(of node: String) -> [Entry] {
    defer { self.entries.removeAll { $0.entry.node == node } }
    return self.entries.map(\.entry).filter { $0.node == node }
  }
}
