import Foundation

/// An open file. Interrupted reads and writes are retried. It is closed when the last reference is
/// released.
final class PictureFile: Sendable {
  let descriptor: Int32

  /// How many files the rest of the process can still open. Clients decide how many pictures are open,
  /// and if no other file could be opened, libdispatch (Swift 6.3) would trap.
  private static let reserve: rlim_t = 8

  /// - Throws: ``PictureStoreError``, `busy` if too many files are open.
  init(path: String, creates: Bool = false) throws(PictureStoreError) {
    // Never follow a symbolic link, which may have been planted.
    let flags = creates ? O_RDWR | O_CREAT | O_EXCL : O_RDONLY
    self.descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard self.descriptor >= 0 else { throw PictureStoreError(errno: errno) }
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    // All numbers below this one are taken.
    guard rlim_t(self.descriptor) + Self.reserve < limit.rlim_cur else {
      if creates { unlink(path) }
      throw PictureStoreError(errno: EMFILE)
    }
  }

  deinit {
    _ = close(self.descriptor)
  }

  /// The size in bytes, and the time of the last change in seconds since 1970; `nil` if it is not a
  /// regular file.
  var status: (bytes: Int, changed: Double)? {
    var status = stat()
    guard fstat(self.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return (Int(status.st_size), Double(status.st_mtim.tv_sec))
  }

  /// Whether this folder is what has a path now.
  ///
  /// - Throws: ``PictureStoreError`` if nothing can be found there, or only what is on another volume:
  ///   that may be the empty folder on which the volume was mounted.
  func isStill(at path: String) throws(PictureStoreError) -> Bool {
    var (own, found) = (stat(), stat())
    guard stat(path, &found) == 0 else { throw PictureStoreError(folder: path, errno: errno) }
    guard fstat(self.descriptor, &own) == 0 else { return false }
    guard own.st_dev == found.st_dev else {
      throw PictureStoreError(
        .inputOutput,
        "The folder \(path) is on another volume than before. Mount that volume, or restart the "
          + "server."
      )
    }
    return own.st_ino == found.st_ino
  }

  /// - Throws: ``PictureStoreError``; an unknown part may have been written.
  func write(_ bytes: some Collection<UInt8>) throws(PictureStoreError) {
    var rest = Array(bytes)[...]
    while rest.isEmpty == false {
      let count = rest.withUnsafeBytes { Glibc.write(self.descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PictureStoreError(errno: errno) }
      rest = rest.dropFirst(count)
    }
  }

  /// - Returns: The available bytes, at most `count`.
  /// - Throws: ``PictureStoreError``.
  func read(_ offset: Int, _ count: Int) throws(PictureStoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = bytes.withUnsafeMutableBytes {
        pread(self.descriptor, $0.baseAddress! + filled, count - filled, off_t(offset + filled))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw PictureStoreError(errno: errno) }
      if read == 0 { break }
      filled += read
    }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Locks it exclusively until it is closed.
  ///
  /// - Throws: ``PictureStoreError`` if another process has locked it.
  func lock() throws(PictureStoreError) {
    guard flock(self.descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw PictureStoreError(.inUse, "The folder with the pictures is in use by another process.")
    }
  }

  /// Ends ``lock()`` immediately. Closing the file does so only when no process has it open, and a
  /// process that is being started may have it open for a moment.
  func unlock() {
    flock(self.descriptor, LOCK_UN)
  }

  /// Waits until the written data is on disk.
  ///
  /// - Throws: ``PictureStoreError``.
  func synchronize() throws(PictureStoreError) {
    guard fsync(self.descriptor) == 0 else { throw PictureStoreError(errno: errno) }
  }
}

/// Why a picture cannot be stored or read. Nothing has changed.
public struct PictureStoreError: Error, Hashable, CustomStringConvertible, Sendable {
  public enum Code: Hashable, Sendable {
    /// The size limit of all pictures is reached.
    case full
    /// The limit of concurrent uploads, or that of open files, is reached. This is temporary.
    case busy
    /// The limit of concurrent uploads by one client is reached. This is temporary.
    case clientBusy
    /// The disk is full.
    case diskFull
    /// The picture does not exist.
    case notFound
    /// Another process is using the folder.
    case inUse
    /// The origin of pictures does not answer, or has not stored it. This may be temporary.
    case originAway
    case inputOutput
  }

  public let code: Code
  /// A sentence for the log.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(folder: String, errno number: Int32) {
    let reason = String(cString: strerror(number))
    self.init(.inputOutput, "The folder \(folder) cannot be used: \(reason).")
  }

  init(errno number: Int32) {
    let reason = String(cString: strerror(number))
    switch number {
    case ENOSPC, EDQUOT: self.init(.diskFull, "The disk with the pictures is full: \(reason).")
    case EMFILE, ENFILE: self.init(.busy, "Too many files are open: \(reason).")
    case ENOENT, ELOOP: self.init(.notFound, "There is no such picture: \(reason).")
    default: self.init(.inputOutput, "A picture could not be read or written: \(reason).")
    }
  }
}
