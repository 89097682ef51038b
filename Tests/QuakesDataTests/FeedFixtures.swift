import Foundation
import GRDB
import HashTreeCollections
import Services

@testable import QuakesData

/// Feeds as text.
enum Feed {
  /// That of the USGS in Tests/QuakesDataTests/Resources.
  static let real: Data = {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Resources/usgs-all-week-2018-02-07.geojson")
    return FileManager.default.contents(atPath: url.path) ?? Data()
  }()

  static func text(_ features: [String]) -> String {
    #"{"type":"FeatureCollection","features":[\#(features.joined(separator: ","))]}"#
  }

  /// A feature, with its values in JSON.
  static func feature(
    id: String = #""a""#,
    mag: String = "1.5",
    place: String = #""4km W of Castaic, CA""#,
    time: String = "1517966773840",
    updated: String = "1517966996303",
    coordinates: String = "[-118.5,34.25,26.49]",
    ids: String = "null"
  ) -> String {
    #"{"type":"Feature","properties":{"mag":\#(mag),"place":\#(place),"time":\#(time),"updated":"#
      + #"\#(updated),"ids":\#(ids),"tz":-480},"geometry":{"type":"Point","coordinates":\#(coordinates)},"#
      + #""id":\#(id)}"#
  }

  static func decode(_ text: String) throws -> QuakesFeed {
    try Self.decode(Data(text.utf8))
  }

  static func decode(_ data: Data) throws -> QuakesFeed {
    try FeedDecoder().decode(RemoteResponse.self, from: data).feed()
  }
}

extension Quake {
  /// What ``Feed/feature(id:mag:place:time:updated:coordinates:)`` has.
  static func ofFeature(
    _ quakeId: String = "a",
    magnitude: Double = 1.5,
    time: Date = Date(timeIntervalSince1970: 1_517_966_773.840),
    updated: Date = Date(timeIntervalSince1970: 1_517_966_996.303),
    name: String = "4km W of Castaic, CA",
    longitude: Double = -118.5,
    latitude: Double = 34.25
  ) -> Self {
    .make(
      quakeId, magnitude: magnitude, time: time, updated: updated, name: name,
      longitude: longitude, latitude: latitude)
  }
}

/// A folder of its own, which is gone after the work.
func withFeedFolder<Value>(_ work: (URL) async throws -> Value) async throws -> Value {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "QuakesDataTests-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await work(folder)
}

extension QuakesState {
  /// What is read from a database that an older release has filled, before a column was added.
  ///
  /// - Parameter migration: The number of the migration that adds it.
  static func read(
    _ quakes: [Quake],
    storedWithout column: String,
    ofMigration migration: Int
  ) async throws -> Self {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let store = try LocalStore(url: url)
      try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])
      try store.close()
      let old = try DatabaseQueue(path: url.path)
      try await old.write { database in
        try database.execute(
          sql: """
            ALTER TABLE quake DROP COLUMN \(column);
            DELETE FROM grdb_migrations WHERE identifier = 'quakes \(migration)';
            """)
      }
      try old.close()

      var state = QuakesState()
      state.quakes.data.insert(try await LocalStore(url: url).fetchLocalQuakesQuery())
      return state
    }
  }
}
