import Foundation

/// Why a store on this machine could not be opened, or why an operation on it failed.
///
/// A product can add its own codes:
///
/// ```swift
/// extension LocalStoreError.Code {
///   package static let animalNotFound = Self("animalNotFound", "There is no such animal.")
/// }
/// ```
package struct LocalStoreError: Error {
  package struct Code: Hashable, Sendable {
    private let name: String
    /// The message if nothing more is known.
    fileprivate let sentence: String

    /// - Parameters:
    ///   - name: A unique name.
    ///   - sentence: The message if nothing more is known.
    package init(_ name: String, _ sentence: String) {
      self.name = name
      self.sentence = sentence
    }
  }

  package let code: Self.Code
  /// A sentence that says what to do.
  package let message: String

  /// - Parameter message: A sentence for the user; `nil` for the code's own sentence.
  package init(code: Self.Code, message: String? = nil) {
    self.code = code
    self.message = message ?? code.sentence
  }
}

extension LocalStoreError.Code {
  /// A row contains something that this version would not write.
  package static let invalidRow = Self(
    "invalidRow",
    "A row of the database is not valid. Repair the database."
  )
  /// Another store is using the file.
  package static let inUse = Self("inUse", "The database is in use. Stop the program that uses it.")
  /// The file is not a database, or belongs to another program.
  package static let notADatabase = Self(
    "notADatabase",
    "The file is not a database of this program. Choose another file."
  )
  /// The database should exist and does not, for example because its volume is not mounted.
  package static let missing = Self(
    "missing",
    "The database is missing. Restore it."
  )
  /// The database lacks tables or columns.
  package static let incomplete = Self(
    "incomplete",
    "The database lacks tables. Restore it from a backup."
  )
  /// The file was written by a newer version of this program.
  package static let newerVersion = Self(
    "newerVersion",
    "The database is of a newer version of this program. Use that version."
  )
  /// Another program, such as a shell, has locked the database.
  package static let locked = Self(
    "locked",
    "Another program has locked the database. Close it there and try again."
  )
  /// The file, or its folder, cannot be opened or written to.
  package static let notWritable = Self(
    "notWritable",
    "The database cannot be written to. Make it writable."
  )
  package static let diskFull = Self(
    "diskFull",
    "The disk is full. Nothing was saved; make room and try again."
  )
  /// The database is damaged.
  package static let corrupt = Self(
    "corrupt",
    "The database is damaged. Restore it from a backup."
  )
  /// The disk failed.
  package static let inputOutput = Self(
    "inputOutput",
    "The disk failed. Nothing was saved; check the disk and try again."
  )
  /// The files were removed or replaced during a commit. It is unknown whether it was saved.
  package static let uncertain = Self(
    "uncertain",
    "The database was removed or replaced while something was being saved. Check whether it was."
  )
  /// The store has been closed.
  package static let closed = Self("closed", "The database has been closed.")
  /// Any other error from SQLite.
  package static let database = Self("database", "The database failed. Nothing was saved.")
}

extension LocalStoreError: LocalizedError {
  package var errorDescription: String? { self.message }
}

extension LocalStoreError: CustomStringConvertible {
  package var description: String { self.message }
}
