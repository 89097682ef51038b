import ImmutableData

/// How personal texts become pseudonyms, in all that is recorded alike.
struct Redaction<State: Sendable, Action: Sendable>: Sendable {
  let pseudonyms: Pseudonyms
  let state: @Sendable (State, (String) -> String) -> State
  let action: @Sendable (Action, (String) -> String) -> Action
  /// What leads from one of these states to the next.
  let reduce: @Sendable (State, Action) throws -> State

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

/// The states that would be, had everybody entered pseudonyms from the start. Where that leads elsewhere
/// than what was entered, as an order by name does, it does so in each replay too.
struct RedactedStates<State: Sendable, Action: Sendable> {
  private let redaction: Redaction<State, Action>
  private(set) var newest: State

  /// - Complexity: O(n), n parts of the state.
  init(from state: State, _ redaction: Redaction<State, Action>) {
    self.redaction = redaction
    self.newest = redaction.state(state, redaction.pseudonyms.callAsFunction)
  }

  /// Reduces the redacted action.
  ///
  /// - Returns: What would have been dispatched.
  mutating func follow(_ dispatch: Dispatch<State, Action>) -> Dispatch<State, Action> {
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
