import Foundation
import GRDB

// Opening.
extension OpenDatabase {
  static var configuration: Configuration {
    var configuration = Configuration()
    // As in the guide, a row may name another that does not exist. Who accepts input checks it.
    configuration.foreignKeysEnabled = false
    // Otherwise GRDB asks a closed database after each access whether a transaction is open.
    configuration.allowsUnsafeTransactions = true
    // If a shell has locked the database, that is an error rather than a hang.
    configuration.busyMode = .timeout(2)
    return configuration
  }

  /// Opens the database with a name, or creates it if nothing has that name.
  ///
  /// - Throws: ``LocalStoreError``, or an error from SQLite.
  static func open(_ name: DatabaseName, _ schema: DatabaseSchema) throws -> DatabaseQueue {
    let file: DatabaseName.File
    if let found = try name.file() {
      file = found
      // If there is a journal, the database has to be written to before it can be read
      // consistently.
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
    // After GRDB has turned on WAL, and NORMAL with it: commits must survive a power failure too.
    try queue.writeWithoutTransaction { database in
      try database.execute(sql: "PRAGMA synchronous = FULL")
      try schema.check(database, name.path)
    }
    // SQLite creates a missing file, and a volume may have been unmounted since the check.
    guard try name.file() == file else { throw name.hasGone }
    try schema.prepare(queue)
    return queue
  }

  /// Checks, before anything is written, that the database belongs to this program and is usable.
  /// If not, the files that reading it has made are removed. If it is usable, the connection that
  /// is opened next uses them.
  private static func checkContent(_ path: String, _ schema: DatabaseSchema) throws {
    let log = path + "-wal"
    let others: [String] = [log, path + "-shm"].filter { access($0, F_OK) != 0 }
    let size = self.size(of: log)
    do {
      try self.readContent(path, schema)
    } catch {
      // If it has grown, another program has written to it since.
      if self.size(of: log) == size {
        for other in others { unlink(other) }
      }
      throw error
    }
  }

  /// - Returns: 0 if it does not exist.
  private static func size(of path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  private static func readContent(_ path: String, _ schema: DatabaseSchema) throws {
    var configuration = self.configuration
    configuration.readonly = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    defer { try? queue.close() }
    try queue.read { try schema.check($0, path) }
  }
}
