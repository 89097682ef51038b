import Foundation

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

/// A text without case and accents, to be searched by its bytes: UTF-8 never finds a part of a
/// character.
struct FoldedText: Sendable {
  let bytes: [UInt8]

  /// - Complexity: O(n), n bytes.
  init(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      // What folding comes to here, in a fifteenth of its time: 1.6 ms for 10,000 names.
      self.bytes = text.utf8.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    } else {
      // Decomposed, for what is equal may be composed in one text and not in the other.
      self.bytes = Array(
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
          .decomposedStringWithCanonicalMapping.utf8
      )
    }
  }

  var isEmpty: Bool {
    self.bytes.isEmpty
  }

  var string: String {
    String(decoding: self.bytes, as: UTF8.self)
  }

  func contains(_ other: Self) -> Bool {
    guard let first = other.bytes.first else { return true }
    guard other.bytes.count <= self.bytes.count else { return false }
    for start in 0...(self.bytes.count - other.bytes.count)
    where self.bytes[start] == first && self.bytes[start...].starts(with: other.bytes) {
      return true
    }
    return false
  }
}
