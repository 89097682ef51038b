import Synchronization

/// Runs side effects beside the stream of actions that calls for them, so that a slow one holds up
/// only what has to come after it.
///
/// Effects of one lane run one after the other, in the order in which they were begun; effects
/// without a lane, and those of different lanes, run beside each other.
///
/// ```swift
/// let lanes = EffectLanes()
/// lanes.run(in: "animals.write") { try await store.save(animal) }
/// lanes.run { try await store.fetchAll() }
/// ```
///
/// Nothing is dropped: ``count`` says how many have not ended, so that whoever lets new work in can
/// refuse it while there are too many (the server answers 503).
@MainActor public final class EffectLanes: Sendable {
  /// The newest effect of each lane.
  private var newest: [String: Task<Void, Never>] = [:]
  private nonisolated let underWay = Mutex(0)

  public nonisolated init() {}

  /// How many effects have not ended.
  public nonisolated var count: Int {
    self.underWay.withLock { $0 }
  }

  /// Begins an effect.
  ///
  /// - Parameters:
  ///   - lane: What it waits for: the effects that were begun before in the same lane; `nil`: none.
  ///     Names are remembered, so there should be few.
  ///   - effect: Deals with its own errors.
  /// - Complexity: O(1).
  public func run(in lane: String? = nil, _ effect: @escaping @Sendable () async -> Void) {
    self.underWay.withLock { $0 += 1 }
    let before = lane.flatMap { self.newest[$0] }
    let task = Task {
      await before?.value
      await effect()
      self.underWay.withLock { $0 -= 1 }
    }
    if let lane {
      self.newest[lane] = task
    }
  }
}
