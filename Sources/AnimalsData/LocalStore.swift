// For the error that a store throws, with its code.
@_exported public import DatabaseFiles
public import Foundation
import GRDB

/// Keeps the catalogue in a SQLite database on this machine.
///
/// What a mutation returned is on disk. Only one store at a time, of all processes, has a file.
///
/// ```swift
/// let store = try LocalStore<UUID>(url: URL(filePath: "data/animals.store"))
/// let animals = try await store.fetchAnimalsQuery()
/// try store.close()
/// ```
///
/// Source: the guide, chapter AnimalsData, section LocalStore.
final public actor LocalStore<UUID> where UUID: IncrementalStoreUUID {
  package typealias Error = LocalStoreError

  nonisolated let file: DatabaseFile

  private init(file: DatabaseFile) {
    self.file = file
  }

  /// Opens a file; makes it, with the sample data in it, where nothing has its name.
  ///
  /// - Parameter url: The file; its folder is there.
  /// - Throws: ``LocalStoreError``; what was there is then as it was, to the byte.
  public init(url: URL) throws {
    let file = try DatabaseFile(url: url, schema: .animals)
    self.init(file: try file.withSampleData())
  }

  /// - Parameter isStoredInMemoryOnly: Not on disk, and gone with this store; else it is the file
  ///   `default.store` in the current directory.
  /// - Throws: ``LocalStoreError``.
  public init(isStoredInMemoryOnly: Bool = false) throws {
    let file = try DatabaseFile(isStoredInMemoryOnly: isStoredInMemoryOnly, schema: .animals)
    self.init(file: try file.withSampleData())
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

extension DatabaseFile {
  /// Puts the sample data there if there is no category, as at first launch.
  fileprivate func withSampleData() throws -> Self {
    do {
      try self.writeNow { database in
        let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM category")
        if count == 0 {
          try Catalogue(database).addSamples()
        }
      }
    } catch {
      try? self.close()
      throw error
    }
    return self
  }
}

extension DatabaseSchema {
  /// Add migrations; never change one that has been released.
  static let animals = DatabaseSchema(
    name: "animals",
    migrations: [
      """
      CREATE TABLE category (
        categoryId TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL
      );
      CREATE TABLE animal (
        animalId TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        diet TEXT NOT NULL,
        categoryId TEXT NOT NULL REFERENCES category (categoryId)
      );
      CREATE INDEX animalOnCategoryId ON animal (categoryId);
      """
    ]
  )
}
