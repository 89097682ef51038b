import Synchronization

/// Runs effects beside the actions that call for them, so that a slow one holds up only what has to
/// come after it.
///
/// Effects of one lane run one after the other, in the order in which they were begun; effects
/// without a lane, and those of different lanes, run beside each other. Those that ``Operations`` makes
/// end at the deadline, or when they are cancelled, whatever they wait for.
///
/// ```swift
/// let lanes = EffectLanes()
/// self.listening = lanes.listen(to: store) { oldState, state, action in
///   switch action {
///   case .onTapSave(let note):
///     [Effect("notes.save", lane: "notes.write", session.saveMutation(note))]
///   case .didSave: []
///   }
/// }
/// ```
///
/// Nothing is dropped: ``count`` says how many have not ended, so that whoever lets new work in can
/// refuse it while there are too many (the server answers 503). That bounds what is stored here.
@MainActor public final class EffectLanes: Sendable {
  /// Runs around each effect.
  ///
  /// - Parameters:
  ///   - effect: Its name.
  ///   - next: Runs it, and throws what it threw.
  public typealias Middleware =
    @Sendable (_ effect: String, _ next: @Sendable () async throws -> Void) async throws -> Void

  /// The newest effect of each lane; there are few lanes.
  private var newest: [String: Task<Void, Never>] = [:]
  /// Those that have not ended, by number.
  private var runs: [Int: EffectRun] = [:]
  private var runCount = 0
  private nonisolated let underWay = Mutex(0)
  private nonisolated let isSerial: Bool
  private nonisolated let deadline: Duration?
  private nonisolated let clock: any Clock<Duration>
  private nonisolated let middleware: [Middleware]

  /// - Parameters:
  ///   - isSerial: All effects are in one lane: each is awaited, as the guide has it.
  ///   - deadline: How long an operation may work before it has failed; `nil`: for ever.
  ///   - clock: Measures that, and the pauses between attempts.
  ///   - middleware: Runs around each effect, the first outermost: to log, to measure, or to hold effects
  ///     in a test.
  public nonisolated init(
    isSerial: Bool = false,
    deadline: Duration? = .seconds(120),
    clock: any Clock<Duration> = ContinuousClock(),
    middleware: [Middleware] = []
  ) {
    self.isSerial = isSerial
    self.deadline = deadline
    self.clock = clock
    self.middleware = middleware
  }

  /// How many effects have not ended.
  public nonisolated var count: Int {
    self.underWay.withLock { $0 }
  }
}

extension EffectLanes {
  /// Answers each action of a store with effects, from now on. On a ``Store`` they are worked out before
  /// its `dispatch` returns.
  ///
  /// - Parameters:
  ///   - store: Whose actions call for effects, and where those dispatch. It is not kept.
  ///   - onError: Is told what an effect throws.
  ///   - effects: What an action calls for. It is given the state before the action, and that after it.
  /// - Returns: A token: listening stops when the last reference to it is released. Effects that
  ///   have begun go on.
  public func listen<Store>(
    to store: Store,
    onError: @escaping @Sendable (any Error) -> Void = { _ in },
    effects:
      @escaping @MainActor @Sendable (
        _ oldState: Store.State, _ state: Store.State, _ action: Store.Action
      ) -> [Effect<Store.State, Store.Action>]
  ) -> Listening
  where Store: Dispatcher & Selector & Streamer & AnyObject {
    store.observe { [weak store] oldState, action in
      guard let store else { return }
      for effect in effects(oldState, store.state, action) {
        self.run(effect, on: ViewStore(store), onError: onError)
      }
    }
  }

  /// Begins an effect.
  ///
  /// - Parameters:
  ///   - effect: What to do.
  ///   - store: What it works with.
  ///   - onError: Is told what it throws.
  /// - Complexity: O(1).
  public func run<State, Action>(
    _ effect: Effect<State, Action>,
    on store: ViewStore<State, Action>,
    onError: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    let run = EffectRun(name: effect.name, deadline: self.deadline, clock: self.clock)
    self.runCount += 1
    let number = self.runCount
    self.runs[number] = run
    var perform: @Sendable () async throws -> Void = {
      try await store.dispatch(thunk: effect.thunk)
    }
    for middleware in self.middleware.reversed() {
      perform = { [perform] in try await middleware(effect.name, perform) }
    }
    self.begin(in: effect.lane) { [perform] in
      if effect.isWanted(store.state) {
        do {
          try await EffectRun.$current.withValue(run) { try await perform() }
        } catch {
          onError(error)
        }
      }
      self.runs[number] = nil
      return run.remainder
    }
  }

  /// Begins a piece of work.
  ///
  /// - Parameters:
  ///   - lane: What it waits for: the effects that were begun before in the same lane; `nil`: none.
  ///     Names are remembered, so there should be few.
  ///   - effect: Deals with its own errors.
  /// - Complexity: O(1).
  public func run(in lane: String? = nil, _ effect: @escaping @Sendable () async -> Void) {
    self.begin(in: lane) {
      await effect()
      return nil
    }
  }

  /// Ends all operations of a name: each dispatches that it was interrupted, at once if its turn has
  /// come, and else when it comes.
  ///
  /// - Complexity: O(n), n effects that have not ended.
  public func cancel(_ name: String) {
    for run in self.runs.values where run.name == name {
      run.end(CancellationError())
    }
  }

  /// - Parameter effect: Returns what it has left behind that still works.
  private func begin(
    in lane: String?,
    _ effect: @escaping @MainActor @Sendable () async -> Task<Void, Never>?
  ) {
    self.underWay.withLock { $0 += 1 }
    let lane = self.isSerial ? "" : lane
    let before = lane.flatMap { self.newest[$0] }
    let task = Task {
      await before?.value
      guard let remainder = await effect() else {
        self.underWay.withLock { $0 -= 1 }
        return
      }
      // It counts as long as it works, but nothing waits for it.
      Task {
        await remainder.value
        self.underWay.withLock { $0 -= 1 }
      }
    }
    if let lane {
      self.newest[lane] = task
    }
  }
}
