public import Foundation
import PlainText

/// Finds quakes by time, place and strength.
struct QuakeSearch: Sendable {
  private let text: FoldedText
  private let interval: Range<Date>
  private let minimumMagnitude: Double

  /// - Parameters:
  ///   - text: A part of the name, ignoring case and accents; empty for any name.
  ///   - interval: When they happened.
  ///   - minimumMagnitude: The minimum magnitude as it is shown, rounded to one decimal.
  init(text: String, interval: Range<Date>, minimumMagnitude: Double = -.infinity) {
    self.text = FoldedText(text)
    self.interval = interval
    self.minimumMagnitude = minimumMagnitude
  }

  /// - Complexity: O(1) for a quake of another time; otherwise O(n), n bytes of its name, times
  ///   those of the text in the worst case. The name is folded once.
  func finds(_ quake: Quake) -> Bool {
    self.interval.contains(quake.time) && self.findsAtAnyTime(quake)
  }

  /// - Complexity: As for ``finds(_:)``.
  func findsAtAnyTime(_ quake: Quake) -> Bool {
    guard self.minimumMagnitude <= quake.roundedMagnitude else { return false }
    return self.text.isEmpty || FoldedText(quake.name).contains(self.text)
  }
}

extension Quake {
  /// Whether a search finds a quake.
  ///
  /// - Parameters:
  ///   - searchText: The name contains it, ignoring case and accents. An empty text matches any name.
  ///   - searchInterval: When the quake happened, without the upper bound.
  ///   - minimumMagnitude: The lowest magnitude, as it is shown: rounded to one decimal.
  public static func isFound(
    searchText: String,
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity
  ) -> @Sendable (Quake) -> Bool {
    let search = QuakeSearch(
      text: searchText,
      interval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    return { search.finds($0) }
  }

  /// The magnitude as it is shown, rounded to one decimal.
  public var roundedMagnitude: Double {
    (self.magnitude * 10).rounded(.toNearestOrEven) / 10
  }
}

extension Range<Date> {
  /// The day of a date in `Calendar.autoupdatingCurrent`, from its start to the start of the next.
  static func day(of date: Date) -> Self {
    // Not every day has a midnight, nor 24 hours.
    guard let day = Calendar.autoupdatingCurrent.dateInterval(of: .day, for: date) else {
      return date..<date
    }
    return day.start..<day.end
  }
}
