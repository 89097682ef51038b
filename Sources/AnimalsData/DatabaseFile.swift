import Foundation
import GRDB
import Synchronization

/// The tables of a product, as the changes that led to them.
struct DatabaseSchema: Sendable {
  /// The product; it tells its databases from others.
  let name: String
  /// Statements in SQL, each for one version.
  let migrations: [String]

  var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    for (index, sql) in self.migrations.enumerated() {
      migrator.registerMigration("\(self.name) \(index + 1)") { try $0.execute(sql: sql) }
    }
    return migrator
  }
}

/// A SQLite database that one process has to itself. It knows no product.
final class DatabaseFile: Sendable {
  let queue: DatabaseQueue
  private let path: String?
  private let lock: FileLock?
  private let isClosed = Mutex(false)

  /// Opens a database in memory.
  ///
  /// - Throws: ``LocalStoreError``.
  init(schema: DatabaseSchema) throws {
    self.path = nil
    self.lock = nil
    do {
      self.queue = try DatabaseQueue(configuration: Self.configuration)
      try schema.migrator.migrate(self.queue)
    } catch {
      throw LocalStoreError(error, path: nil)
    }
  }

  /// Opens a file, or makes it.
  ///
  /// - Throws: ``LocalStoreError``; what was there is then as it was, to the byte.
  init(url: URL, schema: DatabaseSchema) throws {
    let path = url.absoluteURL.standardizedFileURL.path
    self.path = path
    let lock = try FileLock(for: path)
    self.lock = lock
    do {
      let found = try Self.checkFile(path)
      // With a journal beside it, only writing brings it back to what it was.
      if found == .content, access(path + "-journal", F_OK) != 0 {
        try Self.checkContent(path, schema)
      }
      self.queue = try Self.open(path, schema, isNew: found == .nothing)
    } catch {
      lock.release()
      throw LocalStoreError(error, path: path)
    }
  }

  deinit {
    try? self.close()
  }

  /// - Throws: ``LocalStoreError``; the file may be opened again all the same.
  func close() throws {
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
  func read<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await self.perform(work)
  }

  /// Works in one transaction.
  ///
  /// - Throws: ``LocalStoreError``, or what `work` throws; nothing has changed.
  func write<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws -> Value {
    try await self.perform { try $0.inOneTransaction(work) }
  }

  /// As ``write(_:)``, and holds the thread meanwhile.
  func writeNow<Value>(_ work: (Database) throws -> Value) throws -> Value {
    do {
      return try self.queue.writeWithoutTransaction { database in
        try self.requireOpen()
        return try database.inOneTransaction(work)
      }
    } catch {
      throw LocalStoreError(error, path: self.path)
    }
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

// Opening.
extension DatabaseFile {
  /// What a failure to open must leave no trace of.
  private static let sideFiles = ["-wal", "-shm", "-journal"]

  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    // Else GRDB asks a closed database after each access whether a transaction is open.
    configuration.allowsUnsafeTransactions = true
    // A database that a shell has locked is an error, and no hang.
    configuration.busyMode = .timeout(2)
    return configuration
  }

  private static func open(
    _ path: String,
    _ schema: DatabaseSchema,
    isNew: Bool
  ) throws -> DatabaseQueue {
    do {
      var configuration = self.configuration
      configuration.journalMode = .wal
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      // After GRDB has turned WAL on, and with it NORMAL: what was committed is to survive a loss of
      // power too.
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA synchronous = FULL")
        try self.check(database, path, schema)
      }
      try schema.migrator.migrate(queue)
      return queue
    } catch {
      if isNew {
        self.remove([path] + self.sideFiles.map { path + $0 })
      }
      throw error
    }
  }

  private enum Found {
    case nothing
    case emptyFile
    case content
  }

  private static func checkFile(_ path: String) throws -> Found {
    var status = stat()
    guard stat(path, &status) == 0 else { return .nothing }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw LocalStoreError(
        code: .notADatabase,
        message: "\(path) is no file. Choose another file."
      )
    }
    guard access(path, R_OK | W_OK) == 0 else {
      throw LocalStoreError(
        code: .notWritable,
        message: "The database \(path) cannot be read and written. Make it writable, or choose "
          + "another file."
      )
    }
    return status.st_size > 0 ? .content : .emptyFile
  }

  /// Looks before anything is written whether the database is one of ours that we can work on.
  private static func checkContent(_ path: String, _ schema: DatabaseSchema) throws {
    let others = self.sideFiles.map { path + $0 }.filter { access($0, F_OK) != 0 }
    defer { self.remove(others) }
    var configuration = self.configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    try queue.read { try self.check($0, path, schema) }
  }

  private static func check(_ database: Database, _ path: String, _ schema: DatabaseSchema) throws {
    let migrator = schema.migrator
    let applied = try migrator.appliedIdentifiers(database)
    if applied.isEmpty {
      let tables = try Int.fetchOne(
        database,
        sql: "SELECT COUNT(*) FROM sqlite_master WHERE name <> 'grdb_migrations'"
      )
      guard tables == 0 else { throw self.otherDatabase(path) }
    } else if applied.contains(where: { $0.hasPrefix("\(schema.name) ") }) == false {
      throw self.otherDatabase(path)
    } else if try migrator.hasBeenSuperseded(database) {
      throw LocalStoreError(
        code: .newerVersion,
        message: "The database \(path) is of a newer version of this program. Take that version, "
          + "or choose another file."
      )
    }
  }

  private static func otherDatabase(_ path: String) -> LocalStoreError {
    LocalStoreError(
      code: .notADatabase,
      message: "\(path) is a database of another program. Choose another file."
    )
  }

  private static func remove(_ paths: [String]) {
    for path in paths {
      unlink(path)
    }
  }
}
