import Foundation
public import ImmutableData

extension Quake {
  /// Groups quakes by the hour in which they happened. The days of all time zones consist of hours,
  /// so they share the index.
  private static let byHour = RowIndex<Quake, Int> { Self.hour(of: $0.time) }

  /// The groups of the quakes that a search can find. They include the other quakes of the first and
  /// last hour of its interval.
  ///
  /// - Parameter search: Its interval has a few days at most.
  public static func groups(around search: QuakeSearch) -> RowGroups<Quake, Int> {
    let interval = search.interval
    return Self.byHour.groups(
      Self.hour(of: interval.lowerBound)...Self.hour(of: interval.upperBound))
  }

  /// The hours since 1970. All times outside the range of calendars are in one hour.
  private static func hour(of time: Date) -> Int {
    Int(exactly: (time.timeIntervalSince1970 / 3_600).rounded(.down)) ?? .min
  }
}
