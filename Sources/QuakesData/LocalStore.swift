// Exported for the error, with its code, that a store throws.
@_exported public import DatabaseFiles
public import Foundation
import GRDB
import Logging

/// Keeps the earthquakes in a SQLite database on this machine.
///
/// When a mutation returns, its change is on disk. Only one process can use a file at a time.
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

  package nonisolated let file: DatabaseFile
  nonisolated let logger = Logger(label: "QuakesData")

  /// Opens a file, or creates an empty one if it does not exist.
  ///
  /// - Parameter url: The file; its folder exists.
  /// - Throws: ``LocalStoreError``; an existing file is then unchanged, to the byte.
  public init(url: URL) throws {
    self.file = try DatabaseFile(url: url, schema: .quakes)
  }

  /// - Parameter isStoredInMemoryOnly: Not on disk, and lost with this store; otherwise it is the
  ///   file `default.store` in the current directory.
  /// - Throws: ``LocalStoreError``.
  public init(isStoredInMemoryOnly: Bool = false) throws {
    self.file = try DatabaseFile(isStoredInMemoryOnly: isStoredInMemoryOnly, schema: .quakes)
  }

  /// Opens a file, or creates it, like ``init(url:)``; see ``DatabaseFile/init(reopening:schema:)``.
  ///
  /// - Throws: ``LocalStoreError`` for a reason that is not temporary.
  package init(reopening url: URL) throws {
    self.file = try DatabaseFile(reopening: url, schema: .quakes)
  }

  /// The actor that does the work: this one.
  package var modelActor: ModelActor { self }

  /// Closes the file, so that another store may open it. Every other function throws afterwards.
  ///
  /// - Throws: ``LocalStoreError``; saved data is not lost.
  public nonisolated func close() throws {
    try self.file.close()
  }
}

/// The actor that does the work of a ``LocalStore``; the guide names it so.
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
    func date(_ index: Int) throws -> Date {
      Date(timeIntervalSinceReferenceDate: try row.number(index))
    }
    return Quake(
      quakeId: try row.text(0),
      magnitude: try row.number(1),
      time: try date(2),
      updated: try date(3),
      name: try row.text(4),
      longitude: try row.number(5),
      latitude: try row.number(6),
      depth: try row.numberIfPresent(7),
      felt: try row.integerIfPresent(8)
    )
  }
}

extension DatabaseSchema {
  /// Times are in seconds since the reference date of `Date`, which is its internal value. Any
  /// other unit or reference date would cause rounding.
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
      // The next refresh fills it in for existing quakes, because a row that is older than the feed
      // is replaced.
      """
      ALTER TABLE quake ADD COLUMN depth REAL;
      UPDATE quake SET updated = updated - 0.001;
      """,
      // The deleted quakes and their times, until no feed contains them any more.
      """
      CREATE TABLE deletedQuake (
        quakeId TEXT NOT NULL PRIMARY KEY,
        deleted REAL NOT NULL
      );
      CREATE INDEX deletedQuakeByDate ON deletedQuake (deleted);
      """,
      // Filled in like the depth.
      """
      ALTER TABLE quake ADD COLUMN felt INTEGER;
      UPDATE quake SET updated = updated - 0.001;
      """,
    ]
  )
}
