/// A pure function from a state and what just happened to the next state, as a value that can be put
/// together with others.
///
/// It reads no clock, no random source and no environment: dates and identifiers come in the
/// action. It may throw to refuse an action; the state is then unchanged.
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
  /// Answers with a state, and with effects.
  public let update: @Sendable (State, Action) throws -> Update<State, Action>

  /// A reducer as the guide has it.
  public init(_ reduce: @escaping @Sendable (State, Action) throws -> State) {
    self.update = { Update(try reduce($0, $1)) }
  }

  /// - Parameter update: Answers with a state, and with effects.
  public init(updating update: @escaping @Sendable (State, Action) throws -> Update<State, Action>)
  {
    self.update = update
  }

  /// The reducer without its effects: what to give a ``Store`` that has none.
  @Sendable public func reduce(state: State, action: Action) throws -> State {
    try self.update(state, action).state
  }

  /// One reducer after the other, each with the state of the one before. If one refuses the action, all
  /// do. The effects are those of all, in this order; of several transitions the last counts.
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
  /// - Parameter cursor: Leads from the whole to the part.
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

  /// The reducer of a whole that this is the reducer of a part of.
  ///
  /// - Parameters:
  ///   - state: Where the part lies in the whole.
  ///   - action: The part's action as one of the whole.
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
  /// The reducer, whose changes browsers show as view transitions.
  ///
  /// ```swift
  /// Reducer(CounterReducer.reduce).transition { _ in Transition("count") }
  /// ```
  ///
  /// - Parameter transition: How the change of an action is to be shown; `nil`: at once.
  public func transition(_ transition: @escaping @Sendable (Action) -> Transition?) -> Self {
    Self(updating: { state, action in
      var update = try self.update(state, action)
      update.transition = transition(action) ?? update.transition
      return update
    })
  }
}

/// What a reducer answers: the next state, and what is to be done besides.
///
/// Source: ObservableStore, State, updates, and actions.
public struct Update<State: Sendable, Action: Sendable>: Sendable {
  public var state: State
  /// Run after the state has changed, and see that one.
  public var effects: [Effect<State, Action>]
  /// How the change is to be shown.
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

/// How a change is to be shown: a view transition of this type in browsers that have them.
///
/// A style sheet says what moves, and how. A patch without a transition is shown at once, and so is every patch
/// under reduced motion.
///
/// ```css
/// .value { view-transition-name: value; }
/// :root:active-view-transition-type(count)::view-transition-new(value) { animation: rise 150ms; }
/// ```
///
/// Source: CSS View Transitions Module Level 2.
public struct Transition: Hashable, Sendable {
  public let name: String

  /// - Parameter name: An identifier of CSS.
  public init(_ name: String) {
    self.name = name
  }
}
