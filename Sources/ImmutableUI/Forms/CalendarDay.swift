public import Foundation

/// A day of the Gregorian calendar, without a time zone: what a field for dates has.
///
/// ```swift
/// static let due = Field.date("due", "Choose a day.").optional()
/// ```
public struct CalendarDay: Hashable, Sendable {
  private let year: Int
  private let month: Int
  private let day: Int

  private init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day of a date in a time zone.
  public init(of date: Date, in timeZone: TimeZone) {
    let components = Calendar.gregorian(timeZone).dateComponents([.year, .month, .day], from: date)
    self.year = components.year ?? 1
    self.month = components.month ?? 1
    self.day = components.day ?? 1
  }

  /// From the start of that day up to the start of the next, for example to find what happened on
  /// that day: `day.interval(in: timeZone).contains(date)`. Not every day has 24 hours. A day that a
  /// time zone skipped, because it moved across the date line, is empty: `2011-12-30` in Samoa.
  public func interval(in timeZone: TimeZone) -> Range<Date> {
    let calendar = Calendar.gregorian(timeZone)
    // Noon exists on every other day, even when clocks change.
    let noon = calendar.date(from: self.components(hour: 12)) ?? .distantPast
    guard let interval = calendar.dateInterval(of: .day, for: noon) else { return noon..<noon }
    let found = Self(of: noon, in: timeZone)
    guard found == self else {
      let start = found < self ? interval.end : interval.start
      return start..<start
    }
    return interval.start..<interval.end
  }

  /// The date at a time of that day. Where clocks are put forward, a time that they skip is the
  /// same distance after the change; a time that comes twice is the first of the two. So a day that
  /// a time zone skipped is the next day, at the same time.
  public func date(at time: TimeOfDay, in timeZone: TimeZone) -> Date {
    var components = self.components(hour: time.hour)
    components.minute = time.minute
    return Calendar.gregorian(timeZone).date(from: components) ?? .distantPast
  }

  // Years have four digits.
  private static let first = Self(year: 1, month: 1, day: 1)
  private static let last = Self(year: 9999, month: 12, day: 31)

  /// The day that many days later, limited to the first and last possible day.
  public func advanced(by days: Int) -> Self {
    let noon = { (day: Self) in
      Calendar.gregorian(.gmt).date(from: day.components(hour: 12)) ?? .distantPast
    }
    let date = noon(self).addingTimeInterval(TimeInterval(days) * 86_400)
    return Self(of: min(max(date, noon(Self.first)), noon(Self.last)), in: .gmt)
  }

  /// How many days later another day is; negative if it is earlier.
  public func days(until other: Self) -> Int {
    let seconds = other.interval(in: .gmt).lowerBound.timeIntervalSince(
      self.interval(in: .gmt).lowerBound
    )
    return Int((seconds / 86_400).rounded())
  }

  private func components(hour: Int) -> DateComponents {
    DateComponents(year: self.year, month: self.month, day: self.day, hour: hour)
  }
}

extension CalendarDay: Codable {
  public init(from decoder: any Decoder) throws {
    try self.init(describedIn: decoder, "a day, such as 2018-02-07")
  }

  public func encode(to encoder: any Encoder) throws {
    try self.description.encode(to: encoder)
  }
}

extension CalendarDay: Comparable {
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.year, lhs.month, lhs.day) < (rhs.year, rhs.month, rhs.day)
  }
}

/// The form in URLs and date fields: `2018-02-07`.
extension CalendarDay: LosslessStringConvertible {
  public init?(_ description: String) {
    guard let numbers = description.numbers(as: "0000-00-00"), numbers[0] > 0 else { return nil }
    let components = DateComponents(year: numbers[0], month: numbers[1], day: numbers[2])
    guard components.isValidDate(in: .gregorian(.gmt)) else { return nil }
    self.init(year: numbers[0], month: numbers[1], day: numbers[2])
  }

  public var description: String {
    [(self.year, 4), (self.month, 2), (self.day, 2)].map { number, digits in
      let text = String(number)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }.joined(separator: "-")
  }
}

extension Calendar {
  static func gregorian(_ timeZone: TimeZone) -> Self {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }
}
