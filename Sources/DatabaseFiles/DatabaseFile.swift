public import Foundation
public import GRDB
import Synchronization

/// A SQLite database that only one process may use. It is independent of the product.
public final class DatabaseFile: Sendable {
  let queue: DatabaseQueue
  private let path: String?
  private let lock: FileLock?
  /// `nil` if it is in memory.
  private let names: OpenedNames?
  private let isClosed = Mutex(false)
  /// The connection's `data_version` at the last check.
  let seenVersion: Mutex<Int64>

  /// Opens a database in memory.
  ///
  /// - Throws: ``LocalStoreError``.
  public init(schema: DatabaseSchema) throws {
    self.path = nil
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

  /// Opens a file, or creates it if nothing has its name. Nothing with that name is ever removed or
  /// replaced, not even a file that is not a database, or a broken link.
  ///
  /// - Throws: ``LocalStoreError``; an existing file is then unchanged, byte for byte.
  public init(url: URL, schema: DatabaseSchema) throws {
    let name = DatabaseName(url.absoluteURL.standardizedFileURL)
    self.path = name.path
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

  deinit {
    try? self.close()
  }

  /// - Throws: ``LocalStoreError``; the file can be opened again even so.
  public func close() throws {
    defer { self.lock?.release() }
    self.isClosed.withLock { $0 = true }
    do {
      // Waits for work in progress.
      try self.queue.close()
    } catch {
      throw LocalStoreError(error, path: self.path)
    }
  }
}

// Work.
extension DatabaseFile {
  /// - Parameter work: Runs a single statement, which sees a consistent state without a
  ///   transaction.
  /// - Throws: ``LocalStoreError``, or what `work` throws.
  public func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await self.perform(work)
  }

  /// Works in one transaction.
  ///
  /// - Parameters:
  ///   - work: Writes.
  ///   - didCommit: Called after each commit, in the order of the commits.
  /// - Throws: ``LocalStoreError``, or what `work` throws; nothing has changed. But if the code is
  ///   `uncertain`, the files were removed or replaced during the commit itself, and may contain the
  ///   change. Then it counts as a foreign commit once they are back.
  public func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value,
    didCommit: @escaping @Sendable (Value) -> Void = { _ in }
  ) async throws -> Value {
    try await self.perform { database in
      let value = try database.inOneTransaction { database in
        let value = try work(database)
        // It may have taken long, and here it can still be undone.
        try self.checkFiles()
        return value
      }
      do {
        try self.checkFiles()
      } catch {
        self.forgetSeenVersion()
        throw LocalStoreError(
          code: .uncertain,
          message: "The files of the database \(self.path ?? "in memory") were removed or replaced "
            + "while something was being saved. It may have been saved anyway. Move the files back; "
            + "or stop this program, and restore the database."
        )
      }
      didCommit(value)
      return value
    }
  }

  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      try self.requireOpen()
      return try await self.queue.writeWithoutTransaction { database in
        // It may have been closed while this access waited.
        try self.requireOpen()
        try self.checkFiles()
        return try work(database)
      }
    } catch {
      throw LocalStoreError.orCancellation(error, path: self.path)
    }
  }

  /// - Throws: ``LocalStoreError``: `missing` if its files, or `inUse` if its lock was removed or
  ///   replaced while it was open. Until they are back, nothing can be read or written.
  public func checkFiles() throws {
    try self.lock?.check()
    try self.names?.check()
  }

  /// Whether others could write to it.
  var isOnDisk: Bool { self.path != nil }

  /// Makes the next check report commits in any case.
  func forgetSeenVersion() {
    self.seenVersion.withLock { $0 = -1 }
  }

  /// With a closed database, GRDB would call SQLite and crash.
  private func requireOpen() throws {
    guard self.isClosed.withLock(\.self) == false else {
      throw LocalStoreError(code: .closed)
    }
  }
}

extension Database {
  fileprivate func inOneTransaction<Value>(_ work: (Database) throws -> Value) throws -> Value {
    var value: Value?
    try self.inTransaction(.immediate) {
      value = try work(self)
      return .commit
    }
    guard let value else { throw DatabaseError(message: "a transaction did nothing") }
    return value
  }
}

extension DatabaseFile {
  /// - Parameter isStoredInMemoryOnly: Whether the database lives only in memory, until this object
  ///   is released. Otherwise it is the file `default.store` in the current directory.
  /// - Throws: ``LocalStoreError``.
  public convenience init(isStoredInMemoryOnly: Bool, schema: DatabaseSchema) throws {
    if isStoredInMemoryOnly {
      try self.init(schema: schema)
    } else {
      try self.init(
        url: URL(filePath: "default.store", directoryHint: .notDirectory),
        schema: schema
      )
    }
  }
}
