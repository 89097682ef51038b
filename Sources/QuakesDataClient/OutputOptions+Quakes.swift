import Foundation
import HashTreeCollections
import QuakesData
import Terminal

// Earthquakes.
extension OutputOptions {
  func write(_ quakes: [Quake]) throws {
    try self.write(quakes.map(QuakeRecord.init), Self.table(quakes))
  }

  private static func table(_ quakes: [Quake]) -> String {
    let time = Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .current)
    return Text.table(
      ["ID", "MAGNITUDE", "TIME", "LATITUDE", "LONGITUDE", "PLACE"],
      quakes.map { quake in
        [
          quake.id, Self.decimal(quake.magnitude, digits: 1), time.format(quake.time),
          Self.decimal(quake.latitude, digits: 4), Self.decimal(quake.longitude, digits: 4),
          quake.name,
        ]
      }
    )
  }

  private static func decimal(_ number: Double, digits: Int) -> String {
    String(format: "%.\(digits)f", number)
  }
}

/// An earthquake as output for programs.
private struct QuakeRecord: Encodable {
  let quakeId: String
  let magnitude: Double
  /// To the millisecond, like `updated`.
  let time: String
  let updated: String
  let name: String
  let longitude: Double
  let latitude: Double

  init(_ quake: Quake) {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    // The formatter truncates to milliseconds, few of which are exact in a `Double`.
    let half = 0.000_5
    self.quakeId = quake.quakeId
    self.magnitude = quake.magnitude
    self.time = format.format(quake.time + half)
    self.updated = format.format(quake.updated + half)
    self.name = quake.name
    self.longitude = quake.longitude
    self.latitude = quake.latitude
  }
}

extension QuakesState.Quakes {
  /// The content of a database. Of ids that Unicode calls equal, which another program may have
  /// written, the last one counts.
  init(_ quakes: [Quake]) {
    self.init(data: TreeDictionary(quakes.map { ($0.id, $0) }, uniquingKeysWith: { $1 }))
  }
}
