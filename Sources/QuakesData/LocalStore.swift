// For the error that a store throws, with its code.
@_exported public import DatabaseFiles
public import Foundation
import GRDB

/// Keeps the earthquakes in a SQLite database on this machine.
///
/// What a mutation returned from is on disk. Only one store at a time, of all processes, has a file.
///
/// ```swift
/// let store = try LocalStore(url: URL(filePath: "data/quakes.store"))
/// let quakes = try await store.fetchLocalQuakesQuery()
/// try store.close()
/// ```
///
/// Source: the guide, chapter QuakesData, section LocalStore.
final public actor LocalStore {
  package typealias Error = LocalStoreError

  nonisolated let file: DatabaseFile

  /// Opens a file; makes it, with nothing in it, where nothing has its name.
  ///
  /// - Parameter url: The file; its folder is there.
  /// - Throws: ``LocalStoreError``; what was there is then as it was, to the byte.
  public init(url: URL) throws {
    self.file = try DatabaseFile(url: url, schema: .quakes)
  }

  /// - Parameter isStoredInMemoryOnly: Not on disk, and gone with this store; else it is the file
  ///   `default.store` in the current directory.
  /// - Throws: ``LocalStoreError``.
  public init(isStoredInMemoryOnly: Bool = false) throws {
    self.file = try DatabaseFile(isStoredInMemoryOnly: isStoredInMemoryOnly, schema: .quakes)
  }

  /// Ends work on the file, so that another store may open it. Every other function throws after it.
  ///
  /// - Throws: ``LocalStoreError``; nothing that was saved is lost.
  public nonisolated func close() throws {
    try self.file.close()
  }
}

/// The name that the guide gives to what does the work of a ``LocalStore``.
package typealias ModelActor = LocalStore

extension LocalStoreError.Code {
  package static let quakeNotFound = Self("quakeNotFound", "There is no such earthquake.")
}

extension DatabaseTable<Quake> {
  static let quakes = Self(
    "quake",
    [
      .text("quakeId"), .real("magnitude"), .real("time"), .real("updated"), .text("name"),
      .real("longitude"), .real("latitude"), .real("depth"), .integer("felt"),
    ],
    read: Self.quake
  ) { quake in
    [
      quake.quakeId, quake.magnitude, quake.time.timeIntervalSinceReferenceDate,
      quake.updated.timeIntervalSinceReferenceDate, quake.name, quake.longitude, quake.latitude,
      quake.depth, quake.felt,
    ]
  }

  private static func quake(_ row: Row) throws -> Quake {
    let quakeId = try row.text(0)
    func require<Part>(_ value: Part?, _ name: String) throws -> Part {
      guard let value else {
        throw LocalStoreError(
          code: .invalidRow,
          message:
            "The earthquake “\(quakeId)” has no valid \(name). Repair the database, or take a "
            + "newer version of this program."
        )
      }
      return value
    }
    func number(_ index: Int, in range: ClosedRange<Double>) -> Double? {
      row.number(index).flatMap { range.contains($0) ? $0 : nil }
    }
    func date(_ index: Int) -> Date? {
      row.number(index).flatMap { $0.isFinite ? Date(timeIntervalSinceReferenceDate: $0) : nil }
    }
    return Quake(
      quakeId: quakeId,
      magnitude: try require(number(1, in: QuakeLimits.magnitudes), "magnitude"),
      time: try require(date(2), "time"),
      updated: try require(date(3), "time of update"),
      name: try require(try? row.text(4), "name"),
      longitude: try require(number(5, in: QuakeLimits.longitudes), "longitude"),
      latitude: try require(number(6, in: QuakeLimits.latitudes), "latitude"),
      depth: number(7, in: QuakeLimits.depths),
      felt: row.integer(8).flatMap { QuakeLimits.felt.contains($0) ? $0 : nil }
    )
  }
}

extension DatabaseSchema {
  /// Times are in seconds since the reference date of `Date`, which is what it holds: every other unit
  /// or date would be rounded on the way.
  static let quakes = DatabaseSchema(
    name: "quakes",
    migrations: [
      """
      CREATE TABLE quake (
        quakeId TEXT NOT NULL PRIMARY KEY,
        magnitude REAL NOT NULL,
        time REAL NOT NULL,
        updated REAL NOT NULL,
        name TEXT NOT NULL,
        longitude REAL NOT NULL,
        latitude REAL NOT NULL
      );
      """,
      // Of those that are there the next refresh brings it: to be older than what a feed has is to be
      // replaced.
      """
      ALTER TABLE quake ADD COLUMN depth REAL;
      UPDATE quake SET updated = updated - 0.001;
      """,
      // Which were deleted, and when, until no feed has them any more.
      """
      CREATE TABLE deletedQuake (
        quakeId TEXT NOT NULL PRIMARY KEY,
        deleted REAL NOT NULL
      );
      CREATE INDEX deletedQuakeByDate ON deletedQuake (deleted);
      """,
      // As with the depth.
      """
      ALTER TABLE quake ADD COLUMN felt INTEGER;
      UPDATE quake SET updated = updated - 0.001;
      """,
    ]
  )
}
