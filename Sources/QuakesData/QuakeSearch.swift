public import Foundation
public import PlainText

/// A search for quakes by name, time and strength. Beyond the guide.
///
/// Windows in one time zone have the same interval for the same day, and so share a search, whatever
/// the zone of the server.
public struct QuakeSearch: Hashable, Sendable {
  private let text: SearchText
  let interval: Range<Date>
  private let minimumMagnitude: Double

  /// - Parameters:
  ///   - text: A part of their name, ignoring case and accents; empty for any name.
  ///   - interval: When they happened, excluding the upper bound.
  ///   - minimumMagnitude: Their minimum magnitude as it is shown, rounded to one decimal.
  public init(
    _ text: SearchText,
    in interval: Range<Date>,
    from minimumMagnitude: Double = -.infinity
  ) {
    self.text = text
    self.interval = interval
    self.minimumMagnitude = minimumMagnitude
  }

  public init(
    _ text: String = "",
    in interval: Range<Date>,
    from minimumMagnitude: Double = -.infinity
  ) {
    self.init(SearchText(text), in: interval, from: minimumMagnitude)
  }

  /// - Complexity: O(1) for a quake of another time; otherwise O(n), n bytes of its name.
  public func finds(_ quake: Quake) -> Bool {
    self.interval.contains(quake.time) && self.findsAtAnyTime(quake)
  }

  /// - Complexity: As for ``finds(_:)``.
  func findsAtAnyTime(_ quake: Quake) -> Bool {
    self.minimumMagnitude <= quake.roundedMagnitude && self.text.finds(quake.name)
  }
}

extension QuakeSearch: CustomStringConvertible {
  public var description: String {
    "\"\(self.text.folded.string)\", \(self.interval), \(self.minimumMagnitude)"
  }
}

extension Quake {
  /// The magnitude as it is shown, rounded to one decimal.
  public var roundedMagnitude: Double {
    (self.magnitude * 10).rounded(.toNearestOrEven) / 10
  }
}
