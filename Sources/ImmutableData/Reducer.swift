/// A pure function from a state and an action to the next state, as a value that can be combined
/// with others.
///
/// It reads no clock, no random source and no environment: dates and identifiers come in the
/// action. It may throw to refuse an action, which leaves the state unchanged.
///
/// ```swift
/// let reducer = Reducer<AppState, AppAction>.combine(
///   Reducer(CounterReducer.reduce).pullback(AppCursor.counter),
///   Reducer(AnimalsReducer.reduce).pullback(AppCursor.animals)
/// )
/// let store = Store(initialState: AppState(), reducer: reducer.reduce)
/// ```
///
/// Source: the guide, chapter ImmutableData, section Reducer.
public struct Reducer<State: Sendable, Action: Sendable>: Sendable {
  /// Returns the next state and effects.
  public let update: @Sendable (State, Action) throws -> Update<State, Action>

  /// A reducer as in the guide.
  public init(_ reduce: @escaping @Sendable (State, Action) throws -> State) {
    self.update = { Update(try reduce($0, $1)) }
  }

  /// - Parameter update: Returns the next state and effects.
  public init(updating update: @escaping @Sendable (State, Action) throws -> Update<State, Action>)
  {
    self.update = update
  }

  /// The reducer without its effects, for a ``Store`` without lanes.
  @Sendable public func reduce(state: State, action: Action) throws -> State {
    try self.update(state, action).state
  }

  /// Runs reducers one after the other, each with the state of the one before. If one refuses the
  /// action, all do. The effects of all are kept in this order; of several transitions the last one
  /// wins.
  public static func combine(_ reducers: Self...) -> Self {
    Self(updating: { state, action in
      try reducers.reduce(Update(state)) { before, reducer in
        let after = try reducer.update(before.state, action)
        return Update(
          after.state,
          effects: before.effects + after.effects,
          transition: after.transition ?? before.transition
        )
      }
    })
  }

  /// Turns the reducer of a part into a reducer of the whole. It ignores the actions of other
  /// parts.
  ///
  /// - Parameter cursor: Reads and replaces the part in the whole.
  public func pullback<S, A>(_ cursor: Cursor<S, A, State, Action>) -> Reducer<S, A> {
    Reducer<S, A>(updating: { whole, action in
      guard let action = cursor.extract(action) else { return Update(whole) }
      let update = try self.update(cursor.get(whole), action)
      return Update(
        cursor.set(whole, update.state),
        effects: update.effects.map { $0.pullback(cursor) },
        transition: update.transition
      )
    })
  }

  /// Turns the reducer of a part into a reducer of the whole.
  ///
  /// - Parameters:
  ///   - state: The part's key path in the whole.
  ///   - action: The part's action as an action of the whole.
  ///   - extract: The inverse of `action`: `nil` for the actions of other parts.
  public func pullback<S, A>(
    state: any WritableKeyPath<S, State> & Sendable,
    action: @escaping @Sendable (Action) -> A,
    extract: @escaping @Sendable (A) -> Action?
  ) -> Reducer<S, A> {
    self.pullback(Cursor(state: state, action: action, extract: extract))
  }
}

extension Reducer {
  /// The reducer with view transitions for its changes.
  ///
  /// ```swift
  /// Reducer(CounterReducer.reduce).transition { _ in Transition("count") }
  /// ```
  ///
  /// - Parameter transition: The transition for an action; `nil` for none.
  public func transition(_ transition: @escaping @Sendable (Action) -> Transition?) -> Self {
    Self(updating: { state, action in
      var update = try self.update(state, action)
      update.transition = transition(action) ?? update.transition
      return update
    })
  }
}

/// The result of a reducer: the next state, effects, and a transition.
///
/// Source: ObservableStore, State, updates, and actions.
public struct Update<State: Sendable, Action: Sendable>: Sendable {
  public var state: State
  /// They run after the state has changed, and see the new state.
  public var effects: [Effect<State, Action>]
  /// How browsers show the change.
  public var transition: Transition?

  public init(
    _ state: State,
    effects: [Effect<State, Action>] = [],
    transition: Transition? = nil
  ) {
    self.state = state
    self.effects = effects
    self.transition = transition
  }
}

/// A view transition type, for browsers that support view transitions.
///
/// A style sheet defines what moves, and how. Patches without a transition are applied immediately,
/// as are all patches under reduced motion.
///
/// ```css
/// .value { view-transition-name: value; }
/// :root:active-view-transition-type(count)::view-transition-new(value) { animation: rise 150ms; }
/// ```
///
/// Source: CSS View Transitions Module Level 2.
public struct Transition: Hashable, Sendable {
  public let name: String

  /// - Parameter name: A CSS identifier.
  public init(_ name: String) {
    self.name = name
  }
}
