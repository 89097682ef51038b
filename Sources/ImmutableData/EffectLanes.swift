public import Logging
import Synchronization

/// Runs effects concurrently with the actions that cause them, so that a slow effect delays only
/// the effects that must come after it.
///
/// Effects in the same lane run one at a time, in the order in which they were begun. Effects
/// without a lane, or in different lanes, run concurrently. Effects made by ``Operations`` end at
/// the deadline or when they are cancelled, even if their work goes on.
///
/// ```swift
/// let lanes = EffectLanes()
/// self.listening = lanes.listen(to: store) { oldState, newState, action in
///   switch action {
///   case .onTapSave(let note):
///     [Effect("notes.save", lane: "notes.write", session.saveMutation(note))]
///   case .didSave: []
///   }
/// }
/// ```
///
/// No effect is dropped. A server refuses posts (503) while the effects of too many have not ended
/// (``BacklogEntry``). That bounds what is stored here.
@MainActor public final class EffectLanes: Sendable {
  /// Runs around each effect.
  ///
  /// - Parameters:
  ///   - effect: The effect's name.
  ///   - next: Runs the effect and rethrows its error.
  public typealias Middleware =
    @Sendable (_ effect: String, _ next: @Sendable () async throws -> Void) async throws -> Void

  /// Called when ``OutsideEvents`` can no longer be followed, and when they can be followed again.
  public typealias OnOutage = @Sendable (_ events: String, _ isLost: Bool) -> Void

  /// The lane of all effects of serial lanes.
  private static let serialLane = ""

  /// The newest effect of each lane. Bounded by the number of lanes, which is small.
  private var newest: [String: Task<Void, Never>] = [:]
  /// The effects that have not ended, by number.
  private var runs: [Int: EffectRun] = [:]
  private var runCount = 0
  private var foreign = ForeignEffects()
  private var orphans = Orphans()
  private var leadership = Leadership()
  private nonisolated let underWay = Mutex(UnderWay())
  private nonisolated let isSerial: Bool
  private nonisolated let deadline: Duration?
  private nonisolated let deadlines: (any AnyDeadlines)?
  private nonisolated let clock: any Clock<Duration>
  private nonisolated let middleware: [Middleware]
  private nonisolated let logger: Logger
  nonisolated let onOutage: OnOutage

  /// - Parameters:
  ///   - isSerial: Whether all effects share one lane, so that each is awaited, as in the guide.
  ///   - deadline: How long an operation may take before it fails; `nil` for no limit.
  ///   - clock: Measures the deadline and the pauses between attempts.
  ///   - middleware: Runs around each effect, the first one outermost: for logging, metrics, or to
  ///     hold effects back in a test.
  ///   - logger: Logs the errors that nobody else receives.
  ///   - onOutage: Called when ``OutsideEvents`` are lost and when they are available again, for
  ///     metrics.
  public nonisolated init(
    isSerial: Bool = false,
    deadline: Duration? = .seconds(120),
    clock: any Clock<Duration> = ContinuousClock(),
    middleware: [Middleware] = [],
    logger: Logger = Logger(label: "effects"),
    onOutage: @escaping OnOutage = { _, _ in }
  ) {
    self.isSerial = isSerial
    func deadlines(_ limit: Duration, on clock: some Clock<Duration>) -> any AnyDeadlines {
      Deadlines(limit, on: clock)
    }
    self.deadline = deadline
    self.deadlines = deadline.map { deadlines($0, on: clock) }
    self.clock = clock
    self.middleware = middleware
    self.logger = logger
    self.onOutage = onOutage
  }

  /// The effects that have not ended.
  private struct UnderWay: Sendable {
    var count = 0
    /// How many have begun so far that have a condition: of those, the state shows that they are in
    /// progress.
    var begun = 0
    /// When the newest of those began; `nil` once it has ended.
    var newest: ContinuousClock.Instant?
    /// Those who wait for its end. Bounded by the products.
    var waiting: [First<Void>] = []
  }

  /// The number of effects that have not ended.
  public nonisolated var count: Int {
    self.underWay.withLock { $0.count }
  }

  /// Waits for the end of the newest effect with a condition, but only until some time after its begin.
  /// It ends with the task, too.
  package nonisolated func waitForNewest(_ patience: Duration) async {
    let end = First<Void>()
    let deadline = self.underWay.withLock { underWay -> ContinuousClock.Instant? in
      guard let deadline = underWay.newest?.advanced(by: patience), deadline > .now else {
        return nil
      }
      underWay.waiting.append(end)
      return deadline
    }
    guard let deadline else { return }
    let timer = Task {
      try await Task.sleep(until: deadline, clock: .continuous)
      _ = end.set(())
    }
    await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      _ = end.set(())
    }
    timer.cancel()
    self.underWay.withLock { $0.waiting.removeAll { $0 === end } }
  }

  /// The names of the effects that have not ended, the oldest first.
  public var names: [String] {
    self.runs.sorted { $0.key < $1.key }.map(\.value.name)
  }

  /// An effect that has not ended after this time never will, in any process.
  private var longest: Duration { (self.deadline ?? .seconds(120)) * 2 }
}

