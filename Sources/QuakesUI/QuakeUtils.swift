import Foundation
import ImmutableUI
import QuakesData

// The texts and attributes of an earthquake.
//
// Source: the guide, chapter QuakesUI, section QuakeUtils.
extension Quake {
  static var previewQuakes: [Self] {
    [.xxsmall, .xsmall, .small, .medium, .large, .xlarge, .xxlarge, .xxxlarge]
  }

  /// The magnitude, rounded to one decimal.
  var magnitudeString: String {
    self.magnitude.withOneDecimal ?? self.magnitude.formatted(.magnitude)
  }

  /// When it happened, to the second, with weekday and time zone.
  func fullDate(in timeZone: TimeZone) -> String {
    self.time.formatted(
      Date.FormatStyle(date: .complete, time: .complete, locale: .english, timeZone: timeZone)
    )
  }

  /// The meaning of the color.
  var magnitudeClass: MagnitudeClass { MagnitudeClass(of: self.roundedMagnitude) }
}

extension Quake {
  /// The id of its row's element.
  var rowID: String {
    "quake-\(self.id)"
  }

  /// When it happened, for pages without the module that shows how long ago that is.
  var absoluteTime: String {
    self.absoluteTimeText + " UTC"
  }

  /// Its time in UTC.
  var absoluteTimeText: String {
    UTCTime(self.time)?.text ?? self.time.formatted(.absolute)
  }

  /// The form for `datetime` attributes.
  var dateTime: String {
    self.time.formatted(Date.ISO8601FormatStyle())
  }
}

// A marker is a line of almost no length, whose round ends form a disk. Unlike a circle, its size
// need not change with the zoom.
extension Quake {
  /// The diameter in pixels. Weak earthquakes are small, to leave room for each other, and strong
  /// ones stand out.
  var markerSize: Double {
    let magnitude = min(max(self.magnitude, 0), 10)
    return 8 + 0.7 * magnitude * magnitude
  }

  /// The radius of a ring around it, in units of the map's font size, 12 pixels. It also encloses
  /// the number of a cluster.
  var ringRadius: Double {
    (max(self.markerSize, 28) / 2 + 3) / 12
  }

  var markerPath: String {
    let point = self.mapPoint
    return "M\(point.x.decimal(3)) \(point.y.decimal(3))l.001.001"
  }
}

extension Double {
  /// The number as ``FormatStyle/magnitude`` formats it, in a fraction of the time, because lists have
  /// hundreds of rows. `nil` if it is negative or large, or in the middle between two tenths.
  fileprivate var withOneDecimal: String? {
    let tenths = self * 10
    let rounded = tenths.rounded()
    guard 0 <= self, rounded < 1_000, abs(tenths - rounded) < 0.499 else { return nil }
    return "\(Int(rounded) / 10).\(Int(rounded) % 10)"
  }
}

extension FormatStyle where Self == FloatingPointFormatStyle<Double> {
  /// For example `4.0`.
  static var magnitude: Self {
    .number.precision(.fractionLength(1)).locale(.english)
  }
}

extension FormatStyle where Self == Date.FormatStyle {
  fileprivate static var absolute: Self {
    Date.FormatStyle(date: .abbreviated, time: .shortened, locale: .english, timeZone: .gmt)
  }
}
