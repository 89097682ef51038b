public import Foundation

/// When the earthquakes are refreshed though nobody asks for it. Beyond the guide.
public struct RefreshSchedule: Sendable {
  /// More often a feed has nothing new, and its server would be asked too much.
  public static let leastInterval = Duration.seconds(60)
  /// Pauses after failures do not get longer than this, unless the interval is longer.
  static let longestPause = Duration.seconds(3_600)

  let interval: Duration
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let random: @Sendable () -> Double

  /// - Parameters:
  ///   - interval: From one refresh to the next, give or take a tenth: so servers that were started
  ///     together do not ask together for ever.
  ///   - clock: Measures it.
  ///   - now: The time of day, to know how far back to ask.
  ///   - random: A number from 0 to 1.
  public init(
    every interval: Duration,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { .now },
    random: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.interval = interval
    self.clock = clock
    self.now = now
    self.random = random
  }

  /// Before the first refresh.
  var firstPause: Duration { min(self.interval, .seconds(5)) * self.random() }

  /// Between two refreshes.
  var pause: Duration { self.interval * (0.9 + 0.2 * self.random()) }
}

extension QuakesAction.UI.QuakeList.RefreshQuakesRange {
  /// The least range that has all that may have happened, and been corrected, since a quake.
  ///
  /// - Parameters:
  ///   - newest: When the newest known quake was; `nil` if none is known.
  ///   - now: The time of day.
  static func since(_ newest: Date?, now: Date) -> Self {
    let hours = newest.map { now.timeIntervalSince($0) / 3_600 } ?? .infinity
    return hours < 20 ? .allDay : hours < 6 * 24 ? .allWeek : .allMonth
  }
}
