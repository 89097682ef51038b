import DatabaseFiles
import Foundation
import GRDB

/// The catalogue in a database, within one access to it.
///
/// GRDB takes text to end at a NUL. So text goes in and comes out as bytes, and `CAST` makes it text.
struct Catalogue {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }
}

// Reading.
extension Catalogue {
  func animals() throws -> [Animal] {
    try self.fetch(
      "SELECT animalId, name, diet, categoryId FROM animal ORDER BY rowid",
      [],
      Self.animal
    )
  }

  func categories() throws -> [Category] {
    try self.fetch("SELECT categoryId, name FROM category ORDER BY rowid", []) { row in
      Category(categoryId: try row.text(0), name: try row.text(1))
    }
  }

  private func animal(_ animalId: Animal.ID) throws -> Animal {
    let animals = try self.fetch(
      """
      SELECT animalId, name, diet, categoryId FROM animal WHERE animalId = CAST(? AS TEXT)
      """,
      [animalId],
      Self.animal
    )
    guard let animal = animals.first else { throw LocalStoreError.animalNotFound(animalId) }
    return animal
  }

  private static func animal(_ row: Row) throws -> Animal {
    let animalId = try row.text(0)
    let diet = try row.text(2)
    guard let diet = Animal.Diet(rawValue: diet) else {
      throw LocalStoreError(
        code: .invalidRow,
        message: "The animal “\(animalId)” has a diet that is not known, “\(diet)”. "
          + "Repair the database, or take a newer version of this program."
      )
    }
    return Animal(
      animalId: animalId,
      name: try row.text(1),
      diet: diet,
      categoryId: try row.text(3)
    )
  }

  private func fetch<Value>(
    _ sql: String,
    _ arguments: [String],
    _ value: (Row) throws -> Value
  ) throws -> [Value] {
    let statement = try self.database.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: .init(arguments.map { Data($0.utf8) }))
    var values: [Value] = []
    while let row = try rows.next() {
      values.append(try value(row))
    }
    return values
  }
}

// Writing.
extension Catalogue {
  func add(_ category: Category) throws {
    try self.execute(
      "INSERT INTO category (categoryId, name) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))",
      [category.categoryId, category.name]
    )
  }

  /// - Throws: ``LocalStoreError``, `categoryNotFound`.
  func add(_ animal: Animal) throws {
    try self.requiring(animal.categoryId) {
      try self.execute(
        """
        INSERT INTO animal (animalId, name, diet, categoryId)
        VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))
        """,
        [animal.animalId, animal.name, animal.diet.rawValue, animal.categoryId]
      )
    }
  }

  /// - Throws: ``LocalStoreError``, `animalNotFound` or `categoryNotFound`.
  func update(_ animal: Animal) throws {
    try self.requiring(animal.categoryId) {
      try self.execute(
        """
        UPDATE animal
        SET name = CAST(? AS TEXT), diet = CAST(? AS TEXT), categoryId = CAST(? AS TEXT)
        WHERE animalId = CAST(? AS TEXT)
        """,
        [animal.name, animal.diet.rawValue, animal.categoryId, animal.animalId]
      )
    }
    guard self.database.changesCount == 1 else {
      throw LocalStoreError.animalNotFound(animal.animalId)
    }
  }

  /// - Returns: The animal that was there.
  /// - Throws: ``LocalStoreError``, `animalNotFound`.
  func delete(_ animalId: Animal.ID) throws -> Animal {
    let animal = try self.animal(animalId)
    try self.execute("DELETE FROM animal WHERE animalId = CAST(? AS TEXT)", [animalId])
    return animal
  }

  func deleteAll() throws {
    try self.execute("DELETE FROM animal", [])
    try self.execute("DELETE FROM category", [])
  }

  func addSamples() throws {
    for category in Category.samples {
      try self.add(category)
    }
    for animal in Animal.samples {
      try self.add(animal)
    }
  }

  private func execute(_ sql: String, _ arguments: [String]) throws {
    let statement = try self.database.cachedStatement(sql: sql)
    try statement.execute(arguments: .init(arguments.map { Data($0.utf8) }))
  }

  private func requiring(_ categoryId: Category.ID, _ write: () throws -> Void) throws {
    do {
      try write()
    } catch let error as DatabaseError
      where error.extendedResultCode == .SQLITE_CONSTRAINT_FOREIGNKEY
    {
      throw LocalStoreError.categoryNotFound(categoryId)
    }
  }
}
