import Foundation
import PlainText

/// Finds quakes by when and where they happened, and how strong they were.
struct QuakeSearch: Sendable {
  private let text: FoldedText
  private let interval: Range<Date>
  private let minimumMagnitude: Double

  /// - Parameters:
  ///   - text: What a name contains, whatever its case and accents; empty: any name does.
  ///   - interval: When they happened.
  ///   - minimumMagnitude: The least that they have, as it is shown: to one decimal.
  init(text: String, interval: Range<Date>, minimumMagnitude: Double = -.infinity) {
    self.text = FoldedText(text)
    self.interval = interval
    self.minimumMagnitude = minimumMagnitude
  }

  /// - Complexity: O(1) for a quake of another time; else O(n), n bytes of its name, times those of
  ///   the text in the worst case. The name is folded once.
  func finds(_ quake: Quake) -> Bool {
    self.interval.contains(quake.time) && self.findsAtAnyTime(quake)
  }

  /// - Complexity: As of ``finds(_:)``.
  func findsAtAnyTime(_ quake: Quake) -> Bool {
    guard self.minimumMagnitude <= quake.roundedMagnitude else { return false }
    return self.text.isEmpty || FoldedText(quake.name).contains(self.text)
  }
}

extension Quake {
  /// The magnitude as it is shown: to one decimal.
  public var roundedMagnitude: Double {
    (self.magnitude * 10).rounded(.toNearestOrEven) / 10
  }
}

extension Range<Date> {
  /// The day of a date in `Calendar.autoupdatingCurrent`, from its first moment to that of the next.
  static func day(of date: Date) -> Self {
    // Not every day has a midnight, nor 24 hours.
    guard let day = Calendar.autoupdatingCurrent.dateInterval(of: .day, for: date) else {
      return date..<date
    }
    return day.start..<day.end
  }
}
