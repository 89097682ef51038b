/// The backing of a store that shows a part of a root store. It copies no state.
@MainActor
final class ScopedBacking<
  Root: Sendable, RootAction: Sendable, State: Sendable, Action: Sendable
>: StoreBacking {
  private let root: RootBacking<Root, RootAction>
  private let scope: Scope<Root, RootAction, State, Action>
  private let id: Int

  init(root: RootBacking<Root, RootAction>, scope: Scope<Root, RootAction, State, Action>) {
    self.root = root
    self.scope = scope
    self.id = root.addScope { action in scope.extract(action) != nil }
  }

  deinit {
    self.root.removeScope(self.id)
  }

  nonisolated var backlog: Int {
    self.root.backlog
  }

  nonisolated var rootID: ObjectIdentifier {
    self.root.rootID
  }

  nonisolated var rootVersion: UInt64 {
    self.root.rootVersion
  }

  nonisolated func releaseActions(through version: UInt64) {
    self.root.releaseActions(through: version)
  }

  nonisolated func snapshot() -> StoreSnapshot<State, Action> {
    self.root.snapshot(self.scope, id: self.id)
  }

  func dispatch(action: Action) throws {
    try self.root.dispatch(action: self.scope.tag(action))
  }

  func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    let scope = self.scope
    return self.root.makeStream { element in
      scope.extract(element.action).map { action in
        (oldState: scope.state(element.oldState), action: action)
      }
    }
  }

  func makeSignal() -> AsyncStream<Void> {
    let scope = self.scope
    return self.root.makeSignal { scope.extract($0) != nil }
  }

  func scope<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>
  ) -> any StoreBacking<S, A> {
    ScopedBacking<Root, RootAction, S, A>(root: self.root, scope: self.scope.appending(scope))
  }
}
