/// Where a ``Store`` gets its state: its own, or a part of another store's.
@MainActor protocol StoreBacking<State, Action>: AnyObject, Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  nonisolated func snapshot() -> StoreSnapshot<State, Action>
  /// The state in which actions are reduced, even while another state is shown.
  nonisolated var present: State { get }
  /// This one if it has its own state, otherwise the one that has.
  nonisolated var root: any StoreRoot { get }
  /// This store's part of a state of its root; `nil` if it is not a state of its root.
  nonisolated func part(of root: any Sendable) -> State?
  /// Removes actions from the log of this store only.
  nonisolated func releaseActions(through version: UInt64)
  /// The action of the root that contains an action of this store.
  func rootAction(of action: Action) -> any Sendable
  func dispatch(action: Action) throws
  func post(
    action: Action, id: String, check: @Sendable (State) throws -> Void
  ) async throws -> UInt64
  func makeStream() -> AsyncStream<(oldState: State, action: Action)>
  func makeSignal() -> AsyncStream<Void>
  func observe(
    _ body: @escaping @MainActor @Sendable (State, Action, _ node: String?) -> Void
  ) -> Subscription
  func record(_ recorder: StoreRecorder<State, Action>)
  func scope<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>
  ) -> any StoreBacking<S, A>
}

/// The backing of a store that has its own state, without its types.
@MainActor protocol StoreRoot: AnyObject, Sendable {
  nonisolated var backlog: Int { get }
  /// The version of the newest action.
  nonisolated var newestVersion: UInt64 { get }
  /// Whether it has a sequencer.
  nonisolated var isShared: Bool { get }
  nonisolated func releaseActions(through version: UInt64)
  func catchUp() async throws
  func version(ofPost id: String) async throws -> UInt64?
}

/// Receives what happens to a store.
struct StoreRecorder<State: Sendable, Action: Sendable>: Sendable {
  let record: @MainActor @Sendable (Dispatch<State, Action>) -> Void
  let didSkip: @MainActor @Sendable (State, _ version: UInt64) -> Void
}

/// How to find a part's state in the whole, and convert its actions.
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
