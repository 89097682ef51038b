import Foundation
import GRDB

// Opening.
extension DatabaseFile {
  /// What a failure to open must leave no trace of.
  static let sideFiles = ["-wal", "-shm", "-journal"]

  static var configuration: Configuration {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    // Else GRDB asks a closed database after each access whether a transaction is open.
    configuration.allowsUnsafeTransactions = true
    // A database that a shell has locked is an error, and no hang.
    configuration.busyMode = .timeout(2)
    return configuration
  }

  static func open(
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

  /// The same for every way to a file through symbolic links, so that its lock is one.
  static func resolved(_ url: URL) -> String {
    func real(_ path: String) -> String? {
      guard let resolved = realpath(path, nil) else { return nil }
      defer { free(resolved) }
      return String(cString: resolved)
    }
    if let path = real(url.path) { return path }
    guard let folder = real(url.deletingLastPathComponent().path) else { return url.path }
    return URL(filePath: folder).appending(path: url.lastPathComponent).path
  }

  enum Found {
    case nothing
    case emptyFile
    case content
  }

  static func checkFile(_ path: String) throws -> Found {
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
  static func checkContent(_ path: String, _ schema: DatabaseSchema) throws {
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

  static func otherDatabase(_ path: String) -> LocalStoreError {
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
