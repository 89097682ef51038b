/// Where a ``Store`` has its state from: its own, or a part of another store's.
@MainActor protocol StoreBacking<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  nonisolated func snapshot() -> StoreSnapshot<State, Action>
  nonisolated var backlog: Int { get }
  /// The store that has a state of its own: this one, or the one that it is a part of.
  nonisolated var rootID: ObjectIdentifier { get }
  nonisolated var rootVersion: UInt64 { get }
  /// Whether this is the store that has a state of its own.
  nonisolated var isRoot: Bool { get }
  /// Of this store alone.
  nonisolated func releaseActions(through version: UInt64)
  /// All of the root's own.
  nonisolated func releaseRootActions()
  func dispatch(action: Action) throws
  func makeStream() -> AsyncStream<(oldState: State, action: Action)>
  func makeSignal() -> AsyncStream<Void>
  func observe(_ body: @escaping @MainActor @Sendable (State, Action) -> Void) -> Listening
  func scope<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>
  ) -> any StoreBacking<S, A>
}

/// How a part of a state, and its actions, lie in the whole.
struct Scope<State, Action, PartState, PartAction>: Sendable {
  /// The part of the state.
  let state: @Sendable (State) -> PartState
  /// The part's action as an action of the whole.
  let tag: @Sendable (PartAction) -> Action
  /// The inverse of `tag`: `nil` for actions of other parts.
  let extract: @Sendable (Action) -> PartAction?

  /// The scope of a part within this part.
  func appending<S, A>(
    _ inner: Scope<PartState, PartAction, S, A>
  ) -> Scope<State, Action, S, A> {
    Scope<State, Action, S, A>(
      state: { inner.state(self.state($0)) },
      tag: { self.tag(inner.tag($0)) },
      extract: { self.extract($0).flatMap(inner.extract) }
    )
  }
}
