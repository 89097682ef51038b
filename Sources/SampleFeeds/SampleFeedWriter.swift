import Foundation

/// Writes earthquakes like the USGS, including the order of the fields.
///
/// The texts of a sample contain nothing that JSON must escape.
struct SampleFeedWriter {
  private let generated: Int
  private var bytes: [UInt8] = []

  private static let service = "https://earthquake.usgs.gov/earthquakes"

  /// - Parameter generated: The time in milliseconds since 1970.
  init(generated: Int) {
    self.generated = generated
  }

  var data: Data { Data(self.bytes) }

  mutating func write(
    _ quakes: [SampleQuake],
    _ range: SampleFeed.Range
  ) {
    let usualBytes = 750
    self.bytes.reserveCapacity((quakes.count + 1) * usualBytes)
    self.write(
      #"""
      {"type":"FeatureCollection","metadata":{"generated":\#(self.generated),\#
      "url":"\#(Self.service)/feed/v1.0/summary/\#(range.fileName)",\#
      "title":"Sample Earthquakes, \#(Self.title(range))","status":200,"api":"1.5.8",\#
      "count":\#(quakes.count)},"features":[
      """#
    )
    var separator = ""
    for quake in quakes {
      self.write(separator)
      self.write(self.feature(quake))
      separator = ",\n"
    }
    self.write("]")
    self.write(Self.bounds(of: quakes))
    self.write("}")
  }

  private mutating func write(_ text: String) {
    self.bytes.append(contentsOf: text.utf8)
  }

  private static func title(_ range: SampleFeed.Range) -> String {
    switch range {
    case .allHour: "Past Hour"
    case .allDay: "Past Day"
    case .allWeek: "Past Week"
    case .allMonth: "Past Month"
    }
  }
}

// One earthquake.
extension SampleFeedWriter {
  private func feature(_ quake: SampleQuake) -> String {
    let (net, code) = (SampleFeed.network, quake.code)
    let tenths = (quake.magnitude + 5) / 10
    let minutesFromUTC = Int((Double(quake.longitude) / 150_000).rounded()) * 60
    // Computed from the magnitude alone, because most earthquakes have no other data.
    let significance = Int((Double(quake.magnitude * quake.magnitude) / 650).rounded())
    let isRecent = self.generated - quake.time < 24 * SampleQuake.hour
    return #"""
      {"type":"Feature","properties":{"mag":\#(Self.decimal(quake.magnitude, digits: 2)),\#
      "place":"\#(quake.place)","time":\#(quake.time),"updated":\#(quake.updated),\#
      "tz":\#(minutesFromUTC),"url":"\#(Self.service)/eventpage/\#(net)\#(code)",\#
      "detail":"\#(Self.service)/feed/v1.0/detail/\#(net)\#(code).geojson","felt":\#(quake.felt.map(String.init) ?? "null"),\#
      "cdi":null,"mmi":null,"alert":\#(quake.magnitude >= 500 ? #""green""# : "null"),\#
      "status":"\#(isRecent ? "automatic" : "reviewed")",\#
      "tsunami":\#(quake.magnitude >= 650 ? 1 : 0),"sig":\#(significance),"net":"\#(net)",\#
      "code":"\#(code)","ids":",\#(net)\#(code),","sources":",\#(net),",\#
      "types":",geoserve,origin,phase-data,","nst":\#(quake.stations),"dmin":null,"rms":null,\#
      "gap":\#(quake.gap),"magType":"\#(quake.magnitude >= 400 ? "mb" : "ml")",\#
      "type":"earthquake","title":"M \#(tenths / 10).\#(tenths % 10) - \#(quake.place)"},\#
      "geometry":{"type":"Point","coordinates":[\#
      \#(Self.decimal(quake.longitude, digits: 4)),\#(Self.decimal(quake.latitude, digits: 4)),\#
      \#(Self.decimal(quake.depth, digits: 2))]},"id":"\#(net)\#(code)"}
      """#
  }

  /// The corners of the bounding box; empty without earthquakes.
  private static func bounds(of quakes: [SampleQuake]) -> String {
    let axes: [(values: [Int], digits: Int)] = [
      (quakes.map(\.longitude), 4), (quakes.map(\.latitude), 4), (quakes.map(\.depth), 2),
    ]
    let least = axes.compactMap { axis in
      axis.values.min().map { Self.decimal($0, digits: axis.digits) }
    }
    let greatest = axes.compactMap { axis in
      axis.values.max().map { Self.decimal($0, digits: axis.digits) }
    }
    guard least.isEmpty == false else { return "" }
    return #","bbox":[\#((least + greatest).joined(separator: ","))]"#
  }

  /// A decimal without trailing zeros.
  ///
  /// - Parameter number: The number, multiplied by a power of ten for that many decimals.
  private static func decimal(_ number: Int, digits: Int) -> String {
    var (value, digits) = (number.magnitude, digits)
    while digits > 0, value % 10 == 0 {
      value /= 10
      digits -= 1
    }
    let sign = number < 0 ? "-" : ""
    guard digits > 0 else { return "\(sign)\(value)" }
    let text = String(value)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return "\(sign)\(padded.dropLast(digits)).\(padded.suffix(digits))"
  }
}
