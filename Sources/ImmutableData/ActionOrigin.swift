/// What made somebody dispatch an action.
public enum ActionOrigin: Hashable, Sendable {
  /// A visitor posted a form.
  ///
  /// - Parameters:
  ///   - name: The form's.
  ///   - path: The page that it was posted to.
  ///   - window: The id of the window that posted it; `nil` without JavaScript.
  case form(name: String, path: String, window: String?)
  /// A page appeared.
  case page(path: String)
  /// An effect ended, or had something to tell.
  ///
  /// - Parameters:
  ///   - name: The effect's.
  ///   - version: That of the action which caused it; `nil` if none did.
  case effect(name: String, version: UInt64?)
  /// Something happened outside the process (``OutsideEvents``).
  case outside(name: String)
  /// Another process with the same state dispatched it (`Replica`).
  case elsewhere

  /// Of what is dispatched in this task.
  @TaskLocal package static var current: ActionOrigin?
  /// Identifies the next action that the effect of this task dispatches, in every process; `nil` outside
  /// of effects that an action has caused.
  package static func nextActionID() -> String? { EffectRun.current?.nextActionID() }
  /// The version of the action whose observers run in this task.
  @TaskLocal static var observed: UInt64?
  /// The size of the log's entry that is reduced in this task; 0 if it is none.
  @TaskLocal package static var entryBytes = 0
}

extension ActionOrigin {
  /// Whether what a visitor does has made somebody dispatch it: then it is about what the visitor sees.
  var isVisitor: Bool {
    switch self {
    case .form, .page: true
    case .effect, .outside, .elsewhere: false
    }
  }
}

/// An action that was dispatched to a store, and what came of it.
public struct Dispatch<State: Sendable, Action: Sendable>: Sendable {
  public let action: Action
  /// `nil` if nobody has said.
  public let origin: ActionOrigin?
  public let oldState: State
  /// The state that the reducer made, or why it refused.
  public let result: Result<State, any Error>
  /// The store's version after the action; after a refusal the version that it has kept.
  public let version: UInt64
  /// How long the reducer ran.
  public let duration: Duration

  package init(
    action: Action,
    origin: ActionOrigin?,
    oldState: State,
    result: Result<State, any Error>,
    version: UInt64,
    duration: Duration
  ) {
    self.action = action
    self.origin = origin
    self.oldState = oldState
    self.result = result
    self.version = version
    self.duration = duration
  }

  /// The same of a part of the state, or of the same with other types.
  package func map<S, A>(_ action: A, _ state: (State) -> S) -> Dispatch<S, A> {
    Dispatch<S, A>(
      action: action,
      origin: self.origin,
      oldState: state(self.oldState),
      result: self.result.map(state),
      version: self.version,
      duration: self.duration
    )
  }
}
