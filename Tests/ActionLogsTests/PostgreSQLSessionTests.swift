import ActionLogs
import Foundation
import PostgreSQLLog
import TestPostgreSQL
import Testing

extension WithPostgreSQL {
  /// What a log asks of each session with the database.
  @Suite struct PostgreSQLSessionTests {
    @Test(arguments: [
      ("off", "on"), ("local", "on"), ("on", "on"), ("remote_write", "remote_write"),
      ("remote_apply", "remote_apply"),
    ])
    func `an answered append is on the disk, whatever the database's default`(
      setting: String, used: String
    ) async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      try await server.execute(
        "ALTER DATABASE \(database) SET synchronous_commit = \(setting)", in: "postgres")

      let current = try await server.ask(
        "SELECT current_setting('synchronous_commit')", in: database)

      #expect(current == used)
    }

    @Test func `a reader whose connection was lost is notified again`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = PostgreSQLLog(try PostgreSQLAddress(server.url(database)), poll: .seconds(1))
      let other = try WithPostgreSQL.log(server, database)
      _ = try await other.append("a")
      let isListening =
        "datname = '\(database)' AND query LIKE 'LISTEN%' AND state = 'idle'"
      var wakes = log.wakes().makeAsyncIterator()
      try await WithPostgreSQL.wait(server, isListening, count: 1)
      let old = try await server.ask(
        "SELECT pid::text FROM pg_stat_activity WHERE \(isListening)", in: "postgres")

      try await server.endSessions(of: database)
      try await WithPostgreSQL.wait(server, "\(isListening) AND pid <> \(old)", count: 1)

      // Only a notification tells a sequence. A poll does not, and replaces one that was not taken.
      var notified: UInt64?
      var count = 0
      while notified == nil {
        count += 1
        _ = try await WithPostgreSQL.appendPersistently("\(count)", to: other)
        notified = await wakes.next().flatMap { $0 }
      }
    }
  }
}
