import ImmutableData
import ImmutableUI

/// Identifies the operation that a submission starts. Equal actions are the same operation; actions
/// that are not `Hashable` are identified by their submission.
struct OperationID: Hashable, Sendable {
  private let value: any Sendable
  /// Computed once, because it takes slow dynamic casts, and each frame looks operations up.
  private let hash: Int

  init(_ action: some Sendable, of submission: String) {
    let hash = (action as? AnyHashable)?.hashValue
    self.value = hash == nil ? submission : action
    self.hash = hash ?? submission.hashValue
  }

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.hash == rhs.hash && lhs.value as? AnyHashable == rhs.value as? AnyHashable
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(self.hash)
  }
}

/// The effect of a submission, and its status in the states since the submission, of which there
/// may be many.
struct SubmissionEffect<State: StoreState>: Sendable {
  typealias Snapshot = StoreSnapshot<State, State.Action>

  let action: State.Action
  let location: any Location<State>
  /// Submissions of the same operation have the same status, so they are checked together.
  let operation: OperationID

  /// - Returns: `nil` if the action has no effect in the state that it led to.
  init?(
    of action: State.Action,
    from location: any Location<State>,
    submission: String,
    in state: State
  ) {
    guard let status = location.status(of: action, in: state), status != .empty else { return nil }
    self.action = action
    self.location = location
    // Equal actions are one operation, because the status depends only on the action and the state.
    self.operation = OperationID(action, of: submission)
  }

  /// The first status that is not waiting, in these states; `.empty` if it was cancelled.
  fileprivate func status(in states: [State]) -> OperationStatus {
    for state in states {
      let status = self.location.status(of: self.action, in: state) ?? .success
      if status != .waiting { return status }
    }
    return .waiting
  }
}

extension StoreSnapshot {
  /// The states since a version, oldest first.
  fileprivate func states(since version: UInt64) -> [State] {
    // The state after an action is the old state of the next action.
    let states = self.oldStates(since: version)?.dropFirst() ?? []
    return states + [self.state]
  }
}

/// How the effects of a product's submissions have ended.
///
/// One action later, the status in the state may already be that of a newer effect. So every state
/// since the submission is checked, and the first status other than `.waiting` is kept. Each state
/// is checked once for each operation, no matter how many submissions, pages and frames ask.
///
/// It keeps the newest entries: 16 MB of pending submissions and 4 MB of ended ones, and a quarter
/// of that for each client. Once an entry has been evicted, its outcome is unknown.
struct Outcomes<State: StoreState> {
  typealias Snapshot = StoreSnapshot<State, State.Action>

  private struct Operation {
    let effect: SubmissionEffect<State>
    var submissions: Set<String> = []
  }

  private struct Pending {
    let name: String
    let operation: OperationID
    let client: String
  }

  /// By the submission's name.
  private var pending = Cache<String, Pending>(limit: 16 << 20, isShared: true)
  /// The operations of the pending submissions, and so bounded by them.
  private var operations: [OperationID: Operation] = [:]
  /// The store's version up to which the operations have been checked.
  private var version: UInt64 = 0
  private var ended = Cache<String, OperationStatus>(limit: 4 << 20, isShared: true)

  var bytes: Int { self.pending.bytes + self.ended.bytes }
  var count: Int { self.pending.count + self.ended.count }

  /// The status of a submission's effect; `.waiting` until it has ended, `nil` if it is unknown.
  subscript(name: String) -> OperationStatus? {
    self.pending[name] == nil ? self.ended[name] : .waiting
  }

  /// Starts to watch a submission.
  ///
  /// - Parameters:
  ///   - name: The submission's name.
  ///   - version: The store's version that includes its action.
  ///   - bytes: The size of its action.
  ///   - client: The network of the client that posted it.
  /// - Returns: The submissions that have ended, as from ``update(to:)``.
  mutating func add(
    _ name: String,
    _ effect: SubmissionEffect<State>,
    since version: UInt64,
    bytes: Int,
    of client: String,
    in snapshot: Snapshot
  ) -> [String] {
    // Afterwards all operations have been checked up to the same version.
    let ended = self.update(to: snapshot)
    let status: OperationStatus =
      snapshot.isPast ? .waiting : effect.status(in: snapshot.states(since: version))
    guard status == .waiting else {
      self.remember(status, of: name, client)
      return ended + [name]
    }
    self.version = snapshot.version
    self.operations[effect.operation, default: Operation(effect: effect)].submissions.insert(name)
    let pending = Pending(name: name, operation: effect.operation, client: client)
    let bytes = bytes + effect.location.query.heapSize + 256
    for gone in self.pending.insert(pending, for: name, bytes: bytes, of: client) {
      self.remove(gone)
    }
    return ended
  }

  /// Checks the actions since the last call.
  ///
  /// - Returns: The submissions that have ended.
  /// - Complexity: O(1) if there were none, otherwise O(o * a), o pending operations, a actions. Only the
  ///   product knows which actions change a status, so each operation is asked about after each. The
  ///   posts that may wait for effects (``WindowGroup/Configuration/backlog``) bound the operations.
  mutating func update(to snapshot: Snapshot) -> [String] {
    guard self.operations.isEmpty == false, self.version < snapshot.version,
      snapshot.isPast == false
    else { return [] }
    let states = snapshot.states(since: self.version)
    self.version = snapshot.version
    var ended: [String] = []
    for operation in self.operations.values {
      let status = operation.effect.status(in: states)
      guard status != .waiting else { continue }
      for name in operation.submissions {
        guard let pending = self.pending.removeValue(for: name) else { continue }
        self.remove(pending)
        self.remember(status, of: name, pending.client)
        ended.append(name)
      }
    }
    return ended
  }

  private mutating func remember(_ status: OperationStatus, of name: String, _ client: String) {
    var bytes = name.heapSize
    if case .failure(let message) = status { bytes += message.heapSize }
    self.ended.insert(status, for: name, bytes: bytes, of: client)
  }

  private mutating func remove(_ pending: Pending) {
    self.operations[pending.operation]?.submissions.remove(pending.name)
    if self.operations[pending.operation]?.submissions.isEmpty == true {
      self.operations[pending.operation] = nil
    }
  }
}
