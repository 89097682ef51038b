import Synchronization
import Tracing

/// The backing of a store that has its own state.
@MainActor final class RootBacking<State: Sendable, Action: Sendable>: StoreBacking, StoreRoot {
  /// Returns an update for a state and an action.
  typealias Reduce = @Sendable (State, Action) throws -> Update<State, Action>
  typealias Element = (oldState: State, action: Action)

  private struct Contents {
    var state: State
    /// The state that snapshots show instead (``Store/show(_:)``).
    var shown: State?
    /// The version of the state that snapshots show.
    var version: UInt64
    /// The version of the newest action. The shown state may be older.
    var newest: UInt64
    var log = RecentActions<State, Action>()
    /// Bounded by the scoped stores: each entry is removed when its store is released.
    var scopes: [Int: any ScopeLog<State, Action>] = [:]
    var scopeCount = 0

    /// Counts up for an action that is reduced, or for a state that is shown.
    mutating func nextVersion() -> UInt64 {
      self.newest += 1
      return self.newest
    }

    /// Shows a state to which no logged action has led.
    mutating func interrupt(at version: UInt64) {
      self.version = version
      self.log.interrupt(at: version)
      for scope in self.scopes.values { scope.interrupt(at: version) }
    }
  }

  private nonisolated let reduce: Reduce
  /// Whether two successive states are equal.
  private let isSame: @Sendable (State, State) -> Bool
  private let lanes: EffectLanes?
  private let sequencer: (any ActionSequencer<Action>)?
  private let registrar = StreamRegistrar<Element>()
  /// One for each call of ``record(_:)``.
  private var recorders: [StoreRecorder<State, Action>] = []
  private let contents: Mutex<Contents>

  init(
    initialState state: State,
    version: UInt64 = 0,
    lanes: EffectLanes? = nil,
    isSame: @escaping @Sendable (State, State) -> Bool = { _, _ in false },
    sequencer: (any ActionSequencer<Action>)? = nil,
    reduce: @escaping Reduce
  ) {
    self.reduce = reduce
    self.isSame = isSame
    self.lanes = lanes
    self.sequencer = sequencer
    self.contents = Mutex(Contents(state: state, version: version, newest: version))
  }

  nonisolated var backlog: Int {
    self.registrar.backlog
  }

  nonisolated func snapshot() -> StoreSnapshot<State, Action> {
    self.contents.withLock {
      StoreSnapshot(
        version: $0.version,
        state: $0.shown ?? $0.state,
        log: $0.log,
        isPast: $0.shown != nil
      )
    }
  }

  nonisolated var present: State { self.contents.withLock { $0.state } }

  nonisolated var root: any StoreRoot { self }

  nonisolated var newestVersion: UInt64 { self.contents.withLock { $0.newest } }

  nonisolated var isShared: Bool { self.sequencer != nil }

  nonisolated func part(of root: any Sendable) -> State? { root as? State }

  nonisolated func releaseActions(through version: UInt64) {
    self.contents.withLock { $0.log.release(through: version) }
  }

  func rootAction(of action: Action) -> any Sendable { action }

  func dispatch(action: Action) throws {
    guard let sequencer else { return try self.reduce(action) }
    try sequencer.send(action)
  }

  func post(
    action: Action, id: String, check: @Sendable (State) throws -> Void
  ) async throws -> UInt64 {
    guard let sequencer else {
      try check(self.present)
      try self.reduce(action)
      return self.snapshot().version
    }
    do {
      try self.tryOut(action, check)
    } catch {
      // The others may have a newer state, which accepts it, or it may have been reduced before, and
      // that may be why the state refuses it now.
      try await sequencer.catchUp()
      do {
        try self.tryOut(action, check)
      } catch {
        guard let version = try await sequencer.version(ofPost: id) else { throw error }
        return version
      }
    }
    return try await sequencer.post(action, id: id)
  }

  /// Reduces an action in the present state, without any consequence.
  ///
  /// - Throws: What the check throws, or the reducer.
  private func tryOut(_ action: Action, _ check: (State) throws -> Void) throws {
    let state = self.present
    try check(state)
    _ = try self.reduce(state, action)
  }

  func catchUp() async throws {
    try await self.sequencer?.catchUp()
  }

  func version(ofPost id: String) async throws -> UInt64? {
    try await self.sequencer?.version(ofPost: id)
  }

  /// Reduces an action that the sequencer has put into its order.
  func apply(_ action: Action, version: UInt64, from node: String?) throws {
    self.contents.withLock { contents in
      precondition(version > contents.newest, "versions never decrease")
      contents.newest = version - 1
    }
    try self.reduce(action, from: node)
  }

  /// Adds a span to the trace of the request. Without a tracer there is none.
  private func reduce(_ action: Action, from node: String? = nil) throws {
    guard ServiceContext.current != nil else {
      _ = try self.reduceUntraced(action, from: node)
      return
    }
    try withSpan("reduce") { span in
      let version = try self.reduceUntraced(action, from: node)
      span.attributes["action.version"] = Int64(clamping: version)
    }
  }

