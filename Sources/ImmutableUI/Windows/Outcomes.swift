/// How the effects of submissions have ended.
///
/// What a store says of an effect may be about a later one by the next action, so every state since the
/// submission is looked at, and the first word that is not waiting is kept. (The store's log bounds how
/// far back one can look; frames look far more often.)
///
/// It remembers the newest 4,096.
struct Outcomes {
  private struct Pending {
    let store: StoreSource
    let effect: ProvidedPage.Effect
    /// Up to where it was looked at.
    var version: UInt64
  }

  private static let limit = 4_096

  private var pending: [String: Pending] = [:]
  private var ended: [String: EffectStatus] = [:]
  private var order: [String] = []

  /// How a submission's effect has ended; `.waiting` if it has not, `nil` if nobody knows.
  subscript(name: String) -> EffectStatus? {
    self.pending[name] == nil ? self.ended[name] : .waiting
  }

  mutating func add(
    _ submission: AcceptedSubmission, _ store: StoreSource, _ effect: @escaping ProvidedPage.Effect
  ) {
    self.pending[submission.name] = Pending(
      store: store,
      effect: effect,
      version: submission.version
    )
  }

  /// Looks at what has happened since the last time.
  ///
  /// - Returns: The submissions that have ended with success.
  /// - Complexity: O(p * a), p effects under way, a actions since.
  mutating func update() -> [String] {
    var succeeded: [String] = []
    for (name, pending) in self.pending {
      let (version, snapshot) = pending.store.snapshot()
      let status = pending.effect(snapshot, pending.version)
      if status == .waiting {
        self.pending[name]?.version = version
      } else {
        self.pending[name] = nil
        self.remember(name, status)
        if status == .success { succeeded.append(name) }
      }
    }
    return succeeded
  }

  private mutating func remember(_ name: String, _ status: EffectStatus) {
    self.ended[name] = status
    self.order.append(name)
    // In batches, since what is removed from the front moves the rest.
    guard self.order.count >= 2 * Self.limit else { return }
    for old in self.order.prefix(Self.limit) {
      self.ended[old] = nil
    }
    self.order.removeFirst(Self.limit)
  }
}
