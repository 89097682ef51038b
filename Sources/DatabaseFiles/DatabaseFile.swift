package import Foundation
package import GRDB
import Synchronization

/// A SQLite database that one process has to itself. It knows no product.
package final class DatabaseFile: Sendable {
  let queue: DatabaseQueue
  private let path: String?
  private let lock: FileLock?
  private let isClosed = Mutex(false)

  /// Opens a database in memory.
  ///
  /// - Throws: ``LocalStoreError``.
  package init(schema: DatabaseSchema) throws {
    self.path = nil
    self.lock = nil
    do {
      self.queue = try DatabaseQueue(configuration: Self.configuration)
      try schema.prepare(self.queue)
    } catch {
      throw LocalStoreError(error, path: nil)
    }
  }

  /// Opens a file, or makes it where nothing has its name. Whatever has that name is never removed or
  /// replaced, not even what is no database, nor a link to a file that is not there.
  ///
  /// - Throws: ``LocalStoreError``; what was there is then as it was, to the byte.
  package init(url: URL, schema: DatabaseSchema) throws {
    let name = DatabaseName(url.absoluteURL.standardizedFileURL)
    self.path = name.path
    let lock = try FileLock(for: name.path)
    self.lock = lock
    do {
      self.queue = try Self.open(name, schema)
    } catch {
      lock.release()
      throw LocalStoreError(error, path: name.path)
    }
  }

  deinit {
    try? self.close()
  }

  /// - Throws: ``LocalStoreError``; the file may be opened again all the same.
  package func close() throws {
    defer { self.lock?.release() }
    self.isClosed.withLock { $0 = true }
    do {
      // What is under way ends before it.
      try self.queue.close()
    } catch {
      throw LocalStoreError(error, path: self.path)
    }
  }
}

// Work.
extension DatabaseFile {
  /// - Parameter work: Runs one statement, which needs no transaction to read one state.
  /// - Throws: ``LocalStoreError``, or what `work` throws.
  package func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await self.perform(work)
  }

  /// Works in one transaction.
  ///
  /// - Throws: ``LocalStoreError``, or what `work` throws; nothing has changed.
  package func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await self.perform { try $0.inOneTransaction(work) }
  }

  private func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    do {
      try self.requireOpen()
      return try await self.queue.writeWithoutTransaction { database in
        // It may have been closed while this waited for its turn.
        try self.requireOpen()
        return try work(database)
      }
    } catch {
      throw LocalStoreError.orCancellation(error, path: self.path)
    }
  }

  /// GRDB hands what is closed to SQLite, which crashes.
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
  /// - Parameter isStoredInMemoryOnly: Not on disk, and gone with this; else it is the file
  ///   `default.store` in the current directory.
  /// - Throws: ``LocalStoreError``.
  package convenience init(isStoredInMemoryOnly: Bool, schema: DatabaseSchema) throws {
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
