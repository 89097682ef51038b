import GRDB

// Errors from SQLite, as messages for people.
extension LocalStoreError {
  /// - Parameters:
  ///   - error: Any error.
  ///   - path: The path of the database; `nil` if it is in memory.
  init(_ error: any Error, path: String?) {
    switch error {
    case let error as LocalStoreError: self = error
    case let error as DatabaseError: self.init(error, database: path ?? "in memory")
    default: self.init(code: .database, message: "The database failed: \(error).")
    }
  }

  static func orCancellation(_ error: any Error, path: String?) -> any Error {
    error is CancellationError ? error : LocalStoreError(error, path: path)
  }

  private init(_ error: DatabaseError, database: String) {
    switch error.resultCode {
    case .SQLITE_FULL:
      self.init(
        code: .diskFull,
        message: "There is no room for the database \(database). Nothing was saved; make room and "
          + "try again."
      )
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(
        code: .locked,
        message: "Another program has locked the database \(database). Nothing was saved; close it "
          + "there and try again."
      )
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN, .SQLITE_AUTH:
      self.init(
        code: .notWritable,
        message:
          "The database \(database) cannot be opened and written. Nothing was saved; make it "
          + "and its folder writable and try again."
      )
    case .SQLITE_IOERR:
      self.init(
        code: .inputOutput,
        message: "The disk failed at the database \(database) (SQLite "
          + "\(error.extendedResultCode.rawValue)). Nothing was saved; check whether the disk is "
          + "full or damaged, and try again."
      )
    case .SQLITE_CORRUPT:
      self.init(
        code: .corrupt,
        message:
          "The database \(database) is damaged. Restore it from a backup, or move it away to "
          + "start over."
      )
    case .SQLITE_NOTADB:
      self.init(
        code: .notADatabase,
        message: "\(database) is not a database. Choose another file."
      )
    case .SQLITE_MISUSE:
      self.init(code: .closed, message: "The database \(database) has been closed.")
    default:
      self.init(
        code: .database,
        message: "The database \(database) failed: \(error.message ?? "no reason given") (SQLite "
          + "\(error.extendedResultCode.rawValue)). Nothing was saved."
      )
    }
  }
}
