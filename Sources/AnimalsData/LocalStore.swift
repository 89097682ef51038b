// For the error that a store throws, with its code.
@_exported public import DatabaseFiles
public import Foundation
import GRDB
import Pictures

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
  /// The most animals that may be added.
  nonisolated let limit: Int
  /// Is told of each change by this store, in the order of the commits.
  nonisolated let didChange: @Sendable (CatalogueChange) -> Void

  /// Opens a file; makes it, with the sample data in it, where nothing has its name.
  ///
  /// - Parameters:
  ///   - url: The file; its folder is there.
  ///   - limit: The most animals. Those that are there stay when they are more; none can be added.
  ///   - didChange: Is told of each change by this store, in the order of the commits; it must return
  ///     soon.
  /// - Throws: ``LocalStoreError``; what was there is then as it was, to the byte.
  public init(
    url: URL,
    limit: Int = .max,
    didChange: @escaping @Sendable (CatalogueChange) -> Void = { _ in }
  ) throws {
    self.limit = limit
    self.didChange = didChange
    self.file = try DatabaseFile(url: url, schema: .animals)
  }

  /// - Parameters:
  ///   - isStoredInMemoryOnly: Not on disk, and gone with this store; else it is the file
  ///     `default.store` in the current directory.
  ///   - limit: As above.
  ///   - didChange: As above.
  /// - Throws: ``LocalStoreError``.
  public init(
    isStoredInMemoryOnly: Bool = false,
    limit: Int = .max,
    didChange: @escaping @Sendable (CatalogueChange) -> Void = { _ in }
  ) throws {
    self.limit = limit
    self.didChange = didChange
    self.file = try DatabaseFile(isStoredInMemoryOnly: isStoredInMemoryOnly, schema: .animals)
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

extension DatabaseTable<Category> {
  static let categories = Self("category", [.text("categoryId"), .text("name")]) { row in
    Category(categoryId: try row.text(0), name: try row.text(1))
  } columns: { category in
    [category.categoryId, category.name]
  }
}

extension DatabaseTable<Animal> {
  static let animals = Self(
    "animal",
    [
      .text("animalId"), .text("name"), .text("diet"), .text("categoryId"),
      .integer("isFavorite"), .text("position"),
      .text("picture"), .text("pictureKind"), .integer("pictureWidth"), .integer("pictureHeight"),
    ]
  ) { row in
    let (animalId, diet) = (try row.text(0), try row.text(2))
    guard let diet = Animal.Diet(rawValue: diet) else {
      throw LocalStoreError(
        code: .invalidRow,
        message: "The animal “\(animalId)” has a diet that is not known, “\(diet)”. "
          + "Repair the database, or take a newer version of this program."
      )
    }
    let (name, categoryId) = (try row.text(1), try row.text(3))
    return Animal(
      animalId: animalId,
      name: name,
      diet: diet,
      categoryId: categoryId,
      isFavorite: row.isTrue(4),
      position: try row.textIfPresent(5).flatMap { Animal.Position($0) },
      picture: try row.picture(6)
    )
  } columns: { animal in
    [
      animal.animalId, animal.name, animal.diet.rawValue, animal.categoryId, animal.isFavorite,
      animal.position?.description, animal.picture?.hash, animal.picture?.kind.rawValue,
      animal.picture?.width, animal.picture?.height,
    ]
  }
}

extension Row {
  /// The picture in four columns; `nil` without one, and for what can be none.
  fileprivate func picture(_ index: Int) throws -> Picture? {
    guard let hash = try self.textIfPresent(index),
      let kind = try self.textIfPresent(index + 1).flatMap({ Picture.Kind(rawValue: $0) }),
      let width = self.integer(index + 2), let height = self.integer(index + 3)
    else { return nil }
    return Picture(hash: hash, kind: kind, width: width, height: height)
  }
}

extension DatabaseSchema {
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
      """,
      """
      ALTER TABLE animal ADD COLUMN isFavorite INTEGER NOT NULL DEFAULT 0;
      """,
      """
      ALTER TABLE animal ADD COLUMN position TEXT;
      """,
      """
      ALTER TABLE animal ADD COLUMN picture TEXT;
      ALTER TABLE animal ADD COLUMN pictureKind TEXT;
      ALTER TABLE animal ADD COLUMN pictureWidth INTEGER;
      ALTER TABLE animal ADD COLUMN pictureHeight INTEGER;
      CREATE INDEX animalOnPicture ON animal (picture) WHERE picture IS NOT NULL;
      """,
    ],
    fill: { database in
      // As at first launch: there is no category.
      if try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM category") == 0 {
        try Self.addSamples(database)
      }
    }
  )

  static func addSamples(_ database: Database) throws {
    for category in Category.samples { try DatabaseTable.categories.insert(database, category) }
    for animal in Animal.samples { try DatabaseTable.animals.insert(database, animal) }
  }
}
