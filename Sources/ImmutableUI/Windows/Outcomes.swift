/// Tells what a submission does: equal actions are one operation, if they can be compared.
struct OperationID: Hashable, Sendable {
  private let value: any Sendable

  init(_ action: some Sendable, of submission: String) {
    self.value = action is any Hashable ? action : submission
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.value as? AnyHashable == rhs.value as? AnyHashable
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.value as? AnyHashable)
  }
}

/// How the effect of a submission stands: in the states since it was posted, of which there may be many.
struct Effect: Sendable {
  /// Submissions of equal operations stand as one: they are looked at together.
  let operation: OperationID
  /// The first status that is not waiting, in the states since a version.
  let status: @Sendable (_ snapshot: any Sendable, _ since: UInt64) -> EffectStatus
}

/// How the effects of submissions have ended.
///
/// What a store says of an effect may be about a later one by the next action, so every state since the
/// submission is looked at, and the first word that is not waiting is kept. Each state is looked at once,
/// however many posts, pages and frames ask, and once for all submissions of an operation.
///
/// It remembers the newest, within 4 MB of those under way and 1 MB of those that have ended. Nobody knows
/// of what was forgotten.
struct Outcomes {
  private struct Key: Hashable {
    let store: ObjectIdentifier
    let operation: OperationID
  }

  private struct Operation {
    let effect: Effect
    var submissions: Set<String> = []
  }

  private struct Pending {
    let name: String
    let key: Key
  }

  /// By the submission's name.
  private var pending = Cache<String, Pending>(limit: 4 << 20)
  /// Those of the submissions that are pending.
  private var operations: [ObjectIdentifier: [OperationID: Operation]] = [:]
  /// Up to where each store was looked at, of stores that have operations.
  private var versions: [ObjectIdentifier: UInt64] = [:]
  private var ended = Cache<String, EffectStatus>(limit: 1 << 20)

  var bytes: Int { self.pending.bytes + self.ended.bytes }
  var count: Int { self.pending.count + self.ended.count }

  /// How a submission's effect has ended; `.waiting` if it has not, `nil` if nobody knows.
  subscript(name: String) -> EffectStatus? {
    self.pending[name] == nil ? self.ended[name] : .waiting
  }

  /// Begins to look at a submission.
  ///
  /// - Parameter bytes: What its action holds.
  /// - Returns: What has ended, as from ``update(_:)``.
  mutating func add(
    _ submission: AcceptedSubmission,
    _ store: StoreSource,
    _ effect: Effect,
    bytes: Int
  ) -> [String] {
    let (version, snapshot) = store.snapshot()
    // All operations of a store have been looked at up to the same version.
    let ended = self.update(store, to: version, snapshot)
    let status = effect.status(snapshot, submission.version)
    guard status == .waiting else {
      self.remember(status, of: submission.name)
      return ended + [submission.name]
    }
    self.versions[store.id] = version
    let key = Key(store: store.id, operation: effect.operation)
    self.operations[store.id, default: [:]][effect.operation, default: Operation(effect: effect)]
      .submissions.insert(submission.name)
    let pending = Pending(name: submission.name, key: key)
    for gone in self.pending.insert(pending, for: submission.name, bytes: bytes + 256) {
      self.remove(gone)
    }
    return ended
  }

  /// Looks at what has happened in a store since the last time.
  ///
  /// - Returns: The submissions that have ended.
  /// - Complexity: O(1) if nothing has; else O(o * a), o operations under way, a actions since.
  mutating func update(_ store: StoreSource) -> [String] {
    guard self.operations[store.id] != nil else { return [] }
    let (version, snapshot) = store.snapshot()
    return self.update(store, to: version, snapshot)
  }

  private mutating func update(
    _ store: StoreSource,
    to version: UInt64,
    _ snapshot: any Sendable
  ) -> [String] {
    guard let since = self.versions[store.id], since < version,
      let operations = self.operations[store.id]
    else { return [] }
    self.versions[store.id] = version
    var ended: [String] = []
    for operation in operations.values {
      let status = operation.effect.status(snapshot, since)
      guard status != .waiting else { continue }
      for name in operation.submissions {
        if let pending = self.pending.removeValue(for: name) { self.remove(pending) }
        self.remember(status, of: name)
        ended.append(name)
      }
    }
    return ended
  }

  private mutating func remember(_ status: EffectStatus, of name: String) {
    var bytes = name.heapSize
    if case .failure(let message) = status { bytes += message.heapSize }
    self.ended.insert(status, for: name, bytes: bytes)
  }

  private mutating func remove(_ pending: Pending) {
    let key = pending.key
    self.operations[key.store]?[key.operation]?.submissions.remove(pending.name)
    guard self.operations[key.store]?[key.operation]?.submissions.isEmpty == true else { return }
    self.operations[key.store]?[key.operation] = nil
    if self.operations[key.store]?.isEmpty == true {
      self.operations[key.store] = nil
      self.versions[key.store] = nil
    }
  }
}
