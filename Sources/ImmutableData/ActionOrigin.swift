/// Where an action came from.
public enum ActionOrigin: Hashable, Sendable {
  /// A visitor posted a form.
  ///
  /// - Parameters:
  ///   - name: The name of the form.
  ///   - path: The page that it was posted to.
  ///   - window: The id of the window that posted it; `nil` without JavaScript.
  case form(name: String, path: String, window: String?)
  /// A page appeared.
  case page(path: String)
  /// An effect dispatched it, when it ended or while it ran.
  ///
  /// - Parameters:
  ///   - name: The name of the effect.
  ///   - version: The version of the action that caused the effect; `nil` if none did.
  case effect(name: String, version: UInt64?)
  /// Something happened outside the process (``OutsideEvents``).
  case outside(name: String)
  /// Another process with the same state dispatched it (`Replica`).
  case elsewhere

  /// The origin of actions that are dispatched in this task.
  @TaskLocal package static var current: ActionOrigin?
  /// Identifies an action that the effect of this task dispatches, in every process; `nil` outside
  /// of effects that an action has caused. Call it once for each action.
  package static func nextActionID(of action: Any) -> String? {
    EffectRun.current?.nextActionID(of: action)
  }
  /// For logs, without what visitors have entered.
  package static func name(of action: Any) -> String { EffectRun.kind(of: action) }
  /// The version of the action whose observers run in this task, or have begun it.
  @TaskLocal static var observed: UInt64?
  /// The size of the log entry that is reduced in this task, and the time since it was appended; zero
  /// if there is none.
  @TaskLocal package static var entry = (bytes: 0, age: Duration.zero)
}

extension ActionOrigin {
  /// Whether the action was caused by something that a visitor did. Then it refers to what the
  /// visitor sees.
  var isVisitor: Bool {
    switch self {
    case .form, .page: true
    case .effect, .outside, .elsewhere: false
    }
  }
}

/// An action that was dispatched to a store, and its result.
public struct Dispatch<State: Sendable, Action: Sendable>: Sendable {
  public let action: Action
  /// `nil` if it is unknown.
  public let origin: ActionOrigin?
  public let oldState: State
  /// The state that the reducer returned, or why it refused the action.
  public let result: Result<State, any Error>
  /// The store's version after the action. A refusal does not change it.
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

  /// The same action for a part of the state, or with other types.
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

extension Dispatch {
  /// The memory that it takes, approximately, besides what its states share with those before them.
  package var retainedBytes: Int {
    let payload = HeapEstimate.bytes(of: self.action)
    guard case .success(let state) = self.result else { return payload }
    return payload + HeapEstimate.copiedBytes(from: self.oldState, to: state)
  }
}
