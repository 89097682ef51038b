import Foundation

/// Why a ``LocalStore`` could not be opened, or did not do what it was asked to.
package struct LocalStoreError: Error {
  package enum Code: Hashable, Sendable {
    case animalNotFound
    // Beyond the guide:
    case categoryNotFound
    /// A row is not what this version would write.
    case invalidRow
    /// Another store has the file.
    case inUse
    /// The file is no database, or one of another program.
    case notADatabase
    /// A newer version of this program has worked on the file.
    case newerVersion
    /// Another program, such as a shell, has locked the database.
    case locked
    /// The file, or its folder, cannot be opened or written to.
    case notWritable
    case diskFull
    /// The database is damaged.
    case corrupt
    /// The disk failed.
    case inputOutput
    /// The store has been closed.
    case closed
    /// Whatever else SQLite says.
    case database
  }

  package let code: Self.Code
  /// A sentence that says what to do.
  package let message: String

  /// - Parameter message: A sentence for whoever waits; if not given, it says no more than the code.
  package init(code: Self.Code, message: String? = nil) {
    self.code = code
    self.message = message ?? Self.sentence(for: code)
  }
}

extension LocalStoreError {
  static func animalNotFound(_ animalId: Animal.ID) -> Self {
    Self(code: .animalNotFound, message: "There is no animal “\(animalId)”.")
  }

  static func categoryNotFound(_ categoryId: Category.ID) -> Self {
    Self(code: .categoryNotFound, message: "There is no category “\(categoryId)”.")
  }

  private static func sentence(for code: Self.Code) -> String {
    switch code {
    case .animalNotFound: "There is no such animal."
    case .categoryNotFound: "There is no such category."
    case .invalidRow: "A row of the database is not valid. Repair the database."
    case .inUse: "The database is in use. Stop what uses it."
    case .notADatabase: "The file is no database of this program. Choose another file."
    case .newerVersion: "The database is of a newer version of this program. Take that version."
    case .locked: "Another program has locked the database. Close it there and try again."
    case .notWritable: "The database cannot be written to. Make it writable."
    case .diskFull: "The disk is full. Nothing was saved; make room and try again."
    case .corrupt: "The database is damaged. Restore it from a backup."
    case .inputOutput: "The disk failed. Nothing was saved; look after the disk and try again."
    case .closed: "The database has been closed."
    case .database: "The database failed. Nothing was saved."
    }
  }
}

extension LocalStoreError: LocalizedError {
  package var errorDescription: String? { self.message }
}

extension LocalStoreError: CustomStringConvertible {
  package var description: String { self.message }
}
