import Foundation

// Making a file where nothing is.
extension DatabaseName {
  /// Makes a file with this content. It has its name only once it is whole and on disk, and only if
  /// nothing has that name by then; a kill leaves nothing or all of it.
  ///
  /// - Throws: ``LocalStoreError``; nothing was made.
  func create(_ content: [UInt8]) throws {
    let folder = URL(filePath: self.path).deletingLastPathComponent().path
    // Without a name of its own, where the file system can do that.
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

  /// `O_TMPFILE`, of which Swift sees only the part `O_DIRECTORY`.
  private static let temporaryFile: CInt = 0o20_000_000 | O_DIRECTORY

  /// By way of another name, which a kill may leave behind.
  private func createNamed(_ content: [UInt8], in folder: String) throws {
    let temporary = "\(self.path).\(UUID().uuidString)"
    try self.write(content, toNew: temporary)
    // Ours: nothing had this name.
    defer { unlink(temporary) }
    if link(temporary, self.path) != 0 {
      // Some file systems have no hard links. There a kill may leave a part.
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

  /// So that the name is on disk too.
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
