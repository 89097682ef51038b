public import Foundation
public import GRDB

/// A SQLite database that only one process may use. It is independent of the product.
public final class DatabaseFile: Sendable {
  let database: Reopening<OpenDatabase>
  /// `nil` if it is in memory.
  package let path: String?
  /// The temporary reason why it could not be opened at first; `nil` if it could.
  public let firstObstacle: String?

  /// Opens a database in memory.
  ///
  /// - Throws: ``LocalStoreError``.
  public convenience init(schema: DatabaseSchema) throws {
    try self.init(nil, Reopening { try OpenDatabase(schema) })
  }

  /// Opens a file, or creates it if nothing has its name. Nothing with that name is ever removed or
  /// replaced, not even a file that is not a database, or a broken link.
  ///
  /// - Throws: ``LocalStoreError``; an existing file is then unchanged, byte for byte.
  public convenience init(url: URL, schema: DatabaseSchema) throws {
    try self.init(url, Self.reopening(url, schema))
  }

  /// Opens a file, or creates it, like ``init(url:schema:)``. If that fails for a temporary reason (a
  /// folder that is not writable, a lock, a full disk), each operation tries again to open it, and
  /// fails with that reason (``obstacle``).
  ///
  /// - Throws: ``LocalStoreError`` for a reason that is not temporary.
  public convenience init(reopening url: URL, schema: DatabaseSchema) throws {
    try self.init(url, Self.reopening(url, schema), mayWait: true)
  }

  private init(_ url: URL?, _ database: Reopening<OpenDatabase>, mayWait: Bool = false) throws {
    var obstacle: String?
    do {
      try database.openNow()
    } catch let error as LocalStoreError where mayWait && error.mayPass {
      obstacle = error.message
    }
    self.path = url.map { DatabaseName($0).path }
    self.database = database
    self.firstObstacle = obstacle
  }

  private static func reopening(_ url: URL, _ schema: DatabaseSchema) -> Reopening<OpenDatabase> {
    Reopening {
      try OpenDatabase(DatabaseName(url), schema)
    } check: {
      try $0.checkFiles()
    }
  }

  deinit {
    try? self.close()
  }

  /// - Throws: ``LocalStoreError``; the file can be opened again even so.
  public func close() throws {
    do {
      try self.database.close()?.close()
    } catch {
      throw LocalStoreError(error, path: self.path)
    }
  }

  /// Why it cannot be used now, for the operator; `nil` if it can. It tries to open the file, unless
  /// that is in progress, and checks that its files are still there. If the disk hangs, that is the
  /// answer after 5 seconds.
  public var obstacle: String? {
    get async { await self.database.obstacle }
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
    try await self.perform { database, _ in try work(database) }
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
    try await self.perform { database, opened in
      let value = try database.inOneTransaction { database in
        let value = try work(database)
        // It may have taken long, and here it can still be undone.
        try opened.checkFiles()
        return value
      }
      do {
        try opened.checkFiles()
      } catch {
        opened.forgetSeenVersion()
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

  func perform<Value: Sendable>(
    _ work: @escaping @Sendable (Database, OpenDatabase) throws -> Value
  ) async throws -> Value {
    do {
      let opened = try await self.database.open()
      return try await opened.queue.writeWithoutTransaction { database in
        // It may have been closed while this access waited. With a closed database, GRDB would call
        // SQLite and crash.
        try self.database.requireOpen()
        try opened.checkFiles()
        return try work(database, opened)
      }
    } catch {
      throw LocalStoreError.orCancellation(error, path: self.path)
    }
  }

  /// Whether others could write to it.
  var isOnDisk: Bool { self.path != nil }
}

extension LocalStoreError {
  /// Whether the reason may go away without a change to the file.
  fileprivate var mayPass: Bool {
    [.missing, .locked, .notWritable, .diskFull, .inputOutput].contains(self.code)
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
