import ActionLogs
import Foundation
import PostgreSQLLog
import TestPostgreSQL
import TestSupport
import Testing

extension WithPostgreSQL {
  /// What a log asks of each session with the database, and of its locks.
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
      let log = PostgreSQLLog(try PostgreSQLAddress(server.url(database)), poll: .seconds(60))
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
      _ = try await WithPostgreSQL.appendPersistently("b", to: other)

      while await wakes.next() != 2 {}
    }

    /// Otherwise, what a server writes under a lease could come after what the next holder has read.
    @Test func `a lease is not given away while an entry is appended under it`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let (log, other) = (
        try WithPostgreSQL.log(server, database), try WithPostgreSQL.log(server, database)
      )
      let lease = try #require(try await log.acquireLease("l", holder: "a", for: .seconds(6_000)))
      try await server.execute(
        """
        CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$;
        CREATE TRIGGER wait BEFORE INSERT ON action_log.entry
          FOR EACH ROW EXECUTE FUNCTION wait()
        """,
        in: database
      )
      let holder = try await server.lock(1, in: database)
      let order = Transcript<String>()
      let isWaiting = "datname = '\(database)' AND wait_event_type = 'Lock'"

      let append = Task {
        let answers = try await log.append([.make("x", fence: lease)])
        order.append("appended")
        return answers
      }
      try await WithPostgreSQL.wait(server, isWaiting, count: 1)
      let release = Task {
        try await other.release(lease)
        order.append("released")
      }
      while order.entries.isEmpty,
        try await server.ask(
          "SELECT count(*)::text FROM pg_stat_activity WHERE \(isWaiting)", in: "postgres") != "2"
      {
        try await Task.sleep(for: .milliseconds(5))
      }
      holder.end()

      #expect(try await append.value == [.appended(sequence: 1)])
      try await release.value
      #expect(order.entries == ["appended", "released"])
    }
  }
}
