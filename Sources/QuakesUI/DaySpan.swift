import Foundation

/// Thirty days in a row, where a window is.
struct DaySpan: Hashable, Sendable {
  static let length = 30

  let first: CalendarDay
  let last: CalendarDay
  /// All of it.
  let dates: Range<Date>
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
    self.first = self.last.advanced(by: 1 - Self.length)
    let (start, end) = (self.first.interval(in: timeZone), self.last.interval(in: timeZone))
    self.dates = start.lowerBound..<end.upperBound
    self.timeZone = timeZone.isSteady(in: self.dates) ? nil : timeZone
  }

  var days: [CalendarDay] {
    (0..<Self.length).map { self.first.advanced(by: $0) }
  }

  /// Where the days begin, and the last ends.
  var bounds: [Date] {
    guard let timeZone = self.timeZone else {
      return (0...Self.length).map {
        self.dates.lowerBound.addingTimeInterval(Double($0) * 86_400)
      }
    }
    return self.days.map { $0.interval(in: timeZone).lowerBound } + [self.dates.upperBound]
  }
}
