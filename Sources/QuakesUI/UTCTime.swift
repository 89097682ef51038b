import Foundation

/// A time in UTC, to the minute.
///
/// Its text is computed directly, because formatting takes seven times as long, and lists have
/// hundreds of rows.
struct UTCTime: Hashable, Sendable {
  private let year: Int
  /// From 1 to 12.
  private let month: Int
  private let day: Int
  /// Since midnight.
  private let minute: Int

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Returns: `nil` before 1970 and after 9999.
  ///
  /// Source: Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, `civil_from_days`.
  init?(_ date: Date) {
    let seconds = date.timeIntervalSince1970.rounded(.down)
    guard 0 <= seconds, seconds < 253_402_300_800 else { return nil }
    let (day, minute) = (Int(seconds) / 60).quotientAndRemainder(dividingBy: 1_440)
    // The days since March 1 of the year 0, and of the era of 400 years that they are in.
    let (era, days) = (day + 719_468).quotientAndRemainder(dividingBy: 146_097)
    let year = (days - days / 1_460 + days / 36_524 - days / 146_096) / 365
    let dayOfYear = days - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.month = month < 10 ? month + 3 : month - 9
    self.year = year + era * 400 + (month < 10 ? 0 : 1)
    self.day = dayOfYear - (153 * month + 2) / 5 + 1
    self.minute = minute
  }

  /// Text for people, for example `Feb 7, 2018 at 9:05\u{202F}AM`, with a narrow space.
  var text: String {
    let (hour, minute) = self.minute.quotientAndRemainder(dividingBy: 60)
    return "\(Self.months[self.month - 1]) \(self.day), \(self.year) at "
      + "\((hour + 11) % 12 + 1):\(minute < 10 ? "0" : "")\(minute)\u{202F}\(hour < 12 ? "AM" : "PM")"
  }
}