extension EffectLanes {
  /// Runs effects for each action of a store from now on. On a ``Store``, `effects` is called
  /// before `dispatch` returns. It is also called for the actions of other processes, whose effects
  /// are kept until they have ended there.
  ///
  /// Of any other store, such as the double of a test, the stream is read, as the guide's listeners
  /// do. Serial lanes then ask for the next action when the effects of the one before have ended.
  ///
  /// - Parameters:
  ///   - store: The store whose actions cause effects, and to which the effects dispatch. It is not
  ///     retained.
  ///   - logger: Logs the errors that effects throw, except those of cancellations; `nil` for the
  ///     lanes' own.
  ///   - effects: Returns the effects of an action, given the state before it, and what selects the
  ///     state after it.
  /// - Returns: A token: listening stops when the last reference to it is released. Effects that
  ///   have begun go on.
  public func listen<Store>(
    to store: Store,
    logger: Logger? = nil,
    effects:
      @escaping @MainActor @Sendable (
        _ oldState: Store.State, _ newState: () -> Store.State, _ action: Store.Action
      ) -> [Effect<Store.State, Store.Action>]
  ) -> Subscription
  where Store: Dispatcher & Selector & Streamer & AnyObject {
    typealias Observed = ImmutableData.Store<Store.State, Store.Action>
    let isAwaited = self.isSerial && store is Observed == false
    let begin: @MainActor @Sendable (Store.State, Store.Action, String?) -> Void = {
      [weak store] oldState, action, node in
      guard let store else { return }
      let begun = effects(oldState, { store.state }, action)
      for (number, effect) in begun.enumerated() {
        // Nothing is before an effect that is awaited, so the store is not asked again.
        let effect = isAwaited ? effect.unconditional : effect
        let cause: any Sendable = (store as? Observed)?.rootAction(of: action) ?? action
        self.begin(
          effect, number: number, on: ViewStore(store), causedBy: cause, from: node, logger)
      }
    }
    if let store = store as? Observed { return store.observe(begin) }
    let stream = store.makeStream()
    let task = Task {
      do {
        for try await (oldState, action) in stream {
          if Task.isCancelled { return }
          begin(oldState, action, nil)
          if isAwaited { await self.newest[Self.serialLane]?.value }
        }
      } catch {
        self.logger.error("A stream of actions has failed", metadata: ["error": "\(error)"])
      }
    }
    return Subscription { task.cancel() }
  }

  /// Runs an effect, or keeps it if it runs in another process.
  private func begin<State, Action>(
    _ effect: Effect<State, Action>,
    number: Int,
    on store: ViewStore<State, Action>,
    causedBy action: any Sendable,
    from node: String?,
    _ logger: Logger?
  ) {
    let log = self.log(of: effect.name, causedBy: action, logger)
    guard let node else {
      self.run(effect, number: number, on: store, log: log)
      return
    }
    let cause = ActionOrigin.observed
    let isWanted: @MainActor @Sendable () -> Bool = { effect.isWanted(in: store.state) }
    let run: @MainActor @Sendable () -> Void = {
      ActionOrigin.$observed.withValue(cause) {
        _ = self.run(effect, number: number, on: store, of: node, log: log)
      }
    }
    self.foreign.add(
      ForeignEffects.Entry(node: node, isWanted: isWanted, run: run),
      bytes: ActionOrigin.entry.bytes,
      // The state says whether an effect with a condition has ended, however old it is.
      age: effect.hasCondition ? .zero : ActionOrigin.entry.age
    )
  }

  /// The other processes that have unfinished effects which do not run here.
  ///
  /// - Complexity: O(n), n such effects.
  package func foreignNodes() -> Set<String> {
    self.foreign.nodes(forgetting: self.longest)
  }

  /// Whether effects of another process run here.
  ///
  /// - Complexity: O(n), n effects that have not ended.
  package func hasTakenOver(_ node: String) -> Bool {
    self.runs.values.contains { $0.node == node }
  }

  /// Checks the state of a listener for waiting operations, for as long as the listener exists.
  ///
  /// - Parameter find: Returns how to end each waiting operation; `nil` when the listener has been
  ///   released.
  func watch(_ listener: AnyObject, _ find: @escaping Orphans.Find) {
    self.orphans.watch(listener, find)
  }

