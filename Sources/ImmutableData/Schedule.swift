import Synchronization

/// A schedule for work that is repeated as long as a listener listens.
///
/// ```swift
/// OutsideEvents("notes.refresh", on: Schedule(every: .seconds(300))) { following in
///   try await following.perform { _ in Effect("refresh", session.refreshQuery()) }
/// }
/// ```
public struct Schedule: Sendable {
  private let interval: Duration
  fileprivate let clock: any Clock<Duration>
  private let random: @Sendable () -> Double

  /// - Parameters:
  ///   - interval: The time from one turn to the next, plus or minus a tenth, so that servers that
  ///     were started together do not keep taking their turns at the same time.
  ///   - clock: The clock that measures the interval.
  ///   - random: A number from 0 to 1.
  public init(
    every interval: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.interval = interval
    self.clock = clock
    self.random = random
  }

  /// The pause before the first turn.
  fileprivate var firstPause: Duration { min(self.interval, .seconds(5)) * self.random() }

  /// The pause between two turns.
  var pause: Duration { self.interval * (0.9 + 0.2 * self.random()) }

  /// The pauses after failures: at most an hour, and at least a minute, unless the interval is longer
  /// or shorter.
  fileprivate var backoff: Backoff {
    Backoff(
      base: self.interval,
      limit: max(self.interval, .seconds(3_600)),
      least: min(self.interval, .seconds(60)),
      random: self.random
    )
  }
}

extension OutsideEvents {
  /// The turns of a schedule.
  ///
  /// - Parameters:
  ///   - name: The name by which logs and metrics know it.
  ///   - schedule: When to take turns.
  ///   - willFollow: Called when this process begins to lead, before the first turn.
  ///   - turn: Takes a turn. If it throws, the next pause is longer. If it throws a
  ///     `CancellationError`, because something else is running instead, the turn counts neither as
  ///     a failure nor as a success.
  public init(
    _ name: String,
    on schedule: Schedule,
    willFollow: @escaping @Sendable () -> Void = {},
    turn: @escaping Follow
  ) {
    let isFirst = Mutex(true)
    let willBegin: @Sendable () -> Void = {
      isFirst.withLock { $0 = true }
      willFollow()
    }
    self.init(
      name, backoff: schedule.backoff, clock: schedule.clock, willFollow: willBegin
    ) { following in
      // Not again after a failure.
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }
        return isFirst
      }) {
        try await schedule.clock.sleep(for: schedule.firstPause)
      }
      while true {
        try Task.checkCancellation()
        do {
          try await turn(following)
          following.didSucceed()
        } catch is CancellationError {
        }
        try await schedule.clock.sleep(for: schedule.pause)
      }
    }
  }
}
