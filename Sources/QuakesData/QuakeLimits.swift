import Foundation

/// What numbers an earthquake can have, wherever it comes from.
enum QuakeLimits {
  static let magnitudes = -10.0...12.0
  /// From the year 1 to the year 9999, which is what has a date of four digits.
  static let times =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)
  /// In degrees, east of Greenwich.
  static let longitudes = -180.0...180.0
  /// In degrees, north of the equator.
  static let latitudes = -90.0...90.0
  /// In kilometers below the sea's surface.
  static let depths = -100.0...6_400.0
  /// How many people can have felt it; that nobody has said so is not kept.
  static let felt = 1...10_000_000
}
