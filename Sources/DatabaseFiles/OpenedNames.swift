/// The names of an open database and of its log (`-wal`), to which commits go first, with the files
/// that they led to when it was opened.
///
/// SQLite goes on writing to files that have lost their names. What is written then is lost when the
/// process ends. It does not notice either that a database was emptied, until it reads a page that it has
/// neither in memory nor in its log. The file must not be opened to find out more: closing it would end
/// SQLite's locks.
///
/// Source: https://www.sqlite.org/howtocorrupt.html, section 2.2.
struct OpenedNames: Sendable {
  private let path: String
  private let files: [String: DatabaseName.File]

  /// - Throws: ``LocalStoreError`` if a name has no file.
  init(of path: String) throws {
    self.path = path
    // The log exists by now: SQLite creates it when the database is first read in WAL mode.
    let found = try [path, path + "-wal"].map { name in
      guard let file = try DatabaseName.File(at: name) else { throw Self.hasGone(name, path) }
      return (name, file)
    }
    self.files = Dictionary(uniqueKeysWithValues: found)
  }

  /// - Throws: ``LocalStoreError``: `missing`, if a name has no file or another one now, or the
  ///   database was emptied; another code, if that cannot be found out.
  /// - Complexity: O(1).
  func check() throws {
    for (name, file) in self.files {
      guard let now = try DatabaseName.File(at: name), now == file else {
        throw Self.hasGone(name, self.path)
      }
      // The log is empty whenever another program has taken over all of it.
      if now.isEmpty, name == self.path { throw Self.isEmptied(name) }
    }
  }

  private static func isEmptied(_ path: String) -> LocalStoreError {
    LocalStoreError(
      code: .missing,
      message: "The database \(path) was emptied while it was open. Nothing was saved. Stop this "
        + "program, and restore the database."
    )
  }

  private static func hasGone(_ name: String, _ path: String) -> LocalStoreError {
    LocalStoreError(
      code: .missing,
      message: "\(name) was removed or replaced while the database \(path) was open. Nothing was "
        + "saved. Move the file back; or stop this program, and restore the database."
    )
  }
}
