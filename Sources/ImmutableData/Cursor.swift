/// Reads and replaces a part of a whole, and converts the part's actions.
///
/// ```swift
/// let counter = Cursor(state: \AppState.counter, action: AppAction.counter) {
///   if case .counter(let action) = $0 { action } else { nil }
/// }
/// ```
///
/// Source: ObservableStore, Creating scoped child components.
public struct Cursor<State: Sendable, Action: Sendable, PartState: Sendable, PartAction: Sendable>:
  Sendable
{
  /// The part of the state.
  public let get: @Sendable (State) -> PartState
  /// The whole with the part replaced.
  public let set: @Sendable (State, PartState) -> State
  /// The part's action as an action of the whole.
  public let tag: @Sendable (PartAction) -> Action
  /// The inverse of ``tag``: `nil` for the actions of other parts.
  public let extract: @Sendable (Action) -> PartAction?

  public init(
    get: @escaping @Sendable (State) -> PartState,
    set: @escaping @Sendable (State, PartState) -> State,
    tag: @escaping @Sendable (PartAction) -> Action,
    extract: @escaping @Sendable (Action) -> PartAction?
  ) {
    self.get = get
    self.set = set
    self.tag = tag
    self.extract = extract
  }

  /// - Parameters:
  ///   - state: The part's key path in the whole.
  ///   - action: The part's action as an action of the whole.
  ///   - extract: The inverse of `action`: `nil` for the actions of other parts.
  public init(
    state: any WritableKeyPath<State, PartState> & Sendable,
    action: @escaping @Sendable (PartAction) -> Action,
    extract: @escaping @Sendable (Action) -> PartAction?
  ) {
    self.init(
      get: { $0[keyPath: state] },
      set: { whole, part in
        var whole = whole
        whole[keyPath: state] = part
        return whole
      },
      tag: action,
      extract: extract
    )
  }
}
