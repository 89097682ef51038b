import Synchronization

/// The backing of a store that shows a part of a root store. It copies no state, and logs only its
/// own actions.
@MainActor
final class ScopedBacking<
  Root: Sendable, RootAction: Sendable, State: Sendable, Action: Sendable
>: StoreBacking {
  private let rootBacking: RootBacking<Root, RootAction>
  private let scope: Scope<Root, RootAction, State, Action>
  private let log: Log
  private let id: Int

  init(root: RootBacking<Root, RootAction>, scope: Scope<Root, RootAction, State, Action>) {
    self.rootBacking = root
    self.scope = scope
    self.log = Log(scope)
    self.id = root.add(self.log)
  }

  deinit {
    self.rootBacking.removeScope(self.id)
  }

  nonisolated var root: any StoreRoot { self.rootBacking }

  nonisolated func part(of root: any Sendable) -> State? {
    (root as? Root).map(self.scope.state)
  }

  nonisolated func releaseActions(through version: UInt64) {
    self.log.release(through: version)
  }

  nonisolated var present: State { self.scope.state(self.rootBacking.present) }

  nonisolated func snapshot() -> StoreSnapshot<State, Action> {
    self.rootBacking.withState { self.log.snapshot(self.scope.state($0), isPast: $1) }
  }

  func rootAction(of action: Action) -> any Sendable { self.scope.tag(action) }

  func dispatch(action: Action) throws {
    try self.rootBacking.dispatch(action: self.scope.tag(action))
  }

  func post(
    action: Action, id: String, check: @Sendable (State) throws -> Void
  ) async throws -> UInt64 {
    let scope = self.scope
    return try await self.rootBacking.post(action: scope.tag(action), id: id) { root in
      try check(scope.state(root))
    }
  }

  func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    let scope = self.scope
    return self.rootBacking.makeStream { element in
      scope.extract(element.action).map { action in
        (oldState: scope.state(element.oldState), action: action)
      }
    }
  }

  func makeSignal() -> AsyncStream<Void> {
    let scope = self.scope
    return self.rootBacking.makeSignal { scope.extract($0) != nil }
  }

  func observe(
    _ body: @escaping @MainActor @Sendable (State, Action, _ node: String?) -> Void
  ) -> Subscription {
    let scope = self.scope
    return self.rootBacking.observe { oldState, action, node in
      if let action = scope.extract(action) {
        body(scope.state(oldState), action, node)
      }
    }
  }

  func record(_ recorder: StoreRecorder<State, Action>) {
    let scope = self.scope
    self.rootBacking.record(
      StoreRecorder(
        record: { dispatch in
          if let action = scope.extract(dispatch.action) {
            recorder.record(dispatch.map(action, scope.state))
          }
        },
        didSkip: { recorder.didSkip(scope.state($0), $1) }
      ))
  }

  func scope<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>
  ) -> any StoreBacking<S, A> {
    ScopedBacking<Root, RootAction, S, A>(
      root: self.rootBacking, scope: self.scope.appending(scope))
  }
}

/// Receives the actions of the root for a scope's log.
protocol ScopeLog<State, Action>: Sendable {
  associatedtype State: Sendable
  associatedtype Action: Sendable

  /// - Parameter size: The size of the action's payload.
  func append(_ logged: LoggedAction<State, Action>, version: UInt64, size: ActionSize)
  /// Counts an action of this scope that has changed nothing, without logging it.
  func advance(_ action: Action, to version: UInt64)
  /// Removes all actions, because no action led to the state at this version.
  func interrupt(at version: UInt64)
}

extension ScopedBacking {
  fileprivate final class Log: ScopeLog {
    private let scope: Scope<Root, RootAction, State, Action>
    private let contents = Mutex((version: UInt64(0), log: RecentActions<State, Action>()))

    init(_ scope: Scope<Root, RootAction, State, Action>) {
      self.scope = scope
    }

    func append(_ logged: LoggedAction<Root, RootAction>, version: UInt64, size: ActionSize) {
      guard let action = self.scope.extract(logged.action) else { return }
      let own = LoggedAction(
        oldState: self.scope.state(logged.oldState),
        action: action,
        transition: logged.transition,
        trace: logged.trace
      )
      self.contents.withLock { contents in
        contents.version = version
        contents.log.append(own, version: version, size: size)
      }
    }

    func advance(_ action: RootAction, to version: UInt64) {
      guard self.scope.extract(action) != nil else { return }
      self.contents.withLock { $0.version = version }
    }

    func interrupt(at version: UInt64) {
      self.contents.withLock { contents in
        contents.version = version
        contents.log.interrupt(at: version)
      }
    }

    func release(through version: UInt64) {
      self.contents.withLock { $0.log.release(through: version) }
    }

    func snapshot(_ state: State, isPast: Bool) -> StoreSnapshot<State, Action> {
      self.contents.withLock {
        StoreSnapshot(version: $0.version, state: state, log: $0.log, isPast: isPast)
      }
    }
  }
}