  /// Ends operations that have waited for so long that no process can still be running their
  /// effects. Call it repeatedly.
  ///
  /// - Parameter isAllowed: Whether this is the process that may end them.
  /// - Returns: The number of operations that it has ended.
  /// - Complexity: O(n), n statuses in the states.
  package func endOrphans(if isAllowed: Bool) -> Int {
    let endings = self.orphans.endings(after: self.longest)
    guard isAllowed else { return 0 }
    // Without the version of an action: a process that has lost the lead must not end operations that
    // have begun since.
    let origin = ActionOrigin.effect(name: Self.interruption, version: nil)
    return ActionOrigin.$current.withValue(origin) { endings.filter(self.end).count }
  }

  /// The number of operations that wait in the states of listeners, in whatever process they run.
  ///
  /// - Complexity: O(n), n statuses in the states.
  package var waitingCount: Int { self.orphans.waiting().count }

  /// Ends all operations that wait in the states of listeners, because no process can run their
  /// effects any more.
  ///
  /// - Parameter reason: The same in every process that ends them for this reason. The actions have
  ///   ids made from it, so that each operation ends only once.
  /// - Complexity: O(n), n statuses in the states.
  package func endWaiting(because reason: String) {
    for ending in self.orphans.waiting() {
      let run = EffectRun(
        name: Self.interruption, id: "\(reason)/\(ending.tag)", deadlines: nil, clock: self.clock)
      _ = EffectRun.$current.withValue(run) { self.end(ending) }
    }
  }

  /// The name of the effect that ends operations whose own effect does not run any more.
  private static let interruption = "interruption"

  /// Ends a waiting operation.
  ///
  /// - Returns: Whether it has ended. If not, the error is logged, and ``endOrphans(if:)`` tries
  ///   again later.
  private func end(_ ending: Orphans.Ending) -> Bool {
    self.orphans.postpone(ending)
    do {
      try ending.dispatch()
      return true
    } catch {
      self.logger.error(
        "A waiting operation cannot be ended",
        metadata: ["operation": "\(ending.id)", "error": "\(error)"]
      )
      return false
    }
  }

  /// Sets whether this process follows ``OutsideEvents``. By default it does.
  package func lead(_ isLeading: Bool) {
    self.leadership.set(isLeading)
  }

  /// Runs work for as long as this process leads. It starts over each time that the process becomes
  /// the leader.
  ///
  /// - Parameter work: It ends soon after its task is cancelled.
  /// - Returns: A token: the work ends when the last reference to it is released.
  func whileLeading(_ work: @escaping @Sendable () async -> Void) -> Subscription {
    let changes = self.leadership.changes()
    let task = Task {
      var working: Task<Void, Never>?
      for await isLeading in changes {
        working?.cancel()
        await working?.value
        working = isLeading ? Task { await work() } : nil
      }
      working?.cancel()
    }
    return Subscription { task.cancel() }
  }

  /// Runs the effects of another process here, because it has ended.
  ///
  /// - Returns: The number of effects that have begun here now.
  package func takeOver(_ node: String) -> Int {
    let effects = self.foreign.take(of: node)
    for effect in effects { effect.run() }
    return effects.count
  }

  /// Forgets the effects of another process, which has ended after them.
  package func forget(_ node: String) {
    _ = self.foreign.take(of: node)
  }

  /// Starts an effect.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - store: The store that the effect works with.
  ///   - onError: Receives the error that it throws, unless it was cancelled; `nil` logs it.
  /// - Complexity: O(1).
  public func run<State, Action>(
    _ effect: Effect<State, Action>,
    on store: ViewStore<State, Action>,
    onError: (@Sendable (any Error) -> Void)? = nil
  ) {
    let log = self.log(of: effect.name, causedBy: nil)
    self.run(effect, on: store, log: log) { result in
      guard case .failure(let error) = result, error is CancellationError == false else { return }
      (onError ?? log)(error)
    }
  }

  /// Starts an effect that a reducer has returned for an action.
  func run<State, Action>(
    _ effect: Effect<State, Action>,
    on store: ViewStore<State, Action>,
    causedBy action: Action
  ) {
    self.run(effect, on: store, log: self.log(of: effect.name, causedBy: action))
  }

  /// Logs why an effect has failed, with the action that has caused it, but without what visitors
  /// have entered. If somebody has cancelled it, that is no failure.
  private func log(
    of effect: String,
    causedBy action: (any Sendable)?,
    _ logger: Logger? = nil
  ) -> @Sendable (any Error) -> Void {
    let logger = logger ?? self.logger
    let version = ActionOrigin.observed.map { "\($0)" } ?? "none"
    return { error in
      guard error is CancellationError == false else { return }
      // Found only now, because reflection is slow, and few effects fail.
      let name = action.map { action in
        let name = ActionOrigin.name(of: action)
        return name.isEmpty ? "\(type(of: action))" : name
      }
      let cause = name ?? "none"
      logger.error(
        "An effect has failed",
        metadata: [
          "action": "\(cause)", "effect": "\(effect)", "error": "\(error)",
          "version": "\(version)",
        ]
      )
    }
  }

