import Synchronization

/// The backing of a store that has a state of its own.
@MainActor final class RootBacking<State: Sendable, Action: Sendable>: StoreBacking {
  private struct Contents {
    var state: State
    var version: UInt64 = 0
    var log = ActionLog<State, Action>()
    /// Each belongs to a store, and goes with it.
    var scopes: [Int: ScopeVersion] = [:]
    var scopeCount = 0

    mutating func commit(_ state: State, _ logged: LoggedAction<State, Action>) {
      self.state = state
      self.version += 1
      var own: [Int] = []
      for (id, scope) in self.scopes where scope.isOwn(logged.action) {
        self.scopes[id]?.version = self.version
        own.append(id)
      }
      self.didRelease(self.log.append(logged, version: self.version, of: own))
    }

    mutating func release(through version: UInt64) {
      self.didRelease(self.log.release(through: version))
    }

    private mutating func didRelease(_ versions: [(scope: Int, version: UInt64)]) {
      for (id, version) in versions {
        self.scopes[id]?.released = version
      }
    }
  }

  private struct ScopeVersion {
    let isOwn: @Sendable (Action) -> Bool
    /// That of its own last action.
    var version: UInt64 = 0
    /// That of its newest action that the log has let go of: of those of others it needs none.
    var released: UInt64
  }

  private let reducer: Reducer<State, Action>
  private let registrar = StreamRegistrar<(oldState: State, action: Action)>()
  private let contents: Mutex<Contents>

  init(initialState state: State, reducer: @escaping Reducer<State, Action>) {
    self.reducer = reducer
    self.contents = Mutex(Contents(state: state))
  }

  nonisolated var backlog: Int {
    self.registrar.backlog
  }

  nonisolated func snapshot() -> StoreSnapshot<State, Action> {
    self.contents.withLock { contents in
      let log = contents.log
      return StoreSnapshot(version: contents.version, state: contents.state) { old in
        old < log.released ? nil : Array(log.actions(since: old))
      }
    }
  }

  nonisolated var rootID: ObjectIdentifier {
    ObjectIdentifier(self)
  }

  nonisolated var rootVersion: UInt64 {
    self.contents.withLock { $0.version }
  }

  nonisolated func releaseActions(through version: UInt64) {
    self.contents.withLock { $0.release(through: version) }
  }

  func dispatch(action: Action) throws {
    let oldState = self.contents.withLock { $0.state }
    // Only the main actor writes, so the state cannot change under the reducer.
    let newState = try self.reducer(oldState, action)
    self.contents.withLock { contents in
      contents.commit(newState, LoggedAction(oldState: oldState, action: action))
    }
    self.registrar.yield((oldState: oldState, action: action))
  }

  func makeStream() -> AsyncStream<(oldState: State, action: Action)> {
    self.registrar.makeStream()
  }

  func makeSignal() -> AsyncStream<Void> {
    self.registrar.makeSignal { _ in true }
  }

  func scope<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>
  ) -> any StoreBacking<S, A> {
    ScopedBacking(root: self, scope: scope)
  }
}

// What scoped stores need of their root.
extension RootBacking {
  /// Keeps the version of a scope's last own action from now on.
  nonisolated func addScope(_ isOwn: @escaping @Sendable (Action) -> Bool) -> Int {
    self.contents.withLock { contents in
      contents.scopeCount += 1
      // Which of those that have gone were its own nobody can tell.
      contents.log.addScope(contents.scopeCount, isOwn)
      contents.scopes[contents.scopeCount] = ScopeVersion(
        isOwn: isOwn,
        released: contents.log.released
      )
      return contents.scopeCount
    }
  }

  nonisolated func removeScope(_ id: Int) {
    self.contents.withLock { contents in
      _ = contents.scopes.removeValue(forKey: id)
    }
  }

  /// A snapshot of the scope's part, with version and state of one moment.
  nonisolated func snapshot<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>,
    id: Int
  ) -> StoreSnapshot<S, A> {
    let (state, own, log) = self.contents.withLock { contents in
      (contents.state, contents.scopes[id], contents.log)
    }
    return StoreSnapshot(version: own?.version ?? 0, state: scope.state(state)) { old in
      guard let released = own?.released, old >= released else { return nil }
      return log.actions(since: old).compactMap { logged in
        scope.extract(logged.action).map { action in
          LoggedAction(oldState: scope.state(logged.oldState), action: action)
        }
      }
    }
  }

  func makeSignal(_ isIncluded: @escaping @Sendable (Action) -> Bool) -> AsyncStream<Void> {
    self.registrar.makeSignal { isIncluded($0.action) }
  }

  func makeStream<T: Sendable>(
    _ transform: @escaping @Sendable ((oldState: State, action: Action)) -> T?
  ) -> AsyncStream<T> {
    self.registrar.makeStream(transform)
  }
}
