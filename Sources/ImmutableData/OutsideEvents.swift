import Logging
import Synchronization

/// Follows events outside the store that no action has caused, and turns them into actions: another
/// process writes to the database, a server reports a change, or it is time to refresh.
///
/// An ``EffectListener`` follows them while it listens to a store. If `follow` throws, it starts
/// again after a pause that grows with each failure in a row.
///
/// ```swift
/// OutsideEvents("notes.changes") { following in
///   try await server.follow { note in
///     await following.didSucceed()
///     try await following.store.dispatch(action: .didChangeElsewhere(note))
///   }
/// }
/// ```
public struct OutsideEvents<State: Sendable, Action: Sendable>: Sendable {
  /// Returns when there is nothing more to follow.
  public typealias Follow = @Sendable (Following<State, Action>) async throws -> Void

  let name: String
  let backoff: Backoff
  let clock: any Clock<Duration>
  let willFollow: @Sendable () -> Void
  let follow: Follow

  /// - Parameters:
  ///   - name: The name by which logs and metrics know it.
  ///   - backoff: The pauses after failures.
  ///   - clock: Measures the pauses.
  ///   - willFollow: Called when this process begins to lead, before it follows them, but not again
  ///     after a failure.
  ///   - follow: Follows the events until its task is cancelled. It may have to start over at any
  ///     time, so it must be able to find out what it has missed.
  public init(
    _ name: String,
    backoff: Backoff = Backoff(base: .milliseconds(250), limit: .seconds(5)),
    clock: any Clock<Duration> = ContinuousClock(),
    willFollow: @escaping @Sendable () -> Void = {},
    follow: @escaping Follow
  ) {
    self.name = name
    self.backoff = backoff
    self.clock = clock
    self.willFollow = willFollow
    self.follow = follow
  }
}

/// An error that says how long to wait before the next attempt.
///
/// Source: RFC 9110, section 10.2.3.
public protocol PostponingError: Error {
  var retryAfter: Duration? { get }
}

/// The context in which outside events are followed.
public final class Following<State: Sendable, Action: Sendable>: Sendable {
  /// A longer wait is cut to this.
  private static var longestPause: Duration { .seconds(86_400) }

  /// Where to dispatch the actions.
  public let store: ViewStore<State, Action>
  private let lanes: EffectLanes
  private let name: String
  private let logger: Logger
  private let contents: Mutex<(backoff: Backoff, failures: Int)>

  init(
    _ store: ViewStore<State, Action>,
    _ lanes: EffectLanes,
    _ events: OutsideEvents<State, Action>,
    _ logger: Logger
  ) {
    self.store = store
    self.lanes = lanes
    self.name = events.name
    self.logger = logger
    self.contents = Mutex((events.backoff, 0))
  }

  /// The number of failures since the last success.
  public var failures: Int {
    self.contents.withLock { $0.failures }
  }

  /// Reports that events arrive: the outage is over, and the next pause is the shortest again.
  public func didSucceed() {
    self.contents.withLock { $0.backoff.reset() }
    self.didConnect()
  }

  /// Reports that the source of the events answers, although nothing has arrived yet: the outage is
  /// over. Pauses still grow, because a source may answer and end at once, again and again.
  public func didConnect() {
    let failures = self.contents.withLock { contents in
      defer { contents.failures = 0 }
      return contents.failures
    }
    guard failures > 0 else { return }
    self.logger.notice("Outside events can be followed again", metadata: ["events": "\(self.name)"])
    self.lanes.onOutage(self.name, false)
  }

  /// Runs an effect and waits for its end.
  ///
  /// - Parameter effect: Makes it from the state, in the step in which it begins; `nil` for none.
  /// - Throws: What the effect throws; `CancellationError` when it was cancelled.
  @MainActor public func perform(
    _ effect: @MainActor (State) -> Effect<State, Action>?
  ) async throws {
    guard let effect = effect(self.store.state) else { return }
    try await self.lanes.perform(effect, on: self.store)
  }

  /// - Returns: How long to pause before the next attempt.
  func didFail(_ error: any Error) -> Duration {
    let (pause, failures) = self.contents.withLock { contents in
      contents.failures += 1
      return (contents.backoff.next(), contents.failures)
    }
    let wanted = (error as? any PostponingError)?.retryAfter ?? .zero
    // Logged only once for each outage. The windows show visitors what they can do about it.
    self.logger.log(
      level: failures == 1 ? .error : .debug,
      "Outside events cannot be followed; trying again",
      metadata: ["events": "\(self.name)", "error": "\(error)"]
    )
    if failures == 1 { self.lanes.onOutage(self.name, true) }
    return max(pause, min(wanted, Self.longestPause))
  }
}

extension OutsideEvents {
  /// Follows until the task is cancelled, or until there is nothing more to follow.
  func run(
    on store: ViewStore<State, Action>,
    lanes: EffectLanes,
    logger: Logger
  ) async {
    let following = Following(store, lanes, self, logger)
    lanes.onOutage(self.name, false)
    // Once this process no longer leads, another one follows them.
    defer { if Task.isCancelled, following.failures > 0 { lanes.onOutage(self.name, false) } }
    self.willFollow()
    while Task.isCancelled == false {
      do {
        return try await ActionOrigin.$current.withValue(.outside(name: self.name)) {
          try await self.follow(following)
        }
      } catch {
        guard Task.isCancelled == false else { return }
        let pause = following.didFail(error)
        try? await self.clock.sleep(for: pause)
      }
    }
  }
}
