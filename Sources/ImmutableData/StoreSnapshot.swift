package import Tracing

/// The state of a ``Store`` at one version, with the actions that led to it.
///
/// A snapshot is a value: it can be read on any thread while the store changes.
public struct StoreSnapshot<State, Action>: Sendable where State: Sendable, Action: Sendable {
  /// The number of actions that the store had reduced; for a scoped store, at its own last action.
  public let version: UInt64

  /// The state at ``version``.
  public let state: State

  /// Whether the store shows this state instead of its own (`Store.show`). Operations in progress
  /// continue in its own state, so this one does not show their progress.
  package let isPast: Bool

  private let log: RecentActions<State, Action>

  init(version: UInt64, state: State, log: RecentActions<State, Action>, isPast: Bool = false) {
    self.version = version
    self.state = state
    self.log = log
    self.isPast = isPast
  }

  /// A state by itself, without the actions that led to it.
  ///
  /// - Parameter version: Higher than those of the snapshots that are used before it.
  package init(state: State, version: UInt64) {
    var log = RecentActions<State, Action>()
    log.interrupt(at: version)
    self.init(version: version, state: state, log: log)
  }

  /// A state and the only known action that led to it.
  ///
  /// - Parameter version: The version of the state; that of the state before it is one less.
  package init(state: State, after action: Action, in oldState: State, version: UInt64) {
    var log = RecentActions<State, Action>()
    log.interrupt(at: version - 1)
    let logged = LoggedAction(oldState: oldState, action: action, transition: nil, trace: nil)
    log.append(logged, version: version, size: ActionSize(0))
    self.init(version: version, state: state, log: log)
  }

  /// The state that an action led to; the newest state if the log no longer has the actions after
  /// it.
  ///
  /// - Parameter version: The version of the action, or of an older snapshot of the same store.
  /// - Complexity: O(n), n actions after `version`.
  package func state(at version: UInt64) -> State {
    self.oldStates(since: version)?.first ?? self.state
  }

  /// The actions that were reduced after `version`, oldest first.
  ///
  /// - Parameter version: The version of an older snapshot of the same store.
  /// - Returns: `nil` if the log no longer has one of them.
  /// - Complexity: O(n), n actions after `version`; the log is bounded.
  public func actions(since version: UInt64) -> [LoggedAction<State, Action>]? {
    version >= self.version ? [] : self.log.actions(since: version)
  }

  /// The states before each of the actions that were reduced after `version`, oldest first. The log
  /// has them for longer than the actions, whose payloads can be of any size.
  ///
  /// - Parameter version: The version of an older snapshot of the same store.
  /// - Returns: `nil` if the log no longer has one of them.
  /// - Complexity: O(n), n actions after `version`; the log is bounded.
  package func oldStates(since version: UInt64) -> [State]? {
    version >= self.version ? [] : self.log.oldStates(since: version)
  }

  /// The transition for the changes since a version. If there are several, the last one wins.
  ///
  /// - Parameter version: The version of an older snapshot of the same store.
  /// - Complexity: O(n), n actions after `version`; the log is bounded.
  package func transition(since version: UInt64) -> Transition? {
    version >= self.version ? nil : self.log.transition(since: version)
  }

  /// The traces of the actions after a version that the log still has, oldest first.
  ///
  /// - Complexity: O(n), n actions after the version; the log is bounded.
  package func traces(since version: UInt64) -> [ServiceContext] {
    version >= self.version ? [] : self.log.traces(since: version)
  }
}

/// An action that was reduced, and the state before it, as selector filters receive them.
public struct LoggedAction<State, Action>: Sendable where State: Sendable, Action: Sendable {
  public let oldState: State
  public let action: Action
  /// The transition that the reducer returned, if any.
  public let transition: Transition?

  /// Its context in the trace of a request; `nil` if the request is not traced.
  let trace: ServiceContext?
}
