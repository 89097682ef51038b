/// The state of a ``Store`` at one moment, with the actions that led there.
///
/// A snapshot is a value: it can be read on any thread while the Store goes on.
public struct StoreSnapshot<State, Action>: Sendable where State: Sendable, Action: Sendable {
  /// How many actions the Store had reduced; for a scoped store, at its own last action.
  public let version: UInt64

  /// The state at ``version``.
  public let state: State

  private let log: ActionLog<State, Action>

  init(version: UInt64, state: State, log: ActionLog<State, Action>) {
    self.version = version
    self.state = state
    self.log = log
  }

  /// The actions that were reduced after `version`, oldest first.
  ///
  /// - Parameter version: The version of an older snapshot of the same store.
  /// - Returns: `nil` when the log has let go of one of them.
  /// - Complexity: O(n), n actions after `version`; the log is bounded.
  public func actions(since version: UInt64) -> [LoggedAction<State, Action>]? {
    version >= self.version ? [] : self.log.actions(since: version)
  }
}

/// An action that was reduced, and the state that it was applied to: what a filter looks at.
public struct LoggedAction<State, Action>: Sendable where State: Sendable, Action: Sendable {
  public let oldState: State
  public let action: Action
  /// How the update that the action led to is to be shown, if its reducer said so.
  public let transition: Transition?

  init(oldState: State, action: Action, transition: Transition? = nil) {
    self.oldState = oldState
    self.action = action
    self.transition = transition
  }
}
