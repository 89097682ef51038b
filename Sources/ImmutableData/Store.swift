/// The source of truth: one immutable state, and the reducer that makes the next state.
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

  /// Makes a store with its own state.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - reducer: Returns the next state for a state and an action, or throws to refuse the action.
  public init(
    initialState state: State,
    reducer: @escaping @Sendable (State, Action) throws -> State
  ) {
    self.backing = RootBacking(initialState: state) { state, action in
      Update(try reducer(state, action))
    }
  }

  /// Beyond the guide: makes a store whose reducer returns transitions. A reducer that returns
  /// effects needs lanes for them (``init(initialState:lanes:reducer:)``); without lanes that is a
  /// programmer error.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - reducer: Returns an update for a state and an action, or throws to refuse the action.
  public init(initialState state: State, reducer: Reducer<State, Action>) {
    self.backing = RootBacking(initialState: state, reduce: reducer.update)
  }

  /// Beyond the guide: makes a store whose reducer may also return effects.
  ///
  /// - Parameters:
  ///   - state: The state before the first action.
  ///   - lanes: Where effects run.
  ///   - reducer: Returns an update for a state and an action, or throws to refuse the action. If
  ///     the new state equals the old one, the old one is kept and no window is updated.
  public init(initialState state: State, lanes: EffectLanes, reducer: Reducer<State, Action>)
  where State: Equatable {
    self.backing = RootBacking(
      initialState: state,
      lanes: lanes,
      isSame: { $0 == $1 },
      reduce: reducer.update
    )
  }

  /// Beyond the guide: makes a store whose actions are put into an order that other stores share.
  ///
  /// - Parameters:
  ///   - state: The state at the version.
  ///   - version: The version of the newest action that the state contains.
  ///   - sequencer: Where its actions go. It is retained.
  ///   - reducer: Returns an update for a state and an action, or throws to refuse the action.
  package init(
    initialState state: State,
    version: UInt64,
    sequencer: some ActionSequencer<Action>,
    reducer: Reducer<State, Action>
  ) {
    self.backing = RootBacking(
      initialState: state,
      version: version,
      sequencer: sequencer,
      reduce: reducer.update
    )
  }

  private init(backing: any StoreBacking<State, Action>) {
    self.backing = backing
  }
}

extension Store: Dispatcher {
  /// Reduces one action, then notifies every stream. A store with a sequencer only sends the
  /// action.
  ///
  /// - Parameter action: What just happened.
  /// - Throws: What the reducer throws; then the state is unchanged and no stream is notified.
  /// - Complexity: The same as the reducer, plus O(k) for k streams.
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
    selector(self.backing.present)
  }
}

extension Store: Streamer {
  /// Makes a stream of all actions from now on, in the order of their dispatch, each with the
  /// state it was applied to. It never drops an action; ``backlog`` shows how far readers are
  /// behind.
  public func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    self.backing.makeStream()
  }

  /// Beyond the guide: calls back for every action from now on, also for those that other processes
  /// dispatch to the same state, before `dispatch` returns.
  ///
  /// - Parameter body: Receives the state before the action, the action, and the process that it
  ///   came from; `nil` for this one. It may start work, but must not dispatch.
  /// - Returns: A token: observation ends when the last reference to it is released.
  public func observe(
    _ body: @escaping @MainActor @Sendable (State, Action, _ node: String?) -> Void
  ) -> Subscription {
    self.backing.observe(body)
  }
}

// Beyond the guide: for stores with a sequencer.
extension Store {
  /// Dispatches an action and waits until it has been reduced. In a store with a sequencer, that
  /// takes a while.
  ///
  /// A store with a sequencer first tries the action out. If the reducer refuses it in the newest
  /// state, it is not sent, unless an action with this id was sent before, whose result counts.
  ///
  /// - Parameters:
  ///   - action: What just happened.
  ///   - id: Identifies the action in all stores that share the same order, in which it is reduced
  ///     once. A store without a sequencer ignores it.
  /// - Returns: Its version.
  /// - Throws: The reducer's error, in which case the state is unchanged; or an error that says why
  ///   the sequencer could not send the action.
  public func post(action: Action, id: String) async throws -> UInt64 {
    try await self.post(action: action, id: id) { _ in }
  }

  /// Dispatches an action like ``post(action:id:)``, unless the state rules it out. In a store with a
  /// sequencer, others may change the state between the check and the action.
  ///
  /// - Parameter check: Throws if the state rules the action out. That counts like a refusal by the
  ///   reducer.
  package func post(
    action: Action, id: String, check: @Sendable (State) throws -> Void
  ) async throws -> UInt64 {
    try await self.backing.post(action: action, id: id, check: check)
  }

  /// Waits until the store has reduced everything that its sequencer has put into order by now.
  ///
  /// - Throws: An error that says why it cannot.
  package func catchUp() async throws {
    try await self.backing.root.catchUp()
  }

  /// The version of the action that was posted with an id, if its sequencer knows one.
  ///
  /// - Throws: An error that says why the version is unknown.
  package func version(ofPost id: String) async throws -> UInt64? {
    try await self.backing.root.version(ofPost: id)
  }

  /// Reduces an action that the sequencer has put into its order. Streams and effects only see the
  /// actions of this store; signals and recorders see all actions.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - version: Higher than the version of the previous action.
  ///   - node: The process that sent it; `nil` for this one.
  /// - Throws: The reducer's error, in which case the state is unchanged and nothing is notified.
  package func apply(_ action: Action, version: UInt64, from node: String?) throws {
    try self.rootBacking.apply(action, version: version, from: node)
  }

