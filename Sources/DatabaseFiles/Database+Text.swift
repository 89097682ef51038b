import Foundation
package import GRDB

// GRDB takes text to end at a NUL. So text goes in as bytes, which `CAST(? AS TEXT)` makes text, and
// comes out with `Row.text(_:)`.
extension Database {
  /// - Parameters:
  ///   - sql: A query.
  ///   - texts: What its question marks stand for.
  ///   - value: Makes something of a row.
  /// - Throws: What SQLite and `value` throw.
  /// - Complexity: O(n), n rows.
  package func values<Value>(
    _ sql: String,
    _ texts: String...,
    value: (Row) throws -> Value
  ) throws -> [Value] {
    let statement = try self.cachedStatement(sql: sql)
    let rows = try Row.fetchCursor(statement, arguments: .init(texts.map { Data($0.utf8) }))
    var values: [Value] = []
    while let row = try rows.next() {
      values.append(try value(row))
    }
    return values
  }

  /// - Parameters:
  ///   - sql: A statement.
  ///   - texts: What its question marks stand for.
  /// - Throws: What SQLite throws.
  package func run(_ sql: String, _ texts: String...) throws {
    let statement = try self.cachedStatement(sql: sql)
    try statement.execute(arguments: .init(texts.map { Data($0.utf8) }))
  }
}
