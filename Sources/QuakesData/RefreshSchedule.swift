public import Foundation

/// The schedule for automatic refreshes of the earthquakes. Beyond the guide.
public struct RefreshSchedule: Sendable {
  /// The minimum interval: a feed does not change more often, and its server should not be
  /// overloaded.
  public static let leastInterval = Duration.seconds(60)
  /// The maximum pause after failures, unless the interval is longer.
  static let longestPause = Duration.seconds(3_600)

  let interval: Duration
  let clock: any Clock<Duration>
  let now: @Sendable () -> Date
  let random: @Sendable () -> Double

  /// - Parameters:
  ///   - interval: The time from one refresh to the next, plus or minus a tenth, so that servers
  ///     that were started together do not keep sending requests at the same time.
  ///   - clock: The clock that measures the interval.
  ///   - now: The current time, which determines how far back the feed must go.
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

  /// The pause before the first refresh.
  var firstPause: Duration { min(self.interval, .seconds(5)) * self.random() }

  /// The pause between two refreshes.
  var pause: Duration { self.interval * (0.9 + 0.2 * self.random()) }
}

extension QuakesAction.UI.QuakeList.RefreshQuakesRange {
  /// The smallest range that contains all events and corrections since a time, with a margin for
  /// those that are published late.
  ///
  /// - Parameters:
  ///   - time: Until when everything is known; `nil`, or a time in the future, if that is unknown.
  ///   - now: The current time.
  static func since(_ time: Date?, now: Date) -> Self {
    let hours = time.map { now.timeIntervalSince($0) / 3_600 } ?? .infinity
    return hours < 0 ? .allMonth : hours < 20 ? .allDay : hours < 6 * 24 ? .allWeek : .allMonth
  }

  /// Whether it goes at least as far back as another range.
  func covers(_ other: Self) -> Bool {
    let ranges: [Self] = [.allMonth, .allWeek, .allDay, .allHour]
    return ranges.first { $0 == self || $0 == other } == self
  }
}