  /// Continues with a later state of the order that the sequencer shares, because some of the actions
  /// that led to it can no longer be read. Signals fire, but streams and observers are not notified,
  /// so no effect runs.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - version: Its version, higher than that of the store.
  /// - Complexity: O(k + s) for k streams and s scoped stores.
  package func skip(to state: State, version: UInt64) {
    self.rootBacking.skip(to: state, version: version)
  }
}

// Beyond the guide: for developers.
extension Store {
  /// Shows another state in snapshots, and so in windows, until it is told to show its own state
  /// again. Signals fire, but streams and observers are not notified, so no effect runs.
  ///
  /// Meanwhile the store's own state keeps changing: actions of effects and outside events are
  /// reduced in it, and effects select from it. Actions of visitors are refused
  /// (``PastStateError``), because they refer to what visitors see. The store must have its own
  /// state and no sequencer.
  ///
  /// - Parameter state: The state to show instead of the store's own; `nil` shows the store's own
  ///   again.
  /// - Complexity: O(k + s) for k streams and s scoped stores.
  package func show(_ state: State?) {
    self.rootBacking.show(state)
  }

  /// The state that an action would lead to, by the store's reducer and without effects. The store
  /// does not change. It must have its own state.
  ///
  /// - Throws: What the reducer throws.
  /// - Complexity: The same as the reducer.
  package nonisolated func state(after action: Action, in state: State) throws -> State {
    try self.rootBacking.state(after: action, in: state)
  }

  private nonisolated var rootBacking: RootBacking<State, Action> {
    guard let backing = self.backing as? RootBacking<State, Action> else {
      preconditionFailure("this is for the store that has its own state")
    }
    return backing
  }
}

// Beyond the guide: for servers.
extension Store {
  /// The newest shown state, with its version and the actions that led to it. It can be read on any
  /// thread.
  ///
  /// - Complexity: O(1).
  public nonisolated func snapshot() -> StoreSnapshot<State, Action> {
    self.backing.snapshot()
  }

  /// Makes a stream that signals that there were actions. Actions that come while nobody reads the
  /// stream are coalesced into one signal.
  public func makeSignal() -> AsyncStream<Void> {
    self.backing.makeSignal()
  }

  /// The identity of the root store of this scope, or of this store itself.
  package nonisolated var root: ObjectIdentifier {
    ObjectIdentifier(self.backing.root)
  }

  /// The version of the newest action of the root store. The versions of its scopes are some of its
  /// versions.
  package nonisolated var rootVersion: UInt64 {
    self.backing.root.newestVersion
  }

  /// Whether other processes share its state. It then has a sequencer.
  public nonisolated var isShared: Bool {
    self.backing.root.isShared
  }

  /// The action of the root store that contains an action of this one.
  func rootAction(of action: Action) -> any Sendable {
    self.backing.rootAction(of: action)
  }

  /// This store's state in a state of its root.
  ///
  /// - Returns: `nil` if it is not a state of this store's root.
  package nonisolated func part(of root: any Sendable) -> State? {
    self.backing.part(of: root)
  }

  /// Calls a closure with every action that is dispatched from now on, including refused ones, for
  /// as long as the store's root exists. The closure is called before all other observers; it must
  /// be fast and must not dispatch. Without such closures a dispatch costs nothing extra.
  ///
  /// - Parameters:
  ///   - body: Receives the action, its origin, and the states before and after it.
  ///   - didSkip: Receives a state to which other processes' actions have led that this one has not
  ///     read, with its version.
  public func record(
    _ body: @escaping @MainActor @Sendable (Dispatch<State, Action>) -> Void,
    didSkip: @escaping @MainActor @Sendable (State, _ version: UInt64) -> Void = { _, _ in }
  ) {
    self.backing.record(StoreRecorder(record: body, didSkip: didSkip))
  }

  /// Removes actions from the log of this store (``StoreSnapshot/actions(since:)``). The logs of
  /// its root and of other scopes are unchanged.
  ///
  /// - Parameter version: The version of this store up to which all readers have seen the actions.
  /// - Complexity: O(n), n actions.
  package nonisolated func releaseActions(through version: UInt64) {
    self.backing.releaseActions(through: version)
  }

  /// Removes all actions from the log of the root store, for when nobody reads them.
  ///
  /// - Complexity: O(n), n actions.
  package nonisolated func releaseRootActions() {
    self.backing.root.releaseActions(through: .max)
  }

  /// Whether this store has its own state.
  package nonisolated var isRoot: Bool {
    self.backing === self.backing.root
  }

  /// The number of actions that the slowest stream's reader has not finished with. Check it before
  /// accepting more work. A reader has finished with an action when it asks for the next one.
  ///
  /// - Complexity: O(k), k streams.
  public nonisolated var backlog: Int {
    self.backing.root.backlog
  }

  /// A store that shows a part of this one, so that a product sees only its own state and actions.
  ///
  /// It copies no state, and scopes can be nested. Its version is that of its own last action.
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
  ///   - extract: The inverse of `action`: `nil` for the actions of other parts. Without it, the
  ///     part could neither stream nor filter actions.
  /// - Complexity: O(1); afterwards each dispatch calls `extract` once for this scope.
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
  /// - Complexity: The same as ``scope(state:action:extract:)``.
  public func scope<S, A>(_ cursor: Cursor<State, Action, S, A>) -> Store<S, A> {
    self.scope(state: cursor.get, action: cursor.tag, extract: cursor.extract)
  }

  /// The part of a store that a component needs: its state and its actions.
  ///
  /// - Parameters:
  ///   - get: The part of the state.
  ///   - tag: The part's action as an action of this store.
  public func viewStore<S, A>(
    get: @escaping @Sendable (State) -> S,
    tag: @escaping @Sendable (A) -> Action
  ) -> ViewStore<S, A> {
    ViewStore(self).viewStore(get: get, tag: tag)
  }
}
