// For the error that a store throws, with its code.
@_exported public import DatabaseFiles
public import Foundation

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

  private init(file: DatabaseFile) {
    self.file = file
  }

  /// Opens a file; makes it, with nothing in it, where nothing has its name.
  ///
  /// - Parameter url: The file; its folder is there.
  /// - Throws: ``LocalStoreError``; what was there is then as it was, to the byte.
  public init(url: URL) throws {
    self.init(file: try DatabaseFile(url: url, schema: .quakes))
  }

  /// - Parameter isStoredInMemoryOnly: Not on disk, and gone with this store; else it is the file
  ///   `default.store` in the current directory.
  /// - Throws: ``LocalStoreError``.
  public init(isStoredInMemoryOnly: Bool = false) throws {
    self.init(
      file: try DatabaseFile(isStoredInMemoryOnly: isStoredInMemoryOnly, schema: .quakes)
    )
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

extension DatabaseSchema {
  /// Add migrations; never change one that has been released.
  ///
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
      """
    ]
  )
}
