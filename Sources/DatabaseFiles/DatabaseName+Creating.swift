import Foundation

// Creating a file.
extension DatabaseName {
  /// Creates a file with this content. It gets its name only once it is complete and on disk, and
  /// only if nothing else has that name by then. If the process is killed, there is either no file
  /// or a complete one.
  ///
  /// - Throws: ``LocalStoreError``; no file was created.
  func create(_ content: [UInt8]) throws {
    let folder = URL(filePath: self.path).deletingLastPathComponent().path
    // As a file without a name, if the file system supports that.
    let nameless = Glibc.open(folder, Self.temporaryFile | O_RDWR | O_CLOEXEC, 0o644)
    if nameless >= 0 {
      defer { close(nameless) }
      try self.write(content, to: nameless)
      if linkat(AT_FDCWD, "/proc/self/fd/\(nameless)", AT_FDCWD, self.path, AT_SYMLINK_FOLLOW) == 0
      {
        return self.synchronize(folder)
      }
      guard errno == ENOENT else { throw self.notCreated(errno) }
    }
    try self.createNamed(content, in: folder)
  }

  /// `O_TMPFILE`. Swift imports only its `O_DIRECTORY` part.
  private static let temporaryFile: CInt = 0o20_000_000 | O_DIRECTORY

  /// Creates the file under a temporary name first, which remains if the process is killed.
  private func createNamed(_ content: [UInt8], in folder: String) throws {
    let temporary = "\(self.path).\(UUID().uuidString)"
    try self.write(content, toNew: temporary)
    // It is safe to remove: nothing else had this name.
    defer { unlink(temporary) }
    if link(temporary, self.path) != 0 {
      // Some file systems have no hard links. There, a killed process may leave an incomplete file.
      guard [EPERM, ENOTSUP, ENOSYS].contains(errno) else { throw self.notCreated(errno) }
      try self.write(content, toNew: self.path)
    }
    self.synchronize(folder)
  }

  private func write(_ content: [UInt8], toNew path: String) throws {
    let descriptor = Glibc.open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw self.notCreated(errno) }
    defer { close(descriptor) }
    do {
      try self.write(content, to: descriptor)
    } catch {
      unlink(path)
      throw error
    }
  }

  private func write(_ content: [UInt8], to descriptor: CInt) throws {
    var written = 0
    while written < content.count {
      let count = content.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress! + written, content.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw self.notCreated(count == 0 ? ENOSPC : errno) }
      written += count
    }
    guard fsync(descriptor) == 0 else { throw self.notCreated(errno) }
  }

  /// Ensures that the name is on disk too.
  private func synchronize(_ folder: String) {
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private func notCreated(_ code: CInt) -> LocalStoreError {
    switch code {
    case EEXIST:
      LocalStoreError(
        code: .locked,
        message: "\(self.path) was made by another program just now. It was left as it is; try "
          + "again."
      )
    case ENOSPC, EDQUOT, EFBIG:
      LocalStoreError(
        code: .diskFull,
        message: "There is no room for the database \(self.path). Make room and try again."
      )
    default: self.notReachable(code)
    }
  }
}
