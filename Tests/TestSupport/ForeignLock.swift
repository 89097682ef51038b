public import Foundation

/// Locks a database as another process does, until it is released.
public final class ForeignLock: Sendable {
  private let descriptor: CInt

  /// - Parameters:
  ///   - database: The database. It need not exist.
  ///   - process: The other process.
  /// - Throws: When it is already locked.
  public init(of database: URL, by process: pid_t) throws {
    let path = database.path + ".lock"
    self.descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    let owner = Array("\(process)\n".utf8)
    guard self.descriptor >= 0, flock(self.descriptor, LOCK_EX | LOCK_NB) == 0,
      pwrite(self.descriptor, owner, owner.count, 0) == owner.count
    else { throw CocoaError(.fileLocking, userInfo: [NSFilePathErrorKey: path]) }
  }

  deinit {
    close(self.descriptor)
  }
}
