import ActionLogs
import Foundation
import PostgreSQLLog
import TestPostgreSQL
import Testing

extension WithPostgreSQL {
  /// A server goes on with no log but its own.
  @Suite struct LogIdentityTests {
    /// As when an address leads to another machine from now on.
    @Test func `another log behind the same address is refused, and stays as it is`() async throws {
      let (server, database) = try await Self.makeLog("a", "b", "c")
      let (_, other) = try await Self.makeLog("d", "e", "f", "g")
      let (appending, reading) = (
        try WithPostgreSQL.log(server, database), try WithPostgreSQL.log(server, database)
      )
      _ = try await appending.append("h")
      _ = try await reading.page(after: 0, limit: 10)
      // It has been trimmed, so that nobody can tell what the other entries were.
      try await server.execute("DELETE FROM action_log.entry WHERE sequence < 4", in: other)
      try await server.execute(
        "UPDATE action_log.entry SET sequence = 9 WHERE sequence = 4", in: other)

      try await server.swap(database, with: other)
      let errors = [
        await WithPostgreSQL.error { _ = try await appending.append("i") },
        await WithPostgreSQL.error { _ = try await reading.page(after: 4, limit: 10) },
        await WithPostgreSQL.error {
          _ = try await reading.acquireLease("l", holder: "h", for: .seconds(1))
        },
        await WithPostgreSQL.error {
          _ = try await reading.save(
            LogSnapshot(sequence: 4, reducer: 1, digest: "d", state: Data()))
        },
      ]

      #expect(errors == Array(repeating: .another, count: 4))
      let new = try WithPostgreSQL.log(server, database)
      #expect(try await new.allIDs(after: 8) == ["g"])
      #expect(try await new.newestSnapshot() == nil)

      // The old one is back.
      try await server.swap(database, with: other)
      #expect(try await WithPostgreSQL.appendPersistently("i", to: appending) == 5)
    }

    /// A server that has just begun has read no entry that it could find again.
    @Test func `a server recognizes its log by more than entries`() async throws {
      let (server, database) = try await Self.makeLog()
      let (_, other) = try await Self.makeLog("a", "b")
      let log = try WithPostgreSQL.log(server, database)
      try await log.open()

      try await server.swap(database, with: other)

      #expect(
        await WithPostgreSQL.error { _ = try await log.page(after: 0, limit: 10) } == .another)
      #expect(await WithPostgreSQL.error { _ = try await log.append("c") } == .another)
      #expect(try await WithPostgreSQL.log(server, database).allIDs() == ["a", "b"])
    }

    /// As by `pg_restore --clean --single-transaction`.
    @Test(arguments: [true, false])
    func `a log that is replaced while connections stay open is refused, and stays as it is`(
      isOther: Bool
    ) async throws {
      let (server, database) = try await Self.makeLog("a", "b", "c")
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("d")
      _ = try await log.page(after: 0, limit: 10)
      let lease = try #require(try await log.acquireLease("l", holder: "h", for: .seconds(6_000)))
      func leasesAndFacts() async throws -> String {
        try await server.ask(
          """
          SELECT (SELECT string_agg(l::text, ' ') FROM action_log.lease l) || ' '
            || (SELECT string_agg(name, ' ') FROM action_log.fact)
          """,
          in: database
        )
      }
      let before = try await leasesAndFacts()

      try await server.execute(
        """
        BEGIN;
        DELETE FROM action_log.entry;
        INSERT INTO action_log.entry (sequence, action_id, product, reducer, node, payload)
          SELECT n, 'new ' || n, 'counter', 1, 'n2', '{}' FROM generate_series(1, 4) n;
        \(isOther ? "UPDATE action_log.fact SET value = 'other';" : "")
        COMMIT
        """,
        in: database
      )
      let errors = [
        await WithPostgreSQL.error { _ = try await log.append("e") },
        await WithPostgreSQL.error { _ = try await log.page(after: 4, limit: 10) },
        await WithPostgreSQL.error { _ = try await log.sequences(ofEntries: ["e"]) },
        await WithPostgreSQL.error {
          _ = try await log.acquireLease("l", holder: "h", for: .seconds(9_000))
        },
        await WithPostgreSQL.error {
          _ = try await log.acquireLease("m", holder: "h", for: .seconds(6_000))
        },
        await WithPostgreSQL.error { _ = try await log.renew(lease, for: .seconds(9_000)) },
        await WithPostgreSQL.error { try await log.release(lease) },
        await WithPostgreSQL.error { _ = try await log.fact("f", orElse: Data()) },
      ]

      let expected: ActionLogError = isOther ? .another : .replaced(4)
      #expect(errors == Array(repeating: expected, count: 8))
      #expect(try await leasesAndFacts() == before)
      #expect(try await WithPostgreSQL.log(server, database).allIDs(after: 3) == ["new 4"])
    }

    @Test func `servers that begin a log, or one of an older release, give it one identity`()
      async throws
    {
      let (server, database) = try await Self.makeLog("a")
      try await server.execute("DELETE FROM action_log.fact", in: database)

      let logs = try (0..<8).map { _ in try WithPostgreSQL.log(server, database) }
      try await withThrowingTaskGroup { group in
        for log in logs { group.addTask { try await log.open() } }
        try await group.waitForAll()
      }
      for (number, log) in logs.enumerated() { _ = try await log.append("\(number)") }

      #expect(try await WithPostgreSQL.log(server, database).allIDs().count == 9)
      #expect(
        try await server.ask("SELECT count(*)::text FROM action_log.fact", in: database) == "1")
    }

    /// A backup is being restored table by table.
    @Test func `a log without its identity is unavailable until it has it again`() async throws {
      let (server, database) = try await Self.makeLog()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("a")
      try await server.execute(
        """
        CREATE TABLE kept AS SELECT * FROM action_log.fact; DELETE FROM action_log.fact
        """,
        in: database
      )

      let appending = await WithPostgreSQL.error { _ = try await log.append("b") }
      let reading = await WithPostgreSQL.error { _ = try await log.page(after: 1, limit: 10) }
      try await server.execute(
        "INSERT INTO action_log.fact SELECT * FROM kept", in: database)

      #expect([appending?.code, reading?.code] == [.unavailable, .unavailable])
      #expect(try await WithPostgreSQL.appendPersistently("b", to: log) == 2)
    }

    /// A new log with some entries.
    private static func makeLog(_ ids: String...) async throws -> (PostgreSQLServer, String) {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      try await log.open()
      for id in ids { _ = try await log.append(id) }
      return (server, database)
    }
  }
}

extension PostgreSQLServer {
  /// Gives each of two databases the name of the other, and ends their sessions.
  fileprivate func swap(_ one: String, with other: String) async throws {
    // A server may connect again before a database is renamed.
    let names = [(one, "\(one)_"), (other, one), ("\(one)_", other)]
    for (old, new) in names {
      try await self.execute("ALTER DATABASE \(old) ALLOW_CONNECTIONS false", in: "postgres")
      try await self.endSessions(of: old)
      try await self.execute(
        "ALTER DATABASE \(old) RENAME TO \(new); ALTER DATABASE \(new) ALLOW_CONNECTIONS true",
        in: "postgres")
    }
  }
}
