import Foundation
import GRDB

// Opening.
extension DatabaseFile {
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

  /// Opens the database of a name, or makes one where nothing has that name.
  ///
  /// - Throws: ``LocalStoreError``, or an error of SQLite.
  static func open(_ name: DatabaseName, _ schema: DatabaseSchema) throws -> DatabaseQueue {
    let file: DatabaseName.File
    if let found = try name.file() {
      file = found
      // With a journal beside it, only writing brings it back to what it was.
      if access(name.path + "-journal", F_OK) != 0 {
        try self.checkContent(name.path, schema)
      }
    } else {
      try name.create(try schema.emptyDatabase())
      guard let created = try name.file() else { throw name.hasGone }
      file = created
    }
    var configuration = self.configuration
    configuration.journalMode = .wal
    let queue = try DatabaseQueue(path: name.path, configuration: configuration)
    // After GRDB has turned WAL on, and with it NORMAL: what was committed is to survive a loss of
    // power too.
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try schema.check(database, name.path)
    }
    // SQLite makes a file where it finds none: a volume may have gone since we looked.
    guard try name.file() == file else { throw name.hasGone }
    try schema.prepare(queue)
    return queue
  }

  /// Looks before anything is written whether the database is one of ours that we can work on.
  private static func checkContent(_ path: String, _ schema: DatabaseSchema) throws {
    let others = self.sideFiles.map { path + $0 }.filter { access($0, F_OK) != 0 }
    defer { for other in others { unlink(other) } }
    var configuration = self.configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    try queue.read { try schema.check($0, path) }
  }
}
