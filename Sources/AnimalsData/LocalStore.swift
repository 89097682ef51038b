// Exported for the error, with its code, that a store throws.
@_exported public import DatabaseFiles
public import Foundation
import GRDB
import Pictures

/// Keeps the catalog in a SQLite database on this machine.
///
/// When a mutation returns, its result is on disk. Only one process can use a file at a time.
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

  package nonisolated let file: DatabaseFile
  /// The maximum number of animals.
  nonisolated let limit: Int
  /// Receives each change by this store, in the order of the commits.
  nonisolated let didChange: @Sendable (CatalogChange) -> Void

  /// Opens a file, or creates it with the sample data if it does not exist.
  ///
  /// - Parameters:
  ///   - url: The file; its folder exists.
  ///   - limit: The maximum number of animals. Existing animals beyond it stay, but none can be
  ///     added.
  ///   - didChange: Receives each change by this store, in the order of the commits; it must return
  ///     soon.
  /// - Throws: ``LocalStoreError``; an existing file is then unchanged, to the byte.
  public init(
    url: URL,
    limit: Int = .max,
    didChange: @escaping @Sendable (CatalogChange) -> Void = { _ in }
  ) throws {
    try self.init(DatabaseFile(url: url, schema: .animals), limit: limit, didChange)
  }

  /// - Parameters:
  ///   - isStoredInMemoryOnly: Not on disk, and lost with this store; otherwise it is the file
  ///     `default.store` in the current directory.
  ///   - limit: As above.
  ///   - didChange: As above.
  /// - Throws: ``LocalStoreError``.
  public init(
    isStoredInMemoryOnly: Bool = false,
    limit: Int = .max,
    didChange: @escaping @Sendable (CatalogChange) -> Void = { _ in }
  ) throws {
    try self.init(
      DatabaseFile(isStoredInMemoryOnly: isStoredInMemoryOnly, schema: .animals), limit: limit,
      didChange)
  }

  /// Opens a file, or creates it, like ``init(url:limit:didChange:)``; see
  /// ``DatabaseFile/init(reopening:schema:)``.
  ///
  /// - Throws: ``LocalStoreError`` for a reason that is not temporary.
  package init(reopening url: URL, limit: Int) throws {
    try self.init(DatabaseFile(reopening: url, schema: .animals), limit: limit) { _ in }
  }

  private init(
    _ file: DatabaseFile, limit: Int, _ didChange: @escaping @Sendable (CatalogChange) -> Void
  ) {
    self.file = file
    self.limit = limit
    self.didChange = didChange
  }

  /// The actor that does the work: this one.
  package var modelActor: ModelActor<UUID> { self }

  /// Closes the file, so that another store may open it. Every other function throws afterwards.
  ///
  /// - Throws: ``LocalStoreError``; saved data is not lost.
  public nonisolated func close() throws {
    try self.file.close()
  }
}

/// The actor that does the work of a ``LocalStore``; the guide names it so.
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
          + "Repair the database, or use a newer version of this program."
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
  /// The picture in four columns; `nil` if there is none, or the values are invalid.
  fileprivate func picture(_ index: Int) throws -> Picture? {
    guard let hash = try self.textIfPresent(index),
      let kind = try self.textIfPresent(index + 1).flatMap({ Picture.Kind(rawValue: $0) }),
      let width = try self.integerIfPresent(index + 2),
      let height = try self.integerIfPresent(index + 3)
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
      // As at the first launch: no category exists.
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
