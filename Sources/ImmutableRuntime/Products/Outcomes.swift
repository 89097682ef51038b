import ImmutableData
import ImmutableUI

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
struct SubmissionEffect<State: StoreState>: Sendable {
  typealias Snapshot = StoreSnapshot<State, State.Action>

  let action: State.Action
  let location: any Location<State>
  /// Submissions of equal operations stand as one: they are looked at together.
  let operation: OperationID

  /// - Returns: `nil` if the action has no effect in the state that it has led to.
  init?(
    of action: State.Action,
    from location: any Location<State>,
    submission: String,
    in state: State
  ) {
    guard location.status(of: action, in: state) != nil else { return nil }
    self.action = action
    self.location = location
    // Equal actions are one operation: how it stands follows from action and state.
    self.operation = OperationID(action, of: submission)
  }

  /// The first status that is not waiting, in the states since a version.
  func status(in snapshot: Snapshot, since version: UInt64) -> EffectStatus {
    // Each action's old state is the one after the action before.
    let states = snapshot.actions(since: version)?.dropFirst().map(\.oldState) ?? []
    for state in states + [snapshot.state] {
      let status = self.location.status(of: self.action, in: state) ?? .success
      if status != .waiting { return status }
    }
    return .waiting
  }
}

/// How the effects of a product's submissions have ended.
///
/// What a state says of an effect may be about a later one by the next action, so every state since the
/// submission is looked at, and the first word that is not waiting is kept. Each state is looked at once,
/// however many posts, pages and frames ask, and once for all submissions of an operation.
///
/// It remembers the newest, within 4 MB of those under way and 1 MB of those that have ended. Nobody knows
/// of what was forgotten.
struct Outcomes<State: StoreState> {
  typealias Snapshot = StoreSnapshot<State, State.Action>

  private struct Operation {
    let effect: SubmissionEffect<State>
    var submissions: Set<String> = []
  }

  private struct Pending {
    let name: String
    let operation: OperationID
  }

  /// By the submission's name.
  private var pending = Cache<String, Pending>(limit: 4 << 20)
  /// Those of the submissions that are pending.
  private var operations: [OperationID: Operation] = [:]
  /// Up to where the store was looked at for them.
  private var version: UInt64 = 0
  private var ended = Cache<String, EffectStatus>(limit: 1 << 20)

  var bytes: Int { self.pending.bytes + self.ended.bytes }
  var count: Int { self.pending.count + self.ended.count }

  /// How a submission's effect has ended; `.waiting` if it has not, `nil` if nobody knows.
  subscript(name: String) -> EffectStatus? {
    self.pending[name] == nil ? self.ended[name] : .waiting
  }

  /// Begins to look at a submission.
  ///
  /// - Parameters:
  ///   - name: The submission's.
  ///   - version: That with its action.
  ///   - bytes: What its action holds.
  /// - Returns: What has ended, as from ``update(to:)``.
  mutating func add(
    _ name: String,
    _ effect: SubmissionEffect<State>,
    since version: UInt64,
    bytes: Int,
    in snapshot: Snapshot
  ) -> [String] {
    // All operations have been looked at up to the same version.
    let ended = self.update(to: snapshot)
    let status = effect.status(in: snapshot, since: version)
    guard status == .waiting else {
      self.remember(status, of: name)
      return ended + [name]
    }
    self.version = snapshot.version
    self.operations[effect.operation, default: Operation(effect: effect)].submissions.insert(name)
    let pending = Pending(name: name, operation: effect.operation)
    for gone in self.pending.insert(pending, for: name, bytes: bytes + 256) {
      self.remove(gone)
    }
    return ended
  }

  /// Looks at what has happened since the last time.
  ///
  /// - Returns: The submissions that have ended.
  /// - Complexity: O(1) if nothing has happened; else O(o * a), o operations under way, a actions since.
  mutating func update(to snapshot: Snapshot) -> [String] {
    guard self.operations.isEmpty == false, self.version < snapshot.version else { return [] }
    let since = self.version
    self.version = snapshot.version
    var ended: [String] = []
    for operation in self.operations.values {
      let status = operation.effect.status(in: snapshot, since: since)
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
    self.operations[pending.operation]?.submissions.remove(pending.name)
    if self.operations[pending.operation]?.submissions.isEmpty == true {
      self.operations[pending.operation] = nil
    }
  }
}
