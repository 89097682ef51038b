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
  private struct Contents {
    var count = 0
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  /// The newest effect of each lane.
  private var newest: [String: Task<Void, Never>] = [:]
  private nonisolated let contents = Mutex(Contents())

  public nonisolated init() {}

  /// How many effects have not ended.
  public nonisolated var count: Int {
    self.contents.withLock { $0.count }
  }

  /// Begins an effect.
  ///
  /// - Parameters:
  ///   - lane: What it waits for: the effects that were begun before in the same lane; `nil`: none.
  ///   - effect: Deals with its own errors.
  /// - Complexity: O(1).
  public func run(in lane: String? = nil, _ effect: @escaping @Sendable () async -> Void) {
    self.contents.withLock { $0.count += 1 }
    let before = lane.flatMap { self.newest[$0] }
    let task = Task {
      await before?.value
      await effect()
      self.didEnd()
    }
    if let lane {
      self.newest[lane] = task
    }
  }

  /// Waits until no effect is under way.
  public nonisolated func finish() async {
    await withCheckedContinuation { continuation in
      let isIdle = self.contents.withLock { contents in
        if contents.count > 0 { contents.waiting.append(continuation) }
        return contents.count == 0
      }
      if isIdle { continuation.resume() }
    }
  }

  private nonisolated func didEnd() {
    let waiting = self.contents.withLock { contents in
      contents.count -= 1
      guard contents.count == 0 else { return [CheckedContinuation<Void, Never>]() }
      defer { contents.waiting = [] }
      return contents.waiting
    }
    for continuation in waiting {
      continuation.resume()
    }
  }
}
