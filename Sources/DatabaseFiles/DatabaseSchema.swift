public import GRDB
import GRDBSQLite

/// The tables of a product, as a list of migrations.
public struct DatabaseSchema: Sendable {
  /// The product's name. It distinguishes the product's databases from others.
  public let name: String
  /// SQL statements, one entry for each version.
  public let migrations: [String]

  private let fill: (@Sendable (Database) throws -> Void)?

  /// - Parameters:
  ///   - name: The product's name. It distinguishes the product's databases from others.
  ///   - migrations: SQL statements, one entry for each version. Append new ones; never change one
  ///     that has been released.
  ///   - fill: Inserts the initial content. It runs in one transaction every time a database is
  ///     opened; `nil` if there is no initial content.
  public init(
    name: String,
    migrations: [String],
    fill: (@Sendable (Database) throws -> Void)? = nil
  ) {
    self.name = name
    self.migrations = migrations
    self.fill = fill
  }

  /// Migrates a database to the newest version, and fills it.
  func prepare(_ queue: DatabaseQueue) throws {
    try self.migrator.migrate(queue)
    if let fill = self.fill { try queue.write(fill) }
  }

  var migrator: DatabaseMigrator { self.migrator(upTo: self.migrations.count) }

  private func migrator(upTo count: Int) -> DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, sql) in self.migrations.prefix(count).enumerated() {
      migrator.registerMigration(self.identifier(index)) { try $0.execute(sql: sql) }
    }
    return migrator
  }

  private func identifier(_ index: Int) -> String {
    "\(self.name) \(index + 1)"
  }
}

extension DatabaseSchema {
  /// The bytes of a database with empty tables.
  func emptyDatabase() throws -> [UInt8] {
    let queue = try DatabaseQueue()
    defer { try? queue.close() }
    try self.migrator.migrate(queue)
    return try queue.read { database in
      var count: sqlite3_int64 = 0
      guard let bytes = sqlite3_serialize(database.sqliteConnection, "main", &count, 0) else {
        throw DatabaseError(resultCode: .SQLITE_NOMEM)
      }
      defer { sqlite3_free(bytes) }
      return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
  }
}

extension DatabaseSchema {
  /// Checks that a database belongs to this product, is not from a newer version, and is complete.
  ///
  /// - Throws: ``LocalStoreError``, or an error from SQLite.
  func check(_ database: Database, _ path: String) throws {
    let migrator = self.migrator
    let applied = try migrator.appliedIdentifiers(database)
    let found = try Self.columns(database)
    if applied.isEmpty, found.contains(where: { $0.table != "grdb_migrations" }) {
      throw Self.otherDatabase(path)
    }
    if applied.isEmpty {
      throw LocalStoreError(
        code: .incomplete,
        message: "The database \(path) has no tables. Restore it from a backup, or move it away "
          + "to start over."
      )
    }
    guard applied.contains(where: { $0.hasPrefix("\(self.name) ") }) else {
      throw Self.otherDatabase(path)
    }
    if try migrator.hasBeenSuperseded(database) {
      throw LocalStoreError(
        code: .newerVersion,
        message: "The database \(path) is of a newer version of this program. Use that version, "
          + "or choose another file."
      )
    }
    let version = self.migrations.indices.prefix { applied.contains(self.identifier($0)) }.count
    let lacking = try self.columns(ofVersion: version).subtracting(found)
    guard let column = lacking.min(by: { ($0.table, $0.name) < ($1.table, $1.name) }) else {
      return
    }
    throw LocalStoreError(
      code: .incomplete,
      message: "The database \(path) lacks the column “\(column.name)” of the table "
        + "“\(column.table)”. Restore it from a backup, or move it away to start over."
    )
  }

  private struct Column: Hashable {
    let table: String
    let name: String
    /// Its position in the primary key, from 1; 0 if it is not part of the key.
    let keyPosition: Int
  }

  private static func columns(_ database: Database) throws -> Set<Column> {
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT tables.name, columns.name, columns.pk
        FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
        WHERE tables.type = 'table'
        """
    )
    return Set(rows.map { Column(table: $0[0], name: $0[1], keyPosition: $0[2]) })
  }

  private func columns(ofVersion count: Int) throws -> Set<Column> {
    let queue = try DatabaseQueue()
    defer { try? queue.close() }
    try self.migrator(upTo: count).migrate(queue)
    return try queue.read(Self.columns)
  }

  private static func otherDatabase(_ path: String) -> LocalStoreError {
    LocalStoreError(
      code: .notADatabase,
      message: "\(path) belongs to another program. Choose another file."
    )
  }
}
