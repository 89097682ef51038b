import Foundation

/// The names of an open database and of its log (`-wal`), to which commits go first, with the files
/// that they led to when it was opened.
///
/// SQLite goes on writing to files that have lost their names. What is written then is lost when the
/// process ends.
struct OpenedNames: Sendable {
  private let path: String
  private let files: [String: DatabaseName.File]

  init(of path: String) {
    self.path = path
    let found = [path, path + "-wal"].compactMap { name in
      DatabaseName.File(at: name).map { (name, $0) }
    }
    self.files = Dictionary(found) { first, _ in first }
  }

  /// - Throws: ``LocalStoreError``, `missing`, if a name has no file or another one now.
  /// - Complexity: O(1).
  func check() throws {
    guard let (name, _) = self.files.first(where: { DatabaseName.File(at: $0) != $1 }) else {
      return
    }
    throw LocalStoreError(
      code: .missing,
      message: "\(name) was removed or replaced while the database \(self.path) was open. Nothing "
        + "was saved. Move the file back; or stop this program, and restore the database."
    )
  }
}
