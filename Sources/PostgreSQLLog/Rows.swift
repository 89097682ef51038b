import ActionLogs
import CPostgreSQL
import Foundation

/// The rows of a statement's result, in PostgreSQL's binary format.
struct Rows {
  private let rows: [[Data?]]

  init() {
    self.rows = []
  }

  /// - Complexity: O(n), n bytes.
  init(_ result: OpaquePointer) {
    self.rows = (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { column in
        guard PQgetisnull(result, row, column) == 0,
          let value = PQgetvalue(result, row, column)
        else { return nil }
        return Data(bytes: value, count: Int(PQgetlength(result, row, column)))
      }
    }
  }

  var count: Int { self.rows.count }
  var first: Row? { self.rows.first.map { Row(columns: $0) } }

  func map<T>(_ transform: (Row) throws -> T) rethrows -> [T] {
    try self.rows.map { try transform(Row(columns: $0)) }
  }

  struct Row {
    fileprivate let columns: [Data?]

    func isNull(_ column: Int) -> Bool { self.columns[column] == nil }

    /// - Throws: ``ActionLogError`` with code `foreign` if it has another type.
    func number(_ column: Int) throws -> Int64 {
      let data = try self.bytes(column)
      guard data.count == 8 else { throw Self.error }
      return data.reduce(0) { $0 << 8 | Int64($1) }
    }

    func sequence(_ column: Int) throws -> UInt64 {
      guard let sequence = UInt64(exactly: try self.number(column)) else { throw Self.error }
      return sequence
    }

    func text(_ column: Int) throws -> String {
      guard let text = String(data: try self.bytes(column), encoding: .utf8) else {
        throw Self.error
      }
      return text
    }

    func bytes(_ column: Int) throws -> Data {
      guard let data = self.columns[column] else { throw Self.error }
      return data
    }

    private static var error: ActionLogError {
      ActionLogError(code: .foreign, message: "The log's tables are not those of this program.")
    }
  }
}
