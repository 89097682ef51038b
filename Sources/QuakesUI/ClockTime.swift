import Foundation

/// A local time, to the minute.
struct ClockTime: Hashable, Sendable {
  /// The minutes since midnight, from 0 to 1439, as the clock shows them. On days when clocks
  /// change, an hour occurs twice or not at all.
  let minutes: Int

  private static let day = 1_440

  /// - Parameter timeZone: The time zone of the clock.
  init(of date: Date, in timeZone: TimeZone) {
    // Computed directly, because formatting takes a hundred times as long, and lists have hundreds
    // of rows.
    let seconds =
      Int(date.timeIntervalSince1970.rounded(.down)) + timeZone.secondsFromGMT(for: date)
    self.minutes = (seconds % 86_400 + 86_400) % 86_400 / 60
  }

  fileprivate init?(minutes: Int) {
    guard (0..<Self.day).contains(minutes) else { return nil }
    self.minutes = minutes
  }

  /// Text for people, for example `9:05 AM`.
  var text: String {
    let (hour, minute) = (self.minutes / 60, self.minutes % 60)
    return "\((hour + 11) % 12 + 1):\(minute < 10 ? "0" : "")\(minute) \(hour < 12 ? "AM" : "PM")"
  }
}

// The steps of a timeline, from hour to hour; `nil` is the whole day.
extension ClockTime? {
  /// One o'clock at the earliest, because before that there is nothing to see.
  var anHourEarlier: Self {
    let minutes = self?.minutes ?? 24 * 60
    return ClockTime(minutes: Swift.max(60, (minutes - 1) / 60 * 60))
  }

  var anHourLater: Self {
    self.flatMap { ClockTime(minutes: ($0.minutes / 60 + 1) * 60) }
  }

  /// The time that a page without scripts shows, where the style sheet hides by the hour.
  var wholeHour: Self {
    self.flatMap { ClockTime(minutes: $0.minutes / 60 * 60) }
  }

  /// The full hours before it, for the style sheet: `timed 00 01 02`; `all` for the whole day.
  var hours: String {
    guard let self else { return "all" }
    return (0..<self.minutes / 60).reduce("timed") { $0 + ($1 < 10 ? " 0\($1)" : " \($1)") }
  }
}

/// The form in URLs and the style sheet: `0905`.
extension ClockTime: LosslessStringConvertible {
  init?(_ description: String) {
    guard description.utf8.count == 4, let number = Int(description), number >= 0,
      number % 100 < 60
    else { return nil }
    self.init(minutes: number / 100 * 60 + number % 100)
  }

  var description: String {
    let number = self.minutes / 60 * 100 + self.minutes % 60
    return String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
  }
}
