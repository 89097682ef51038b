import ImmutableData

/// Replaces personal texts with pseudonyms, in all parts of a recording alike.
struct Redaction<State: Sendable, Action: Sendable>: Sendable {
  let pseudonyms: Pseudonyms
  let state: @Sendable (State, (String) -> String) -> State
  let action: @Sendable (Action, (String) -> String) -> Action
  /// The step from one of these states to the next.
  let reduce: @Sendable (State, Action) throws -> State

  /// Whether nothing is personal, so that there is nothing to replace.
  var isNone: Bool { State.self is any Impersonal.Type && Action.self is any Impersonal.Type }

  /// The same with other pseudonyms.
  func with(_ pseudonyms: Pseudonyms) -> Self {
    Self(pseudonyms: pseudonyms, state: self.state, action: self.action, reduce: self.reduce)
  }
}

extension Redaction where State: Redactable, Action: Redactable {
  init(_ pseudonyms: Pseudonyms, _ reduce: @escaping @Sendable (State, Action) throws -> State) {
    self.init(
      pseudonyms: pseudonyms,
      state: { $0.redacted($1) },
      action: { $0.redacted($1) },
      reduce: reduce
    )
  }
}

/// The states that would exist if everybody had entered pseudonyms from the start. They can differ
/// from the real ones, for example in the order by name, but every replay has the same differences.
struct RedactedStates<State: Sendable, Action: Sendable> {
  private let redaction: Redaction<State, Action>
  private(set) var newest: State

  /// - Complexity: O(n), n parts of the state.
  init(from state: State, _ redaction: Redaction<State, Action>) {
    self.redaction = redaction
    self.newest = redaction.state(state, redaction.pseudonyms.callAsFunction)
  }

  /// Continues with a state to which no action has led.
  ///
  /// - Complexity: O(n), n parts of the state.
  mutating func skip(to state: State) {
    self = Self(from: state, self.redaction)
  }

  /// Reduces the redacted action. If nothing is personal, the states are those of the store.
  ///
  /// - Returns: The dispatch with pseudonyms.
  mutating func follow(_ dispatch: Dispatch<State, Action>) -> Dispatch<State, Action> {
    guard self.redaction.isNone == false else {
      if case .success(let new) = dispatch.result { self.newest = new }
      return dispatch
    }
    let old = self.newest
    let action = self.redaction.action(dispatch.action, self.redaction.pseudonyms.callAsFunction)
    let result = Result { try self.redaction.reduce(old, action) }
    if case .success(let new) = result { self.newest = new }
    return Dispatch(
      action: action,
      origin: dispatch.origin,
      oldState: old,
      result: result,
      version: dispatch.version,
      duration: dispatch.duration
    )
  }
}
