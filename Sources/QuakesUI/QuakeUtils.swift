import Foundation
import QuakesData

// What is shown of an earthquake.
//
// Source: the guide, chapter QuakesUI, section QuakeUtils.
extension Quake {
  static var previewQuakes: [Self] {
    [.xxsmall, .xsmall, .small, .medium, .large, .xlarge, .xxlarge, .xxxlarge]
  }

  /// To one decimal.
  var magnitudeString: String {
    self.magnitude.formatted(.magnitude)
  }

  /// When it happened, to the second, with weekday and time zone.
  func fullDate(in timeZone: TimeZone) -> String {
    self.time.formatted(
      Date.FormatStyle(date: .complete, time: .complete, locale: .english, timeZone: timeZone)
    )
  }

  /// What colors tell.
  var magnitudeClass: MagnitudeClass { MagnitudeClass(of: self.roundedMagnitude) }
}

extension Quake {
  /// Of its row's element.
  var rowID: String {
    "quake-\(self.id)"
  }

  /// When it happened, for whoever has no module that says how long ago that is.
  var absoluteTime: String {
    self.absoluteTimeText + " UTC"
  }

  /// Its time in UTC.
  var absoluteTimeText: String {
    self.time.formatted(.absolute)
  }

  /// For `datetime` attributes.
  var dateTime: String {
    self.time.formatted(Date.ISO8601FormatStyle())
  }
}

// A marker is a line of next to no length, whose round ends make a disk: unlike that of a circle, its
// size need not change with the zoom.
extension Quake {
  /// In pixels: small ones leave room to each other, and what is strong is seen from afar.
  var markerSize: Double {
    let magnitude = min(max(self.magnitude, 0), 10)
    return 8 + 0.7 * magnitude * magnitude
  }

  /// Of a ring around it, in the map's font size, 12 pixels: it goes around the number of those that are counted
  /// there.
  var ringRadius: Double {
    (max(self.markerSize, 28) / 2 + 3) / 12
  }

  var markerPath: String {
    let point = self.mapPoint
    return "M\(point.x.decimal(3)) \(point.y.decimal(3))l.001.001"
  }
}

extension FormatStyle where Self == FloatingPointFormatStyle<Double> {
  fileprivate static var magnitude: Self {
    .number.precision(.fractionLength(1)).locale(.english)
  }
}

extension FormatStyle where Self == Date.FormatStyle {
  fileprivate static var absolute: Self {
    Date.FormatStyle(date: .abbreviated, time: .shortened, locale: .english, timeZone: .gmt)
  }
}
