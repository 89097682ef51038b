/// The source of truth: one immutable state, and the reducer that leads from one to the next.
///
/// ```swift
/// let store = Store(initialState: CounterState(), reducer: CounterReducer.reduce)
/// try store.dispatch(action: .didTapIncrementButton)
/// store.select(CounterState.selectValue())  // 1
/// ```
///
/// Source: the guide, chapter ImmutableData, section Store.
@MainActor final public class Store<State, Action>: Sendable
where State: Sendable, Action: Sendable {
  private let backing: any StoreBacking<State, Action>

  /// Makes a store with a state of its own.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - reducer: Leads from a state and an action to the next state, or throws to refuse.
  public init(
    initialState state: State,
    reducer: @escaping @Sendable (State, Action) throws -> State
  ) {
    self.backing = RootBacking(initialState: state) { state, action in
      Update(try reducer(state, action))
    }
  }

  /// Beyond the guide: makes a store whose reducer names transitions. One whose updates have effects needs
  /// lanes for them (``init(initialState:lanes:reducer:)``); without them that is a programmer error.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - reducer: Leads from a state and an action to an update, or throws to refuse.
  public init(initialState state: State, reducer: Reducer<State, Action>) {
    self.backing = RootBacking(initialState: state, reduce: reducer.update)
  }

  /// Beyond the guide: makes a store whose reducer answers with effects as well.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - lanes: Where effects run.
  ///   - reducer: Leads from a state and an action to an update, or throws to refuse. An update whose
  ///     state is equal to the old one changes nothing: the old state stays, no window looks at it.
  public init(initialState state: State, lanes: EffectLanes, reducer: Reducer<State, Action>)
  where State: Equatable {
    self.backing = RootBacking(
      initialState: state,
      lanes: lanes,
      isSame: { $0 == $1 },
      reduce: reducer.update
    )
  }

  private init(backing: any StoreBacking<State, Action>) {
    self.backing = backing
  }
}

extension Store: Dispatcher {
  /// Reduces one action, then tells every stream.
  ///
  /// - Parameter action: What just happened.
  /// - Throws: What the reducer throws; the state is then unchanged and no stream is told.
  /// - Complexity: That of the reducer, and O(k) for k streams.
  public func dispatch(action: Action) throws {
    try self.backing.dispatch(action: action)
  }

  public func dispatch(thunk: @Sendable (Store, Store) throws -> Void) rethrows {
    try thunk(self, self)
  }

  public func dispatch(thunk: @Sendable (Store, Store) async throws -> Void) async rethrows {
    try await thunk(self, self)
  }
}

extension Store: Selector {
  public func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.backing.snapshot().state)
  }
}

extension Store: Streamer {
  /// Makes a stream of all actions from now on, in the order of their dispatch, each with the
  /// state it was applied to. It never drops; how far its reader is behind shows in ``backlog``.
  public func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    self.backing.makeStream()
  }

  public func observe(
    _ body: @escaping @MainActor @Sendable (State, Action) -> Void
  ) -> Listening {
    self.backing.observe(body)
  }
}

// Beyond the guide: what a server needs.
extension Store {
  /// The newest state with its version and the actions that led there, from any thread.
  ///
  /// - Complexity: O(1).
  public nonisolated func snapshot() -> StoreSnapshot<State, Action> {
    self.backing.snapshot()
  }

  /// Makes a stream that tells *that* there were actions: however many come while nobody looks,
  /// they make one signal.
  public func makeSignal() -> AsyncStream<Void> {
    self.backing.makeSignal()
  }

  /// Names the store that this one is a scope of, or itself.
  package nonisolated var root: ObjectIdentifier {
    self.backing.rootID
  }

  /// How many actions the store that this one is a scope of has reduced.
  package nonisolated var rootVersion: UInt64 {
    self.backing.rootVersion
  }

  /// Lets go of actions that ``StoreSnapshot/actions(since:)`` of this store would give; those of its root
  /// and of other scopes stay.
  ///
  /// - Parameter version: A version of this store up to which all who look at it have seen them.
  /// - Complexity: O(n), n actions.
  package nonisolated func releaseActions(through version: UInt64) {
    self.backing.releaseActions(through: version)
  }

  /// Lets go of all actions of the store that this one is a scope of: nobody looks at those.
  ///
  /// - Complexity: O(n), n actions.
  package nonisolated func releaseRootActions() {
    self.backing.releaseRootActions()
  }

  /// Whether this store has a state of its own.
  package nonisolated var isRoot: Bool {
    self.backing.isRoot
  }

  /// How many actions the reader of the slowest stream is not done with: what to look at before
  /// letting more in. A reader is done with one when it asks for the next.
  ///
  /// - Complexity: O(k), k streams.
  public nonisolated var backlog: Int {
    self.backing.backlog
  }

  /// A store that shows a part of this one, so that a product sees its own state and actions.
  ///
  /// It copies no state, and nests. Its version is that of its own last action.
  ///
  /// ```swift
  /// let counter = store.scope(
  ///   state: { $0.counter },
  ///   action: { .counter($0) },
  ///   extract: { if case .counter(let action) = $0 { action } else { nil } }
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - state: The part of the state.
  ///   - action: The part's action as an action of this store.
  ///   - extract: The inverse of `action`: `nil` for the actions of other parts. Without it the
  ///     part could neither stream nor filter.
  /// - Complexity: O(1); from then on each dispatch calls `extract` once for this scope.
  public func scope<S, A>(
    state: @escaping @Sendable (State) -> S,
    action: @escaping @Sendable (A) -> Action,
    extract: @escaping @Sendable (Action) -> A?
  ) -> Store<S, A> where S: Sendable, A: Sendable {
    Store<S, A>(
      backing: self.backing.scope(Scope(state: state, tag: action, extract: extract))
    )
  }

  /// A store that shows the part of this one that a cursor leads to.
  ///
  /// - Complexity: As ``scope(state:action:extract:)``.
  public func scope<S, A>(_ cursor: Cursor<State, Action, S, A>) -> Store<S, A> {
    self.scope(state: cursor.get, action: cursor.tag, extract: cursor.extract)
  }

  /// What a component needs of a part: what it shows, and what can happen there.
  ///
  /// - Parameters:
  ///   - get: What is shown.
  ///   - tag: What happens there as an action of this store.
  public func viewStore<S, A>(
    get: @escaping @Sendable (State) -> S,
    tag: @escaping @Sendable (A) -> Action
  ) -> ViewStore<S, A> {
    ViewStore(self).viewStore(get: get, tag: tag)
  }
}
