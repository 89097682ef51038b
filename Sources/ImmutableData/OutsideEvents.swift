import Logging
import Synchronization

/// Follows what happens outside the store and no action has caused: another process writes to the
/// database, a server tells of a change, it is time to refresh. What happened becomes an action.
///
/// An ``EffectListener`` follows it while it listens to a store. What follows fails when it throws:
/// it is then begun again, after a pause that grows with each failure in a row.
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
  let follow: Follow

  /// - Parameters:
  ///   - name: The name by which logs and metrics know it.
  ///   - backoff: The pauses after failures.
  ///   - clock: Measures the pauses.
  ///   - follow: Follows until its task is cancelled. It may have to begin anew at any time, so it
  ///     has to know what it may have missed.
  public init(
    _ name: String,
    backoff: Backoff = Backoff(base: .milliseconds(250), limit: .seconds(5)),
    clock: any Clock<Duration> = ContinuousClock(),
    follow: @escaping Follow
  ) {
    self.name = name
    self.backoff = backoff
    self.clock = clock
    self.follow = follow
  }
}

/// An error of somebody who says how long to leave them in peace.
///
/// Source: RFC 9110, section 10.2.3.
public protocol PostponingError: Error {
  var retryAfter: Duration? { get }
}

/// What outside events are followed with.
public final class Following<State: Sendable, Action: Sendable>: Sendable {
  /// Whoever asks for more is not believed.
  private static var longestPause: Duration { .seconds(86_400) }

  /// Where to dispatch what happened.
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

  /// How often it has failed since it last succeeded.
  public var failures: Int {
    self.contents.withLock { $0.failures }
  }

  /// Says that what is followed answers: failures begin to count anew.
  public func didSucceed() {
    let failures = self.contents.withLock { contents in
      defer { contents.failures = 0 }
      contents.backoff.reset()
      return contents.failures
    }
    guard failures > 0 else { return }
    self.logger.notice("Outside events are followed again", metadata: ["events": "\(self.name)"])
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
    // Once: the windows show whatever visitors can do about it, and nobody reads it a hundred times.
    self.logger.log(
      level: failures == 1 ? .error : .debug,
      "Outside events cannot be followed; they are tried again until they can",
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
