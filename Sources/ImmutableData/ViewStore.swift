/// A part of a store for a component or an effect: it can select from the state and dispatch
/// actions.
///
/// It has no log and no streams. Use ``Store/scope(_:)`` for those.
///
/// Source: ObservableStore, Creating scoped child components.
public struct ViewStore<State: Sendable, Action: Sendable>: Sendable {
  private let get: @MainActor @Sendable () -> State
  private let send: @MainActor @Sendable (Action) throws -> Void
  /// Lets the store run a thunk; `nil`: this view store runs it itself.
  private let run: (@MainActor @Sendable (Effect<State, Action>.Thunk) async throws -> Void)?

  init(
    get: @escaping @MainActor @Sendable () -> State,
    send: @escaping @MainActor @Sendable (Action) throws -> Void,
    run: (@MainActor @Sendable (Effect<State, Action>.Thunk) async throws -> Void)? = nil
  ) {
    self.get = get
    self.send = send
    self.run = run
  }

  /// - Parameter store: Retained by this view store.
  public init(
    _ store: some ImmutableData.Dispatcher<State, Action> & ImmutableData.Selector<State>
  ) {
    // It would run a thunk in the same way, after changing to the main actor and back.
    if store is Store<State, Action> {
      self.init(get: { store.state }, send: { try store.dispatch(action: $0) })
      return
    }
    self.init(
      get: { store.state },
      send: { try store.dispatch(action: $0) },
      run: { thunk in
        try await store.dispatch { dispatcher, selector in
          let store = Self(
            get: { selector.state }, send: { try dispatcher.dispatch(action: $0) })
          try await thunk(store, store)
        }
      }
    )
  }

  /// Runs the thunk of an effect through the store, so that a store sees every thunk, as in the
  /// guide.
  ///
  /// - Throws: What the thunk throws.
  func run(_ thunk: Effect<State, Action>.Thunk) async throws {
    if let run = self.run {
      try await run(thunk)
    } else {
      try await thunk(self, self)
    }
  }

  /// A part of this view store.
  ///
  /// - Parameters:
  ///   - get: The part of the state.
  ///   - tag: The part's action as an action of this view store.
  public func viewStore<S, A>(
    get: @escaping @Sendable (State) -> S,
    tag: @escaping @Sendable (A) -> Action
  ) -> ViewStore<S, A> {
    ViewStore<S, A>(get: { get(self.get()) }, send: { try self.send(tag($0)) })
  }
}

extension ViewStore: Selector {
  public func select<T>(_ selector: @Sendable (State) -> T) -> T where T: Sendable {
    selector(self.get())
  }
}

extension ViewStore: Dispatcher {
  public func dispatch(action: Action) throws {
    try self.send(action)
  }

  public func dispatch(thunk: @Sendable (Self, Self) throws -> Void) rethrows {
    try thunk(self, self)
  }

  public func dispatch(thunk: @Sendable (Self, Self) async throws -> Void) async rethrows {
    try await thunk(self, self)
  }
}
