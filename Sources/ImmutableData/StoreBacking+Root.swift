import Synchronization

/// The backing of a store that has a state of its own.
@MainActor final class RootBacking<State: Sendable, Action: Sendable>: StoreBacking {
  private struct Contents {
    var state: State
    var version: UInt64 = 0
    /// The newest actions, oldest first; its last has the number `version`.
    var log: [LoggedAction<State, Action>] = []
    var scopes: [Int: ScopeVersion] = [:]
    var scopeCount = 0

    mutating func commit(_ state: State, _ logged: LoggedAction<State, Action>) {
      self.state = state
      self.version += 1
      self.log.append(logged)
      if self.log.count >= 2 * RootBacking.logLimit {
        self.log.removeFirst(self.log.count - RootBacking.logLimit)
      }
      for (id, scope) in self.scopes where scope.isOwn(logged.action) {
        self.scopes[id]?.version = self.version
      }
    }
  }

  private struct ScopeVersion {
    let isOwn: @Sendable (Action) -> Bool
    var version: UInt64 = 0
  }

  /// The log is cut to this length once it is twice as long.
  private nonisolated static var logLimit: Int { 64 }

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
      let (version, log) = (contents.version, contents.log)
      return StoreSnapshot(version: version, state: contents.state) { old in
        Self.actions(since: old, in: log, endingAt: version)
      }
    }
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
    self.registrar.makeSignal()
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
      contents.scopes[contents.scopeCount] = ScopeVersion(isOwn: isOwn)
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
    let (state, version, rootVersion, log) = self.contents.withLock { contents in
      (contents.state, contents.scopes[id]?.version ?? 0, contents.version, contents.log)
    }
    return StoreSnapshot(version: version, state: scope.state(state)) { old in
      Self.actions(since: old, in: log, endingAt: rootVersion)?.compactMap { logged in
        scope.extract(logged.action).map { action in
          LoggedAction(oldState: scope.state(logged.oldState), action: action)
        }
      }
    }
  }

  func makeStream<T: Sendable>(
    _ transform: @escaping @Sendable ((oldState: State, action: Action)) -> T?
  ) -> AsyncStream<T> {
    self.registrar.makeStream(transform)
  }
}

extension RootBacking {
  private nonisolated static func actions(
    since old: UInt64,
    in log: [LoggedAction<State, Action>],
    endingAt version: UInt64
  ) -> [LoggedAction<State, Action>]? {
    let count = Int(version - min(old, version))
    return count <= log.count ? Array(log.suffix(count)) : nil
  }
}
