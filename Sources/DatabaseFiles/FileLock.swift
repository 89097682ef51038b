import Foundation
import Synchronization

/// Reserves a file for this process by locking a file next to it. All databases of this process that
/// use the file share the reservation. It ends when the last one releases it, or when the process
/// ends for any reason.
final class FileLock: Sendable {
  private struct Reservation {
    let file: DatabaseName.File
    let descriptor: CInt
    /// The number of databases that share it.
    var count: Int
  }

  /// The reservations of this process. Bounded by the number of open databases.
  private static let reservations = Mutex<[Reservation]>([])

  /// The path of the lock file.
  private let path: String
  /// The lock file.
  private let file: DatabaseName.File
  private let isReleased = Mutex(false)

  /// - Parameter path: The file to reserve. It need not exist.
  /// - Throws: ``LocalStoreError``, `inUse` or `notWritable`.
  init(for path: String) throws {
    self.path = path + ".lock"
    while true {
      // Non-blocking, in case it is a pipe.
      let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
      let descriptor = open(self.path, flags, 0o644)
      guard descriptor >= 0 else {
        let code = errno
        throw [ELOOP, EISDIR].contains(code)
          ? Self.isForeign(self.path) : Self.notWritable(path, code)
      }
      guard Self.isLock(descriptor), let file = DatabaseName.File(of: descriptor) else {
        Foundation.close(descriptor)
        throw Self.isForeign(self.path)
      }
      switch Self.reserve(file, descriptor, for: self.path) {
      case 0?:
        self.file = file
        return
      case EWOULDBLOCK?:
        defer { Foundation.close(descriptor) }
        throw Self.inUse(path, Self.owner(descriptor))
      case let code?:
        Foundation.close(descriptor)
        if code != EINTR { throw Self.notWritable(path, code) }
      case nil:
        Foundation.close(descriptor)
      }
    }
  }

  /// Locks an open lock file, unless this process has already done so.
  ///
  /// - Returns: 0, or the error code of the lock; `nil` if the file is no longer at its path, because
  ///   the previous holder has removed it. A lock on a removed file would keep nobody out.
  private static func reserve(
    _ file: DatabaseName.File, _ descriptor: CInt, for path: String
  ) -> CInt? {
    self.reservations.withLock { reservations in
      if let index = reservations.firstIndex(where: { $0.file == file }) {
        Foundation.close(descriptor)
        reservations[index].count += 1
        return 0
      }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return errno }
      guard (try? DatabaseName.File(at: path)) == file else { return nil }
      let owner = Array("\(getpid())\n".utf8)
      ftruncate(descriptor, 0)
      _ = owner.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
      reservations.append(Reservation(file: file, descriptor: descriptor, count: 1))
      return 0
    }
  }

  deinit {
    self.release()
  }

  /// - Throws: ``LocalStoreError``: `inUse`, if the lock file was removed or replaced, which lets
  ///   other processes reserve the file; another code, if that cannot be found out.
  /// - Complexity: O(1).
  func check() throws {
    guard try DatabaseName.File(at: self.path) == self.file else {
      throw LocalStoreError(
        code: .inUse,
        message: "\(self.path) was removed or replaced while the database was open, so another "
          + "program may have opened the database. Nothing was saved. Stop the other program, and "
          + "restart this one."
      )
    }
  }

  /// Lets other processes reserve the file, if no other database of this process uses it.
  func release() {
    let isFirst = self.isReleased.withLock { isReleased in
      defer { isReleased = true }
      return isReleased == false
    }
    guard isFirst else { return }
    // Until all of it is done, this process would find its own lock, and take it for another's.
    Self.reservations.withLock { reservations in
      guard let index = reservations.firstIndex(where: { $0.file == self.file }) else { return }
      reservations[index].count -= 1
      guard reservations[index].count == 0 else { return }
      let descriptor = reservations.remove(at: index).descriptor
      // Removed while the lock is still held, so it cannot be another process's lock file.
      if (try? self.check()) != nil {
        unlink(self.path)
      }
      Foundation.close(descriptor)
    }
  }
}

extension FileLock {
  /// Whether a file contains only what a lock file contains. Any other file must not be
  /// overwritten.
  private static func isLock(_ descriptor: CInt) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= 32
    else { return false }
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return count >= 0
      && bytes.prefix(count).allSatisfy { (0x30...0x39).contains($0) || $0 == 0x0A }
  }

  private static func owner(_ descriptor: CInt) -> pid_t? {
    var bytes = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    return pid_t(String(decoding: bytes.prefix(count), as: UTF8.self).prefix { $0.isNumber })
  }

  private static func inUse(_ path: String, _ owner: pid_t?) -> LocalStoreError {
    let process = owner.map { "the process \($0)" } ?? "another process"
    return LocalStoreError(
      code: .inUse,
      message: "The database \(path) is in use by \(process). Stop it, or choose another file."
    )
  }

  private static func isForeign(_ path: String) -> LocalStoreError {
    LocalStoreError(
      code: .notWritable,
      message: "\(path) is not a lock of this program. Move it away, or choose another file."
    )
  }

  private static func notWritable(_ path: String, _ code: CInt) -> LocalStoreError {
    let folder = URL(filePath: path).deletingLastPathComponent().path
    let message =
      switch code {
      case ENOENT, ENOTDIR:
        "There is no folder \(folder). Create it, or choose another file."
      case EACCES, EPERM, EROFS:
        "The folder \(folder) cannot be written to. Make it writable, or choose another file."
      case ENOSPC, EDQUOT:
        "There is no room in the folder \(folder). Make room, or choose another file."
      default:
        "The database \(path) cannot be opened: \(String(cString: strerror(code))). "
          + "Choose another file."
      }
    let isFull = code == ENOSPC || code == EDQUOT
    return LocalStoreError(code: isFull ? .diskFull : .notWritable, message: message)
  }
}
