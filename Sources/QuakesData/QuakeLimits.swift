import Foundation

/// The valid ranges for the numbers of an earthquake, from any source.
enum QuakeLimits {
  static let magnitudes = -10.0...12.0
  /// From the year 1 to the year 9999, so that years have four digits.
  static let times =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)
  /// In degrees, east of Greenwich.
  static let longitudes = -180.0...180.0
  /// In degrees, north of the equator.
  static let latitudes = -90.0...90.0
  /// In kilometers below sea level.
  static let depths = -100.0...6_400.0
  /// The number of people who felt it. Zero is stored as `nil`.
  static let felt = 1...10_000_000

  /// A value that is known only for some quakes. An invalid one counts as unknown, because the rest of
  /// the quake is still valid.
  static func known<Value: Comparable>(
    _ value: Value?,
    in range: ClosedRange<Value>
  ) -> Value? {
    value.flatMap { range.contains($0) ? $0 : nil }
  }

  /// Whether a quake can be shown.
  static func allow(_ quake: Quake) -> Bool {
    self.magnitudes.contains(quake.magnitude) && self.times.contains(quake.time)
      && self.times.contains(quake.updated) && self.longitudes.contains(quake.longitude)
      && self.latitudes.contains(quake.latitude)
  }
}
