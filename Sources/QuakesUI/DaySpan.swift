import Foundation

/// Thirty days in a row, where a window is.
struct DaySpan: Hashable, Sendable {
  static let length = 30

  let last: CalendarDay
  private let interval: Range<Date>
  /// Of days of different lengths only: windows of zones with the same days share what is selected.
  private let timeZone: TimeZone?

  /// The thirty days until today, or those of as many days before that have the one that shows. So bars stay
  /// where they are while a window goes from day to day.
  ///
  /// - Parameters:
  ///   - day: The day that shows.
  ///   - today: Where the window is.
  ///   - timeZone: The window's.
  init(with day: CalendarDay, today: CalendarDay, in timeZone: TimeZone) {
    let age = day.days(until: today)
    self.last = age < Self.length ? today : today.advanced(by: -(age / Self.length * Self.length))
    let first = self.last.advanced(by: 1 - Self.length)
    let (start, end) = (first.interval(in: timeZone), self.last.interval(in: timeZone))
    self.interval = start.lowerBound..<end.upperBound
    self.timeZone = timeZone.isSteady(in: self.interval) ? nil : timeZone
  }

  var first: CalendarDay { self.last.advanced(by: 1 - Self.length) }

  var days: [CalendarDay] {
    (0..<Self.length).map { self.last.advanced(by: $0 + 1 - Self.length) }
  }

  /// Where the days begin, and the last ends.
  var bounds: [Date] {
    guard let timeZone = self.timeZone else {
      return (0...Self.length).map {
        self.interval.lowerBound.addingTimeInterval(Double($0) * 86_400)
      }
    }
    return self.days.map { $0.interval(in: timeZone).lowerBound } + [self.interval.upperBound]
  }

  /// All of it.
  var dates: Range<Date> { self.interval }
}
