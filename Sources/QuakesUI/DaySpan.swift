import Foundation
import ImmutableUI

/// Thirty consecutive days in a window's time zone.
struct DaySpan: Hashable, Sendable {
  static let length = 30

  let first: CalendarDay
  let last: CalendarDay
  /// The interval of all days.
  let dates: Range<Date>
  /// The time zone, only if the days have different lengths. Windows in zones with the same days
  /// share the selection.
  private let timeZone: TimeZone?

  /// The thirty days until today, or an earlier span of thirty days that contains the shown day. So
  /// bars stay in place while a window goes from day to day.
  ///
  /// - Parameters:
  ///   - day: The shown day.
  ///   - today: Today in the window's time zone.
  ///   - timeZone: The window's time zone.
  init(with day: CalendarDay, today: CalendarDay, in timeZone: TimeZone) {
    let age = day.days(until: today)
    self.last = age < Self.length ? today : today.advanced(by: -(age / Self.length * Self.length))
    self.first = self.last.advanced(by: 1 - Self.length)
    let (start, end) = (self.first.interval(in: timeZone), self.last.interval(in: timeZone))
    self.dates = start.lowerBound..<end.upperBound
    self.timeZone = timeZone.isSteady(in: self.dates) ? nil : timeZone
  }

  var days: [CalendarDay] {
    (0..<Self.length).map { self.first.advanced(by: $0) }
  }

  /// The starts of the days, and the end of the last one.
  var bounds: [Date] {
    guard let timeZone = self.timeZone else {
      return (0...Self.length).map {
        self.dates.lowerBound.addingTimeInterval(Double($0) * 86_400)
      }
    }
    return self.days.map { $0.interval(in: timeZone).lowerBound } + [self.dates.upperBound]
  }
}
