import DatabaseFiles
import Foundation
import GRDB

/// The deleted earthquakes of a database, so that a scheduled refresh does not bring them back, not
/// even after a restart.
///
/// Feeds go back a month. Earlier deletions are dropped, and the newest 100,000 of the rest are
/// kept, at about 60 bytes each.
enum DeletedQuakes {
  /// This is longer than any feed goes back.
  static let memory: TimeInterval = 40 * 86_400
  static let limit = 100_000

  /// The database need not have the earthquakes.
  static func remember(_ database: Database, _ ids: Set<Quake.ID>, at now: Date) throws {
    let sql = "INSERT OR REPLACE INTO deletedQuake VALUES (CAST(? AS TEXT), ?)"
    let statement = try database.cachedStatement(sql: sql)
    for id in ids {
      try statement.execute(arguments: [id.stored, now.timeIntervalSinceReferenceDate])
    }
    try self.forgetOld(database, now)
  }

  /// Call it before all earthquakes are deleted.
  static func rememberAll(_ database: Database, at now: Date) throws {
    try database.execute(
      sql: "INSERT OR REPLACE INTO deletedQuake SELECT quakeId, ? FROM quake",
      arguments: [now.timeIntervalSinceReferenceDate]
    )
    try self.forgetOld(database, now)
  }

  /// Call it when the earthquakes exist again.
  static func forget(_ database: Database, _ ids: some Sequence<Quake.ID>) throws {
    // Usually no earthquake is deleted, and a feed has thousands of them.
    let exists = "SELECT EXISTS (SELECT 1 FROM deletedQuake)"
    guard try Bool.fetchOne(database.cachedStatement(sql: exists)) == true else { return }
    let sql = "DELETE FROM deletedQuake WHERE quakeId = CAST(? AS TEXT)"
    let statement = try database.cachedStatement(sql: sql)
    for id in ids { try statement.execute(arguments: [id.stored]) }
  }

  static func ids(_ database: Database) throws -> Set<Quake.ID> {
    let rows = try Row.fetchCursor(database, sql: "SELECT quakeId FROM deletedQuake")
    var ids: Set<Quake.ID> = []
    while let row = try rows.next() { ids.insert(try row.text(0)) }
    return ids
  }

  private static func forgetOld(_ database: Database, _ now: Date) throws {
    let oldest = now.addingTimeInterval(-self.memory).timeIntervalSinceReferenceDate
    try database.execute(sql: "DELETE FROM deletedQuake WHERE deleted < ?", arguments: [oldest])
    try database.execute(
      sql: """
        DELETE FROM deletedQuake WHERE rowid IN (
          SELECT rowid FROM deletedQuake ORDER BY deleted DESC LIMIT -1 OFFSET ?
        )
        """,
      arguments: [self.limit]
    )
  }
}
