import Foundation
import ImmutableUI

extension CalendarDay {
  /// Text for people, for example `February 7, 2018`.
  var text: String {
    self.formatted(Date.FormatStyle(date: .long, time: .omitted, locale: .english, timeZone: .gmt))
  }

  /// Text with the weekday, for example `Wednesday, February 7, 2018`.
  var fullText: String {
    self.formatted(
      Date.FormatStyle(date: .complete, time: .omitted, locale: .english, timeZone: .gmt))
  }

  /// ``fullText`` without the year, for example `Wednesday, February 7`.
  var weekdayText: String {
    self.formatted(
      Date.FormatStyle(locale: .english, timeZone: .gmt).weekday(.wide).month(.wide).day())
  }

  /// Text without the year, for example `February 7`.
  var dayText: String {
    self.formatted(Date.FormatStyle(locale: .english, timeZone: .gmt).month(.wide).day())
  }

  /// A short form of ``dayText``, for example `Feb 7`.
  var shortText: String {
    self.formatted(Date.FormatStyle(locale: .english, timeZone: .gmt).month(.abbreviated).day())
  }

  private func formatted(_ style: Date.FormatStyle) -> String {
    self.interval(in: .gmt).lowerBound.addingTimeInterval(43_200).formatted(style)
  }
}

extension TimeZone {
  /// Whether clocks do not change in an interval.
  func isSteady(in interval: Range<Date>) -> Bool {
    guard let next = self.nextDaylightSavingTimeTransition(after: interval.lowerBound) else {
      return true
    }
    return interval.upperBound <= next
  }

  /// A zone with the same local time in an interval. It is the same one for all zones that agree
  /// there, if clocks do not change.
  func simplified(in interval: Range<Date>) -> Self {
    guard self.isSteady(in: interval) else { return self }
    return TimeZone(secondsFromGMT: self.secondsFromGMT(for: interval.lowerBound)) ?? self
  }
}
