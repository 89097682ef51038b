import Foundation
import GRDBSQLite
import QuakesData

/// What one would write by hand with SQLite's C API: the same table and pragmas.
final class PlainSQL {
  private let connection: OpaquePointer?

  init(path: String) throws {
    var connection: OpaquePointer?
    sqlite3_open(path, &connection)
    self.connection = connection
    try self.execute(
      """
      PRAGMA journal_mode = wal; PRAGMA synchronous = FULL;
      CREATE TABLE quake (
        quakeId TEXT NOT NULL PRIMARY KEY,
        magnitude REAL NOT NULL,
        time REAL NOT NULL,
        updated REAL NOT NULL,
        name TEXT NOT NULL,
        longitude REAL NOT NULL,
        latitude REAL NOT NULL,
        depth REAL,
        felt INTEGER
      );
      """
    )
  }

  deinit {
    sqlite3_close_v2(self.connection)
  }

  /// In one transaction.
  func insert(_ quakes: [Quake]) throws {
    var statement: OpaquePointer?
    let sql = "INSERT INTO quake VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
    try self.check(sqlite3_prepare_v2(self.connection, sql, -1, &statement, nil), SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    try self.execute("BEGIN")
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for quake in quakes {
      sqlite3_bind_text(statement, 1, quake.quakeId, -1, transient)
      sqlite3_bind_double(statement, 2, quake.magnitude)
      sqlite3_bind_double(statement, 3, quake.time.timeIntervalSinceReferenceDate)
      sqlite3_bind_double(statement, 4, quake.updated.timeIntervalSinceReferenceDate)
      sqlite3_bind_text(statement, 5, quake.name, -1, transient)
      sqlite3_bind_double(statement, 6, quake.longitude)
      sqlite3_bind_double(statement, 7, quake.latitude)
      if let depth = quake.depth {
        sqlite3_bind_double(statement, 8, depth)
      } else {
        sqlite3_bind_null(statement, 8)
      }
      if let felt = quake.felt {
        sqlite3_bind_int64(statement, 9, Int64(felt))
      } else {
        sqlite3_bind_null(statement, 9)
      }
      try self.check(sqlite3_step(statement), SQLITE_DONE)
      sqlite3_reset(statement)
    }
    try self.execute("COMMIT")
  }

  private func execute(_ sql: String) throws {
    try self.check(sqlite3_exec(self.connection, sql, nil, nil, nil), SQLITE_OK)
  }

  private func check(_ code: CInt, _ expected: CInt) throws {
    guard code != expected else { return }
    throw Failure(message: String(cString: sqlite3_errmsg(self.connection)))
  }
}
