package import DatabaseFiles
import GRDB

/// The catalogue in a database, within one access to it.
struct Catalogue {
  private let database: Database

  init(_ database: Database) {
    self.database = database
  }

  func animals() throws -> [Animal] {
    try self.database.values(
      "SELECT animalId, name, diet, categoryId FROM animal ORDER BY rowid",
      value: Self.animal
    )
  }

  func categories() throws -> [Category] {
    try self.database.values("SELECT categoryId, name FROM category ORDER BY rowid") { row in
      Category(categoryId: try row.text(0), name: try row.text(1))
    }
  }

  private func animal(_ animalId: Animal.ID) throws -> Animal {
    let animals = try self.database.values(
      "SELECT animalId, name, diet, categoryId FROM animal WHERE animalId = CAST(? AS TEXT)",
      animalId,
      value: Self.animal
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
}

// Writing.
extension Catalogue {
  func add(_ category: Category) throws {
    try self.database.run(
      "INSERT INTO category (categoryId, name) VALUES (CAST(? AS TEXT), CAST(? AS TEXT))",
      category.categoryId, category.name
    )
  }

  /// - Throws: ``LocalStoreError``, `categoryNotFound`.
  func add(_ animal: Animal) throws {
    try self.requiring(animal.categoryId) {
      try self.database.run(
        """
        INSERT INTO animal (animalId, name, diet, categoryId)
        VALUES (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))
        """,
        animal.animalId, animal.name, animal.diet.rawValue, animal.categoryId
      )
    }
  }

  /// - Throws: ``LocalStoreError``, `animalNotFound` or `categoryNotFound`.
  func update(_ animal: Animal) throws {
    try self.requiring(animal.categoryId) {
      try self.database.run(
        """
        UPDATE animal
        SET name = CAST(? AS TEXT), diet = CAST(? AS TEXT), categoryId = CAST(? AS TEXT)
        WHERE animalId = CAST(? AS TEXT)
        """,
        animal.name, animal.diet.rawValue, animal.categoryId, animal.animalId
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
    try self.database.run("DELETE FROM animal WHERE animalId = CAST(? AS TEXT)", animalId)
    return animal
  }

  func deleteAll() throws {
    try self.database.run("DELETE FROM animal")
    try self.database.run("DELETE FROM category")
  }

  func addSamples() throws {
    for category in Category.samples {
      try self.add(category)
    }
    for animal in Animal.samples {
      try self.add(animal)
    }
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

// What can be wrong with a request beyond what can be wrong with a database.
extension LocalStoreError.Code {
  package static let animalNotFound = Self("animalNotFound", "There is no such animal.")
  /// Beyond the guide.
  package static let categoryNotFound = Self("categoryNotFound", "There is no such category.")
}

extension LocalStoreError {
  fileprivate static func animalNotFound(_ animalId: Animal.ID) -> Self {
    Self(code: .animalNotFound, message: "There is no animal “\(animalId)”.")
  }

  fileprivate static func categoryNotFound(_ categoryId: Category.ID) -> Self {
    Self(code: .categoryNotFound, message: "There is no category “\(categoryId)”.")
  }
}