  /// Runs an effect and waits for its end. If the task is cancelled, so is the effect.
  ///
  /// - Throws: What the effect throws.
  func perform<State, Action>(
    _ effect: Effect<State, Action>,
    on store: ViewStore<State, Action>
  ) async throws {
    let end = First<Result<Void, any Error>>()
    let log = self.log(of: effect.name, causedBy: nil)
    let run = self.run(effect, on: store, log: log) { result in _ = end.set(result) }
    try await withTaskCancellationHandler {
      await end.value
    } onCancel: {
      run.end(CancellationError())
    }
    .get()
  }

  /// - Parameters:
  ///   - number: Its position among the effects of the action that caused it.
  ///   - node: The other process that it is taken over from.
  ///   - log: Logs its errors; those of what it still does after its end, too.
  ///   - onEnd: Called once, with the result; `nil` logs an error.
  @discardableResult private func run<State, Action>(
    _ effect: Effect<State, Action>,
    number index: Int = 0,
    on store: ViewStore<State, Action>,
    of node: String? = nil,
    log: @escaping @Sendable (any Error) -> Void,
    onEnd: (@MainActor @Sendable (Result<Void, any Error>) -> Void)? = nil
  ) -> EffectRun {
    let run = EffectRun(
      name: effect.name,
      id: ActionOrigin.observed.map { "\($0)/\(index)/\(effect.name)" },
      node: node,
      deadlines: self.deadlines,
      clock: self.clock,
      reportLate: log
    )
    self.runCount += 1
    let number = self.runCount
    self.runs[number] = run
    let origin = ActionOrigin.effect(name: effect.name, version: ActionOrigin.observed)
    var perform: @Sendable () async throws -> Void = {
      try await ActionOrigin.$current.withValue(origin) {
        try await store.run(effect.thunk)
      }
    }
    for middleware in self.middleware.reversed() {
      perform = { [perform] in try await middleware(effect.name, perform) }
    }
    self.begin(in: effect.lane, isShown: effect.hasCondition) { [perform] in
      var result = Result<Void, any Error>.success(())
      if effect.isWanted(in: store.state) {
        do {
          try await EffectRun.$current.withValue(run) { try await perform() }
        } catch {
          result = .failure(error)
        }
      }
      self.runs[number] = nil
      if let onEnd { onEnd(result) } else if case .failure(let error) = result { log(error) }
      return run.remainder
    }
    return run
  }

  /// Cancels all operations with a name. Each dispatches that it was interrupted: immediately if
  /// its turn has come, otherwise when its turn comes.
  ///
  /// - Complexity: O(n), n effects that have not ended.
  public func cancel(_ name: String) {
    for run in self.runs.values where run.name == name {
      run.end(CancellationError())
    }
  }

  /// Cancels all operations, as ``cancel(_:)`` does.
  func cancelAll() {
    for run in self.runs.values { run.end(CancellationError()) }
  }

  /// - Parameters:
  ///   - isShown: Whether the state shows that it is in progress.
  ///   - effect: Returns the task of work that it did not wait for, if that still runs.
  private func begin(
    in lane: String?,
    isShown: Bool,
    _ effect: @escaping @MainActor @Sendable () async -> Task<Void, Never>?
  ) {
    let number = self.underWay.withLock { underWay -> Int? in
      underWay.count += 1
      guard isShown else { return nil }
      underWay.begun += 1
      underWay.newest = .now
      return underWay.begun
    }
    let post = BacklogEntry.current
    let lane = self.isSerial ? Self.serialLane : lane
    let before = lane.flatMap { self.newest[$0] }
    let task = Task {
      defer { withExtendedLifetime(post) {} }
      await before?.value
      let beginning = ContinuousClock.now
      let remainder = await effect()
      if let number { self.didEnd(number) }
      if lane != nil { post?.didRun(for: beginning.duration(to: .now)) }
      guard let remainder else {
        self.underWay.withLock { $0.count -= 1 }
        return
      }
      // It counts while it runs, but nothing waits for it.
      Task {
        defer { withExtendedLifetime(post) {} }
        await remainder.value
        self.underWay.withLock { $0.count -= 1 }
      }
    }
    if let lane {
      self.newest[lane] = task
    }
  }

  /// Wakes those who wait for an effect, if it is still the newest.
  private func didEnd(_ number: Int) {
    let waiting = self.underWay.withLock { underWay -> [First<Void>] in
      guard number == underWay.begun else { return [] }
      underWay.newest = nil
      defer { underWay.waiting = [] }
      return underWay.waiting
    }
    for end in waiting { _ = end.set(()) }
  }
}
