import Foundation
public import GRDB

/// A table of a product with one row per value. The first column is the value's id.
///
/// ```swift
/// extension DatabaseTable<Category> {
///   static let categories = Self("category", [.text("categoryId"), .text("name")]) { row in
///     Category(categoryId: try row.text(0), name: try row.text(1))
///   } columns: { category in
///     [category.categoryId, category.name]
///   }
/// }
/// try await file.read { try DatabaseTable.categories.values($0) }
/// ```
public struct DatabaseTable<Value: Sendable>: Sendable {
  private let name: String
  private let columns: [DatabaseColumn]
  private let read: @Sendable (Row) throws -> Value
  private let write: @Sendable (Value) -> [any DatabaseColumnValue]

  /// - Parameters:
  ///   - name: The table's name in SQL.
  ///   - columns: The columns of a row, the id first.
  ///   - read: Makes a value from a row.
  ///   - write: Returns the columns of a value, in order.
  public init(
    _ name: String,
    _ columns: [DatabaseColumn],
    read: @escaping @Sendable (Row) throws -> Value,
    columns write: @escaping @Sendable (Value) -> [any DatabaseColumnValue]
  ) {
    self.name = name
    self.columns = columns
    self.read = read
    self.write = write
  }
}

/// A column, and how its values are written.
public struct DatabaseColumn: Sendable {
  let name: String
  /// The placeholder for a value in a statement.
  let placeholder: String

  // GRDB ends text at a NUL. So text is written as bytes, which `CAST(? AS TEXT)` turns into text,
  // and read with `Row.text(_:)`.
  public static func text(_ name: String) -> Self {
    Self(name: name, placeholder: "CAST(? AS TEXT)")
  }

  public static func integer(_ name: String) -> Self {
    Self(name: name, placeholder: "?")
  }

  public static func real(_ name: String) -> Self {
    Self(name: name, placeholder: "?")
  }
}

/// A value that a column can store.
public protocol DatabaseColumnValue {
  /// As GRDB has it. Arguments of any other type would be cast at run time, one by one.
  var stored: DatabaseValue { get }
}

extension String: DatabaseColumnValue {
  public var stored: DatabaseValue { Data(self.utf8).databaseValue }
}

extension Int: DatabaseColumnValue {
  public var stored: DatabaseValue { self.databaseValue }
}

extension Double: DatabaseColumnValue {
  public var stored: DatabaseValue { self.databaseValue }
}

/// 0 or 1 in SQL.
extension Bool: DatabaseColumnValue {
  public var stored: DatabaseValue { (self ? 1 : 0).databaseValue }
}

/// For columns that may be empty.
extension Optional: DatabaseColumnValue where Wrapped: DatabaseColumnValue {
  public var stored: DatabaseValue { self?.stored ?? .null }
}

// Each throws errors from SQLite; reading also throws errors from the table's `read`.
extension DatabaseTable {
  /// All values, in the order in which they were inserted.
  ///
  /// - Parameter onInvalid: Receives why a row cannot be read; the row is then skipped.
  /// - Complexity: O(n), n rows.
  public func values(
    _ database: Database,
    onInvalid: (LocalStoreError) throws -> Void = { throw $0 }
  ) throws -> [Value] {
    try self.values(database, "ORDER BY rowid", onInvalid: onInvalid)
  }

  /// How many values there are.
  ///
  /// - Complexity: O(n), n rows.
  public func count(_ database: Database) throws -> Int {
    try Int.fetchOne(
      database.cachedStatement(sql: "SELECT COUNT(*) FROM \(self.name)")) ?? 0
  }

  /// The value with an id.
  public func value(_ database: Database, id: String) throws -> Value? {
    try self.values(database, self.whereID, id).first
  }

  public func insert(_ database: Database, _ value: Value) throws {
    try self.run(database, self.insertion, self.write(value))
  }

  /// Inserts values, and replaces those with the same ids.
  public func save(_ database: Database, _ values: [Value]) throws {
    let columns = self.columns.dropFirst().map { "\($0.name) = excluded.\($0.name)" }
    let sql =
      "\(self.insertion) ON CONFLICT (\(self.columns[0].name)) DO UPDATE SET "
      + columns.joined(separator: ", ")
    // Prepared once, because there may be thousands of values.
    let statement = try database.cachedStatement(sql: sql)
    for value in values {
      statement.setUncheckedArguments(.init(self.write(value).map { $0.stored }))
      try statement.execute()
    }
  }

  /// - Returns: Whether there was a value with this id.
  public func update(_ database: Database, _ value: Value) throws -> Bool {
    let columns = self.columns.dropFirst().map { "\($0.name) = \($0.placeholder)" }
    let sql = "UPDATE \(self.name) SET \(columns.joined(separator: ", ")) \(self.whereID)"
    let values = self.write(value)
    try self.run(database, sql, values.dropFirst() + values.prefix(1))
    return database.changesCount == 1
  }

  public func delete(_ database: Database, id: String) throws {
    try self.run(database, "DELETE FROM \(self.name) \(self.whereID)", [id])
  }

  public func deleteAll(_ database: Database) throws {
    try self.run(database, "DELETE FROM \(self.name)", [])
  }

  private var whereID: String {
    "WHERE \(self.columns[0].name) = \(self.columns[0].placeholder)"
  }

  private var names: String {
    self.columns.map(\.name).joined(separator: ", ")
  }

  private var insertion: String {
    "INSERT INTO \(self.name) (\(self.names)) "
      + "VALUES (\(self.columns.map(\.placeholder).joined(separator: ", ")))"
  }

  private func values(
    _ database: Database,
    _ clause: String,
    _ id: String...,
    onInvalid: (LocalStoreError) throws -> Void = { throw $0 }
  ) throws -> [Value] {
    let statement = try database.cachedStatement(
      sql: "SELECT \(self.names) FROM \(self.name) \(clause)"
    )
    let rows = try Row.fetchCursor(statement, arguments: .init(id.map { $0.stored }))
    var values: [Value] = []
    while let row = try rows.next() {
      do {
        values.append(try self.read(row))
      } catch let error as LocalStoreError where error.code == .invalidRow {
        try onInvalid(error)
      }
    }
    return values
  }

  private func run(
    _ database: Database,
    _ sql: String,
    _ values: some Sequence<any DatabaseColumnValue>
  ) throws {
    try database.cachedStatement(sql: sql).execute(arguments: .init(values.map { $0.stored }))
  }
}
