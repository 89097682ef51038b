public import Foundation

/// Why a store on this machine could not be opened, or why an operation on it failed.
///
/// A product can add its own codes:
///
/// ```swift
/// extension LocalStoreError.Code {
///   static let animalNotFound = Self("animalNotFound", "There is no such animal.")
/// }
/// ```
public struct LocalStoreError: Error {
  public struct Code: Hashable, Sendable {
    private let name: String
    /// The message if nothing more is known.
    fileprivate let sentence: String

    /// - Parameters:
    ///   - name: A unique name.
    ///   - sentence: The message if nothing more is known.
    public init(_ name: String, _ sentence: String) {
      self.name = name
      self.sentence = sentence
    }
  }

  public let code: Self.Code
  /// A sentence that says what to do.
  public let message: String

  /// - Parameter message: A sentence for the user; `nil` for the code's own sentence.
  public init(code: Self.Code, message: String? = nil) {
    self.code = code
    self.message = message ?? code.sentence
  }
}

extension LocalStoreError.Code {
  /// A row contains something that this version would not write.
  public static let invalidRow = Self(
    "invalidRow",
    "A row of the database is not valid. Repair the database."
  )
  /// Another store is using the file.
  public static let inUse = Self("inUse", "The database is in use. Stop the program that uses it.")
  /// The file is not a database, or belongs to another program.
  public static let notADatabase = Self(
    "notADatabase",
    "The file is not a database of this program. Choose another file."
  )
  /// The database should exist and does not, for example because its volume is not mounted.
  public static let missing = Self(
    "missing",
    "The database is missing. Restore it."
  )
  /// The database lacks tables or columns.
  public static let incomplete = Self(
    "incomplete",
    "The database lacks tables. Restore it from a backup."
  )
  /// The file was written by a newer version of this program.
  public static let newerVersion = Self(
    "newerVersion",
    "The database is of a newer version of this program. Use that version."
  )
  /// Another program, such as a shell, has locked the database.
  public static let locked = Self(
    "locked",
    "Another program has locked the database. Close it there and try again."
  )
  /// The file, or its folder, cannot be opened or written to.
  public static let notWritable = Self(
    "notWritable",
    "The database cannot be written to. Make it writable."
  )
  public static let diskFull = Self(
    "diskFull",
    "The disk is full. Nothing was saved; make room and try again."
  )
  /// The database is damaged.
  public static let corrupt = Self(
    "corrupt",
    "The database is damaged. Restore it from a backup."
  )
  /// The disk failed.
  public static let inputOutput = Self(
    "inputOutput",
    "The disk failed. Nothing was saved; check the disk and try again."
  )
  /// The files were removed or replaced during a commit. It is unknown whether it was saved.
  public static let uncertain = Self(
    "uncertain",
    "The database was removed or replaced while something was being saved. Check whether it was."
  )
  /// The store has been closed.
  public static let closed = Self("closed", "The database has been closed.")
  /// Any other error from SQLite.
  public static let database = Self("database", "The database failed. Nothing was saved.")
}

extension LocalStoreError: LocalizedError {
  public var errorDescription: String? { self.message }
}

extension LocalStoreError: CustomStringConvertible {
  public var description: String { self.message }
}