  /// - Returns: The action's version.
  private func reduceUntraced(_ action: Action, from node: String?) throws -> UInt64 {
    let (oldState, isPast) = self.contents.withLock { ($0.state, $0.shown != nil) }
    if isPast, ActionOrigin.current?.isVisitor == true { throw PastStateError() }
    // Only the main actor writes, so the state cannot change while the reducer runs.
    guard self.recorders.isEmpty == false else {
      let update = try self.reduce(oldState, action)
      return self.didReduce(action, oldState, update, from: node)
    }
    let begun = ContinuousClock.now
    let update = Result { try self.reduce(oldState, action) }
    let dispatch = { version in
      Dispatch(
        action: action,
        origin: ActionOrigin.current,
        oldState: oldState,
        // A key path into a generic type is made each time that it is used.
        result: update.map { $0.state },
        version: version,
        duration: .now - begun
      )
    }
    switch update {
    case .success(let update):
      return self.didReduce(action, oldState, update, from: node) { version in
        for recorder in self.recorders { recorder.record(dispatch(version)) }
      }
    case .failure(let error):
      let version = self.snapshot().version
      for recorder in self.recorders { recorder.record(dispatch(version)) }
      throw error
    }
  }

  func record(_ recorder: StoreRecorder<State, Action>) {
    self.recorders.append(recorder)
  }

  /// Shows another state instead of its own; `nil` shows its own again.
  func show(_ state: State?) {
    precondition(self.sequencer == nil, "a store that others share shows its own state")
    self.contents.withLock { contents in
      let version = contents.nextVersion()
      contents.shown = state
      contents.interrupt(at: version)
    }
    self.registrar.signal()
  }

  /// Continues with a later state of the order that the sequencer shares.
  func skip(to state: State, version: UInt64) {
    self.contents.withLock { contents in
      precondition(version > contents.newest, "versions never decrease")
      (contents.state, contents.newest) = (state, version)
      contents.interrupt(at: version)
    }
    for recorder in self.recorders { recorder.didSkip(state, version) }
    self.registrar.signal()
  }

  /// The state after an action, without any effect.
  nonisolated func state(after action: Action, in state: State) throws -> State {
    try self.reduce(state, action).state
  }

  /// - Parameters:
  ///   - node: The other process where its effects run; `nil` if they run here.
  ///   - record: Called before the observers of the action.
  /// - Returns: Its version.
  private func didReduce(
    _ action: Action,
    _ oldState: State,
    _ update: Update<State, Action>,
    from node: String?,
    record: (UInt64) -> Void = { _ in }
  ) -> UInt64 {
    precondition(
      update.effects.isEmpty || self.lanes != nil,
      "a reducer's effects need lanes: Store(initialState:lanes:reducer:)"
    )
    let isSame = self.isSame(oldState, update.state)
    let logged = LoggedAction(
      oldState: oldState,
      action: action,
      transition: update.transition,
      trace: ServiceContext.current
    )
    let size = ActionSize(of: action)
    let version = self.contents.withLock { contents in
      let version = contents.nextVersion()
      let isPast = contents.shown != nil
      if isPast == false { contents.version = version }
      // The state is the same, so readers need not look at the action.
      guard isSame == false else {
        for scope in contents.scopes.values where isPast == false {
          scope.advance(action, to: version)
        }
        return version
      }
      contents.state = update.state
      guard isPast == false else { return version }
      contents.log.append(logged, version: version, size: size)
      for scope in contents.scopes.values { scope.append(logged, version: version, size: size) }
      return version
    }
    record(version)
    ActionOrigin.$observed.withValue(version) {
      self.registrar.yield((oldState: oldState, action: action), from: node)
      for effect in update.effects where node == nil {
        self.lanes?.run(effect, on: self.viewStore, causedBy: action)
      }
    }
    return version
  }

  private var viewStore: ViewStore<State, Action> {
    ViewStore(get: { self.present }, send: { try self.dispatch(action: $0) })
  }

  func makeStream() -> AsyncStream<Element> {
    self.registrar.makeStream()
  }

  func makeSignal() -> AsyncStream<Void> {
    self.registrar.makeSignal { _ in true }
  }

  func observe(
    _ body: @escaping @MainActor @Sendable (State, Action, _ node: String?) -> Void
  ) -> Subscription {
    self.registrar.observe { element, node in body(element.oldState, element.action, node) }
  }

  func scope<S: Sendable, A: Sendable>(
    _ scope: Scope<State, Action, S, A>
  ) -> any StoreBacking<S, A> {
    ScopedBacking(root: self, scope: scope)
  }
}

// What scoped stores need from their root.
extension RootBacking {
  /// Appends actions to a scope's log from now on.
  nonisolated func add(_ log: some ScopeLog<State, Action>) -> Int {
    self.contents.withLock { contents in
      contents.scopeCount += 1
      contents.scopes[contents.scopeCount] = log
      return contents.scopeCount
    }
  }

  nonisolated func removeScope(_ id: Int) {
    self.contents.withLock { contents in
      _ = contents.scopes.removeValue(forKey: id)
    }
  }

  /// Reads the state and other data at one consistent version.
  nonisolated func withState<Value: Sendable>(_ read: (State, _ isPast: Bool) -> Value) -> Value {
    self.contents.withLock { read($0.shown ?? $0.state, $0.shown != nil) }
  }

  func makeSignal(_ isIncluded: @escaping @Sendable (Action) -> Bool) -> AsyncStream<Void> {
    self.registrar.makeSignal { isIncluded($0.action) }
  }

  func makeStream<T: Sendable>(
    _ transform: @escaping @Sendable (Element) -> T?
  ) -> AsyncStream<T> {
    self.registrar.makeStream(transform)
  }
}
