import Foundation
import GRDB
import Synchronization

/// A database that is open, and that no other process may use meanwhile; others of this one may.
final class OpenDatabase: Sendable {
  let queue: DatabaseQueue
  /// `nil` if it is in memory.
  private let lock: FileLock?
  /// `nil` if it is in memory.
  private let names: OpenedNames?
  /// The connection's `data_version` at the last check.
  private let seenVersion: Mutex<Int64>

  /// Opens a database in memory.
  ///
  /// - Throws: ``LocalStoreError``.
  init(_ schema: DatabaseSchema) throws {
    self.lock = nil
    self.names = nil
    self.seenVersion = Mutex(0)
    do {
      self.queue = try DatabaseQueue(configuration: Self.configuration)
      try schema.prepare(self.queue)
    } catch {
      throw LocalStoreError(error, path: nil)
    }
  }

  /// Opens a file, or creates it if nothing has its name.
  ///
  /// - Throws: ``LocalStoreError``; an existing file is then unchanged, byte for byte.
  init(_ name: DatabaseName, _ schema: DatabaseSchema) throws {
    let lock = try FileLock(for: name.path)
    self.lock = lock
    do {
      let queue = try Self.open(name, schema)
      // Before anything is read, so that all later writes are noticed.
      self.seenVersion = Mutex(try queue.writeWithoutTransaction { try $0.dataVersion() })
      self.names = try OpenedNames(of: name.path)
      self.queue = queue
    } catch {
      lock.release()
      throw LocalStoreError(error, path: name.path)
    }
  }

  /// - Throws: An error from SQLite; the file can be opened again even so.
  func close() throws {
    defer { self.lock?.release() }
    // Waits for work in progress.
    try self.queue.close()
  }

  /// - Throws: ``LocalStoreError``: `missing` if its files, or `inUse` if its lock was removed or
  ///   replaced while it was open. Until they are back, nothing can be read or written.
  func checkFiles() throws {
    try self.lock?.check()
    try self.names?.check()
  }

  /// Checks whether another connection has committed since the last check, or since it was opened.
  ///
  /// - Complexity: O(1).
  func hasForeignCommits(_ database: Database) throws -> Bool {
    let version = try database.dataVersion()
    return self.seenVersion.withLock { seen in
      defer { seen = version }
      return seen != version
    }
  }

  /// Makes the next check report commits in any case.
  func forgetSeenVersion() {
    self.seenVersion.withLock { $0 = -1 }
  }
}

extension Database {
  /// Differs after another connection has committed.
  ///
  /// Source: https://www.sqlite.org/pragma.html#pragma_data_version
  fileprivate func dataVersion() throws -> Int64 {
    try Int64.fetchOne(self, sql: "PRAGMA data_version") ?? 0
  }
}
