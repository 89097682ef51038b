import Foundation
import GRDBSQLite

/// What one would write by hand with SQLite's C API: the same tables, pragmas and statements.
final class PlainSQL {
  private struct Animal {
    let animalId: String
    let name: String
    let diet: String
    let categoryId: String
  }

  private struct Failure: Error {
    let message: String
  }

  private let connection: OpaquePointer?

  init(path: String) throws {
    var connection: OpaquePointer?
    sqlite3_open(path, &connection)
    self.connection = connection
    try self.execute(
      """
      PRAGMA journal_mode = wal; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
      CREATE TABLE category (categoryId TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL);
      CREATE TABLE animal (
        animalId TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        diet TEXT NOT NULL,
        categoryId TEXT NOT NULL REFERENCES category (categoryId)
      );
      CREATE INDEX animalOnCategoryId ON animal (categoryId);
      INSERT INTO category VALUES ('Bird', 'Bird'), ('Fish', 'Fish');
      """
    )
  }

  deinit {
    sqlite3_close_v2(self.connection)
  }

  func measure() throws -> [Step: Duration] {
    let clock = ContinuousClock()
    var results: [Step: Duration] = [:]
    var ids: [String] = []
    let insert = try self.prepare("INSERT INTO animal VALUES (?, ?, ?, ?)")
    let update = try self.prepare(
      "UPDATE animal SET name = ?, diet = ?, categoryId = ? WHERE animalId = ?")
    let delete = try self.prepare("DELETE FROM animal WHERE animalId = ? RETURNING *")
    let select = try self.prepare("SELECT * FROM animal ORDER BY rowid")
    defer {
      for statement in [insert, update, delete, select] {
        sqlite3_finalize(statement)
      }
    }
    results[.add] = try clock.measure {
      for index in 0..<AnimalsBenchmark.operations {
        let id = UUID().uuidString
        _ = try self.run(insert, [id, "Animal \(index)", "Omnivore", "Bird"])
        ids.append(id)
      }
    }
    results[.update] = try clock.measure {
      for id in ids {
        _ = try self.run(update, ["Other animal", "Carnivore", "Fish", id])
      }
    }
    results[.delete] = try clock.measure {
      for id in ids {
        _ = try self.run(delete, [id])
      }
    }
    for index in 0..<AnimalsBenchmark.rows {
      _ = try self.run(insert, [UUID().uuidString, "Animal \(index)", "Omnivore", "Bird"])
    }
    var count = 0
    results[.fetch] = try clock.measure {
      count = try self.run(select, []).count
    }
    precondition(count >= AnimalsBenchmark.rows)
    return results
  }

  private func prepare(_ sql: String) throws -> OpaquePointer? {
    var statement: OpaquePointer?
    try self.check(sqlite3_prepare_v2(self.connection, sql, -1, &statement, nil), SQLITE_OK)
    return statement
  }

  private func execute(_ sql: String) throws {
    try self.check(sqlite3_exec(self.connection, sql, nil, nil, nil), SQLITE_OK)
  }

  private func run(_ statement: OpaquePointer?, _ values: [String]) throws -> [Animal] {
    for (index, value) in values.enumerated() {
      let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
      sqlite3_bind_text(statement, CInt(index + 1), value, -1, transient)
    }
    var animals: [Animal] = []
    while true {
      let code = sqlite3_step(statement)
      guard code == SQLITE_ROW else {
        try self.check(code, SQLITE_DONE)
        sqlite3_reset(statement)
        return animals
      }
      animals.append(
        Animal(
          animalId: String(cString: sqlite3_column_text(statement, 0)),
          name: String(cString: sqlite3_column_text(statement, 1)),
          diet: String(cString: sqlite3_column_text(statement, 2)),
          categoryId: String(cString: sqlite3_column_text(statement, 3))
        )
      )
    }
  }

  private func check(_ code: CInt, _ expected: CInt) throws {
    guard code != expected else { return }
    throw Failure(message: String(cString: sqlite3_errmsg(self.connection)))
  }
}
