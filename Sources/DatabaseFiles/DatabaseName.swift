import Foundation

/// The name of a database, and what the file system has under that name. Nothing here removes or
/// replaces a file.
struct DatabaseName {
  /// The same for every path that leads to the file through symbolic links, so that they share one
  /// lock.
  let path: String
  /// The path as it was given.
  private let givenPath: String
  /// Whether something has the given name, even if it is a broken link.
  private let isTaken: Bool

  /// The identity of the file at a path. Different files are unequal.
  struct File: Equatable {
    private let device: dev_t
    private let inode: ino_t
    /// Whether it had no bytes when it was looked at.
    let isEmpty: Bool

    fileprivate init(_ status: stat) {
      self.device = status.st_dev
      self.inode = status.st_ino
      self.isEmpty = status.st_size == 0
    }

    static func == (one: Self, other: Self) -> Bool {
      one.device == other.device && one.inode == other.inode
    }

    /// - Returns: `nil` if nothing has the name.
    /// - Throws: ``LocalStoreError`` if that cannot be found out, for example because the disk fails.
    init?(at path: String) throws {
      var status = stat()
      guard lstat(path, &status) == 0 else {
        let code = errno
        guard [ENOENT, ENOTDIR].contains(code) else {
          throw DatabaseName.notReachable(path, code, "Nothing was saved; fix that and try again.")
        }
        return nil
      }
      self.init(status)
    }

    /// - Returns: `nil` if the descriptor is not usable.
    init?(of descriptor: CInt) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      self.init(status)
    }
  }

  init(_ url: URL) {
    let url = url.absoluteURL.standardizedFileURL
    self.givenPath = url.path
    var status = stat()
    self.isTaken = lstat(url.path, &status) == 0
    self.path = Self.resolved(url)
  }

  private static func resolved(_ url: URL) -> String {
    func real(_ path: String) -> String? {
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    }
    if let path = real(url.path) { return path }
    guard let folder = real(url.deletingLastPathComponent().path) else { return url.path }
    return URL(filePath: folder).appending(path: url.lastPathComponent).path
  }
}

extension DatabaseName {
  /// - Returns: A file that is not empty and can be read and written; `nil` if nothing has the
  ///   name, so that a database may be created.
  /// - Throws: ``LocalStoreError`` in all other cases.
  func file() throws -> File? {
    var status = stat()
    guard lstat(self.path, &status) == 0 else {
      let code = errno
      guard code == ENOENT else { throw self.notReachable(code) }
      guard self.isTaken == false else { throw self.hasGone }
      try self.requireNoLeftovers()
      return nil
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFLNK: throw self.leadsNowhere
    default: throw self.refusal("\(self.path) is not a file. Choose another file.")
    }
    guard access(self.path, R_OK | W_OK) == 0 else {
      throw LocalStoreError(
        code: .notWritable,
        message: "The database \(self.path) cannot be read and written. Make it writable, or "
          + "choose another file."
      )
    }
    guard status.st_size > 0 else {
      throw self.refusal(
        "\(self.path) is empty, so it is not a database. Restore it from a backup, or remove it to "
          + "start over."
      )
    }
    return File(status)
  }

  /// A log or journal may contain what was saved last. Creating a new database next to it would
  /// lose that.
  private func requireNoLeftovers() throws {
    for leftover in [self.path + "-wal", self.path + "-journal"] {
      var status = stat()
      guard lstat(leftover, &status) == 0, status.st_size > 0 else { continue }
      throw LocalStoreError(
        code: .missing,
        message: "\(leftover) exists, but its database does not. Restore \(self.path), or "
          + "remove \(leftover) to start over."
      )
    }
  }
}

// Errors.
extension DatabaseName {
  /// The file existed a moment ago.
  var hasGone: LocalStoreError {
    LocalStoreError(
      code: .missing,
      message: "The database \(self.path) is missing. Restore it; no new one was created."
    )
  }

  private var leadsNowhere: LocalStoreError {
    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: self.path)
    return LocalStoreError(
      code: .missing,
      message: "\(self.givenPath) is a link to \(target ?? "another file"), which does not exist. "
        + "Restore that, for example by mounting its volume; no new database was created."
    )
  }

  func notReachable(_ code: CInt) -> LocalStoreError {
    Self.notReachable("The database \(self.path)", code, "Fix that, or choose another file.")
  }

  fileprivate static func notReachable(
    _ subject: String, _ code: CInt, _ advice: String
  ) -> LocalStoreError {
    LocalStoreError(
      code: [EIO, ESTALE].contains(code) ? .inputOutput : .notWritable,
      message: "\(subject) cannot be reached: \(String(cString: strerror(code))). \(advice)"
    )
  }

  private func refusal(_ message: String) -> LocalStoreError {
    LocalStoreError(code: .notADatabase, message: message)
  }
}
