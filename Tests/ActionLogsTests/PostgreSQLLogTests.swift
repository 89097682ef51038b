import ActionLogs
import Foundation
import Synchronization
import TestPostgreSQL
import TestSupport
import Testing

@testable import PostgreSQLLog

extension WithPostgreSQL {
  /// What only a database does: it is lost and found again, refuses, and keeps one waiting.
  @Suite struct PostgreSQLLogTests {
    @Test func `cut connections during concurrent appends lose and repeat nothing`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let (writers, rounds) = (4, 60)
      let answered = Transcript<(id: String, sequence: UInt64)>()
      let cutting = Task {
        var cuts = 0
        for count in stride(from: 0, to: writers * rounds, by: writers) {
          // Cut without a pause, connections would end sooner than they are made, and no append would
          // be answered.
          await answered.wait { $0.count >= count }
          let cut = try await server.ask(
            """
            SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity
            WHERE datname = '\(database)' AND pid <> pg_backend_pid()
            """,
            in: "postgres"
          )
          cuts += Int(cut) ?? 0
        }
        return cuts
      }
      try await withThrowingTaskGroup { group in
        for writer in 0..<writers {
          group.addTask {
            let log = try WithPostgreSQL.log(server, database)
            for round in 0..<rounds {
              let id = "\(writer)-\(round)"
              let sequence = try await WithPostgreSQL.appendPersistently(id, to: log)
              answered.append((id, sequence))
            }
          }
        }
        try await group.waitForAll()
      }

      #expect(try await cutting.value > 10)
      let ids = try await WithPostgreSQL.persistently {
        try await WithPostgreSQL.log(server, database).allIDs()
      }
      #expect(ids.count == writers * rounds && Set(ids).count == ids.count)
      #expect(answered.entries.allSatisfy { ids[Int($0.sequence) - 1] == $0.id })
    }

    @Test func `answered appends survive a crash of the database`() async throws {
      // It has a server of its own, because others must not crash.
      let server = try await PostgreSQLServer.make()
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      var wakes = log.wakes().makeAsyncIterator()
      _ = try await log.append("a", "b")

      try await server.crash()
      let away = await WithPostgreSQL.error { _ = try await log.append("c") }
      // Wakes go on meanwhile, so that readers notice.
      await wakes.next()
      await wakes.next()
      let reading = await WithPostgreSQL.error { _ = try await log.page(after: 0, limit: 1) }
      try await server.start()
      let sequence = try await WithPostgreSQL.appendPersistently("c", to: log)

      #expect(away?.code == .unavailable)
      #expect(reading?.code == .unavailable)
      #expect(sequence == 3)
      #expect(try await WithPostgreSQL.persistently { try await log.allIDs() } == ["a", "b", "c"])
      try await server.remove()
    }

    /// There are as many threads for tasks as cores; the connections wait on others.
    @Test func `appends that wait for the database hold up nothing else`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let logs = try (0..<16).map { _ in try WithPostgreSQL.log(server, database) }
      _ = try await logs[0].append("first")
      let holder = try await server.lockHead(in: database)
      let appends = logs.enumerated().map { number, log in
        Task { try await log.append("\(number)") }
      }
      // This, too, needs a thread.
      try await WithPostgreSQL.wait(
        server, "datname = '\(database)' AND wait_event_type = 'Lock'", count: logs.count)
      let other = try await MemoryLog().append("a")

      holder.end()
      #expect(other == [.appended(sequence: 1)])
      var sequences: Set<UInt64> = []
      for append in appends { sequences.formUnion(try await append.value.compactMap(\.sequence)) }
      #expect(sequences == Set(2...17))
    }

    @Test func `a database that does not answer in time is unavailable`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("a")
      var address = try PostgreSQLAddress(server.url(database))
      address.timeout = .seconds(1)
      let holder = try await server.lockHead(in: database)

      let slow = await WithPostgreSQL.error { _ = try await PostgreSQLLog(address).append("b") }
      holder.end()

      #expect(slow?.code == .unavailable)
      #expect(try await log.append("b") == [.appended(sequence: 2)])
    }

    @Test func `a server that accepts connections but never answers is unavailable`() async throws {
      let silent = try SilentServer()
      var address = try PostgreSQLAddress("postgres://postgres@127.0.0.1:\(silent.port)/postgres")
      address.timeout = .seconds(2)
      let log = PostgreSQLLog(address)

      let error = await WithPostgreSQL.error { try await log.open() }
      let again = await WithPostgreSQL.error { try await log.open() }

      #expect(error?.code == .unavailable && again?.code == .unavailable)
    }

    @Test func `concurrent clients of a new database create one log`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()

      try await withThrowingTaskGroup { group in
        for number in 0..<8 {
          group.addTask { _ = try await WithPostgreSQL.log(server, database).append("\(number)") }
        }
        try await group.waitForAll()
      }

      #expect(try await WithPostgreSQL.log(server, database).allIDs().count == 8)
    }

    @Test func `a log of a newer release is refused`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      try await WithPostgreSQL.log(server, database).open()
      try await server.execute("UPDATE action_log.base SET format = 2", in: database)

      let error = await WithPostgreSQL.error {
        try await WithPostgreSQL.log(server, database).open()
      }

      #expect(error?.code == .foreign)
      #expect(error?.message.contains("format 2") == true)
    }

    /// PostgreSQL keeps each version of a row that a transaction, or a standby, may still read.
    @Test func `appends leave nothing behind, even while a transaction stays open`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("first")
      let size = """
        SELECT sum(pg_relation_size(relid))::text FROM pg_statio_user_tables
        WHERE schemaname = 'action_log' AND relname <> 'entry'
        """
      let before = try await server.ask(size, in: database)
      let reader = try await server.readConsistently(in: database)

      for number in 0..<2_000 { _ = try await log.append("\(number)") }

      #expect(try await server.ask(size, in: database) == before)
      reader.end()
    }

    @Test func `a log does not wake its readers after its own appends`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = PostgreSQLLog(try PostgreSQLAddress(server.url(database)), poll: .seconds(60))
      try await log.open()
      let other = try WithPostgreSQL.log(server, database)
      let reading = Task {
        var wakes: [UInt64?] = []
        for await newest in log.wakes() {
          wakes.append(newest)
          if newest == 11 { break }
        }
        return wakes
      }
      try await WithPostgreSQL.wait(
        server, "datname = '\(database)' AND query LIKE 'LISTEN%' AND state = 'idle'", count: 1)

      // Its first append opens the connection.
      for number in 0..<10 { _ = try await log.append("\(number)") }
      _ = try await other.append("other")

      #expect(await reading.value == [11])
    }

    @Test func `a log of an older release goes on after its newest entry, with its reducer`()
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      // All its entries are in a snapshot.
      try await server.execute(
        """
        CREATE SCHEMA action_log;
        CREATE TABLE action_log.head (
          is_head boolean PRIMARY KEY DEFAULT true CHECK (is_head), format int8 NOT NULL,
          sequence int8 NOT NULL, reducer int8 NOT NULL
        );
        INSERT INTO action_log.head (format, sequence, reducer) VALUES (1, 7, 2)
        """,
        in: database
      )

      let answers = try await WithPostgreSQL.log(server, database).append([
        .make("a", reducer: 1), .make("b", reducer: 2),
      ])

      #expect(answers == [.outdated(reducer: 2), .appended(sequence: 8)])
      // The servers of that release read it here.
      #expect(
        try await server.ask(
          "SELECT format || ' ' || sequence || ' ' || reducer FROM action_log.head WHERE is_head",
          in: database) == "1 8 2")
    }

    /// As in a rolling deployment.
    @Test func `appends of an older release that wait while the tables change are repeated`()
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      let older = try (0..<3).map { _ in
        Connection(try PostgreSQLAddress(server.url(database)))
      }
      for (number, connection) in older.enumerated() {
        _ = try await Self.appendAsBefore("first \(number)", connection)
      }
      try await server.execute(Self.olderTables, in: database)
      let isWaiting = "datname = '\(database)' AND wait_event_type = 'Lock'"
      let holder = try await server.lockHead("head", in: database)
      let opening = Task { try await log.open() }
      try await WithPostgreSQL.wait(server, isWaiting, count: 1)
      let appends = older.enumerated().map { number, connection in
        Task { try await Self.appendAsBefore("second \(number)", connection) }
      }
      try await WithPostgreSQL.wait(server, isWaiting, count: 1 + older.count)

      holder.end()
      try await opening.value

      var sequences: Set<UInt64> = []
      for append in appends { sequences.formUnion(try await append.value) }
      #expect(sequences == [4, 5, 6])
      #expect(try await Self.appendAsBefore("third", older[0]) == [7])
      #expect(try await log.append("fourth") == [.appended(sequence: 8)])
    }

    /// Appends an entry with the statement of an older release.
    private static func appendAsBefore(
      _ id: String, _ connection: Connection
    ) async throws -> [UInt64] {
      try await connection.run(
        "SELECT answer, number FROM action_log.append($1, $2, $3, $4, $5, $6, $7)",
        [
          .texts([id]), .texts(["counter"]), .numbers([1]), .texts(["n1"]),
          .bytes([Data("{}".utf8)]),
          .texts([nil]), .numbers([nil]),
        ]
      ).map { try $0.sequence(1) }
    }

    /// Gives a log the table and the function of an older release, whose appends changed the table.
    private static let olderTables = """
      BEGIN;
      CREATE TEMPORARY TABLE kept ON COMMIT DROP AS SELECT * FROM action_log.head;
      DROP VIEW action_log.head;
      ALTER TABLE action_log.base RENAME TO head;
      UPDATE action_log.head h SET sequence = kept.sequence, reducer = kept.reducer FROM kept;
      CREATE OR REPLACE FUNCTION action_log.append(
        ids text[], products text[], reducers int8[], nodes text[], payloads bytea[],
        leases text[], epochs int8[]
      ) RETURNS TABLE (answer int8, number int8) LANGUAGE plpgsql AS $$
      DECLARE
        head action_log.head%ROWTYPE;
      BEGIN
        SELECT * INTO STRICT head FROM action_log.head FOR UPDATE;
        FOR i IN 1 .. cardinality(ids) LOOP
          head.sequence := head.sequence + 1;
          INSERT INTO action_log.entry (sequence, action_id, product, reducer, node, payload)
            VALUES (head.sequence, ids[i], products[i], reducers[i], nodes[i], payloads[i]);
          answer := 0;
          number := head.sequence;
          RETURN NEXT;
        END LOOP;
        UPDATE action_log.head h SET sequence = head.sequence, reducer = head.reducer;
      END $$;
      COMMIT;
      """

    /// A server of an older release keeps no entry when it trims.
    @Test func `a log without entries goes on after its newest snapshot, with its reducer`()
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append([.make("a", reducer: 2), .make("b", reducer: 2)])
      _ = try await log.save(LogSnapshot(sequence: 2, reducer: 2, digest: "d", state: Data()))
      try await server.execute("DELETE FROM action_log.entry", in: database)

      let page = try await log.page(after: 2, limit: 1)
      let answers = try await log.append([.make("c", reducer: 1), .make("d", reducer: 2)])

      #expect(page == LogPage(entries: [], head: 2))
      #expect(answers == [.outdated(reducer: 2), .appended(sequence: 3)])
    }

    @Test func `appends that waited see each other, whatever the isolation level`()
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      try await server.execute(
        "ALTER DATABASE \(database) SET default_transaction_isolation = 'repeatable read'",
        in: "postgres")
      let logs = try (0..<3).map { _ in try WithPostgreSQL.log(server, database) }
      for (number, log) in logs.enumerated() { _ = try await log.append("first \(number)") }
      let holder = try await server.lockHead(in: database)
      let appends = logs.enumerated().map { number, log in
        Task { try await log.append("second \(number)") }
      }
      try await WithPostgreSQL.wait(
        server, "datname = '\(database)' AND wait_event_type = 'Lock'", count: logs.count)

      holder.end()

      var sequences: Set<UInt64> = []
      for append in appends { sequences.formUnion(try await append.value.compactMap(\.sequence)) }
      #expect(sequences == [4, 5, 6])
    }

    @Test func `the host that answers is used when several are given`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let url = "postgres://postgres@127.0.0.1:1,127.0.0.1:\(server.port)/\(database)"

      #expect(
        try await PostgreSQLLog(PostgreSQLAddress(url)).append("a") == [.appended(sequence: 1)])
    }

    @Test func `a read-only server such as a standby is not used`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("a")
      try await server.execute(
        "ALTER DATABASE \(database) SET default_transaction_read_only = on", in: "postgres")

      let address = try PostgreSQLAddress(
        server.url(database, options: "&target_session_attrs=any"))
      let error = await WithPostgreSQL.error { try await PostgreSQLLog(address).open() }

      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("read-only") == true)
    }

    /// As after the promotion of a standby that lacks them.
    @Test(arguments: [1, 2])
    func `a log that has lost entries is refused, even if others have continued it`(count: Int)
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let (appending, reading) = (
        try WithPostgreSQL.log(server, database), try WithPostgreSQL.log(server, database)
      )
      _ = try await appending.append("a", "lost")
      _ = try await reading.page(after: 0, limit: 10)
      try await server.execute(
        "DELETE FROM action_log.entry WHERE action_id = 'lost'", in: database)
      for number in 0..<count {
        _ = try await WithPostgreSQL.log(server, database).append("new \(number)")
      }
      try await server.endSessions(of: database)

      let errors = [
        await WithPostgreSQL.error { _ = try await appending.append("b") },
        await WithPostgreSQL.error { _ = try await reading.page(after: 2, limit: 10) },
      ]

      #expect(errors.map { $0?.code } == [.ahead, .ahead])
      #expect(
        errors.allSatisfy { $0?.message.hasPrefix("Entry 2 of the log is not the one") == true })
    }

    /// For example, a backup was restored. The connection stays open.
    @Test func `an append to a log that has lost entries meanwhile fails`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      for id in ["a", "b", "c"] { _ = try await log.append(id) }
      try await server.execute(
        "DELETE FROM action_log.entry WHERE sequence > 1", in: database)

      let error = await WithPostgreSQL.error { _ = try await log.append("d") }

      #expect(error == .ahead(of: 2, 3))
    }

    /// A backup is being restored, for example.
    @Test func `a server that has used a log does not begin a new one when its tables are gone`()
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("a")
      _ = try await log.page(after: 0, limit: 10)
      try await server.execute(
        "ALTER SCHEMA action_log RENAME TO elsewhere", in: database)

      let errors = [
        await WithPostgreSQL.error { _ = try await log.append("b") },
        await WithPostgreSQL.error { _ = try await log.page(after: 1, limit: 10) },
        await WithPostgreSQL.error {
          _ = try await log.save(LogSnapshot(sequence: 1, reducer: 1, digest: "d", state: Data()))
        },
      ]
      try await server.endSessions(of: database)
      _ = await WithPostgreSQL.error { _ = try await log.append("b") }
      try await server.execute("ALTER SCHEMA elsewhere RENAME TO action_log", in: database)

      #expect(errors.map { $0?.code } == Array(repeating: .unavailable, count: 3))
      #expect(try await WithPostgreSQL.appendPersistently("b", to: log) == 2)
    }

    @Test func `a server that has only read a log does not begin a new one when it appends`()
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      try await log.open()
      try await server.execute("ALTER SCHEMA action_log RENAME TO elsewhere", in: database)

      let error = await WithPostgreSQL.error { _ = try await log.append("a") }
      try await server.execute("ALTER SCHEMA elsewhere RENAME TO action_log", in: database)

      #expect(error?.code == .unavailable)
      #expect(try await WithPostgreSQL.appendPersistently("a", to: log) == 1)
    }

    /// A backup is being restored table by table.
    @Test func `a log whose tables are still empty is unavailable`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      try await WithPostgreSQL.log(server, database).open()
      try await server.execute("DELETE FROM action_log.base", in: database)

      let error = await WithPostgreSQL.error {
        try await WithPostgreSQL.log(server, database).open()
      }

      #expect(error?.code == .unavailable)
    }

    @Test(arguments: ["53100", "54000", "58030", "XX001", "25P04"])
    func `a database whose disk fails, or that ends the session, is unavailable`(state: String)
      async throws
    {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      try await log.open()
      try await server.execute(
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'disk' USING ERRCODE = '\(state)'; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON action_log.entry EXECUTE FUNCTION fail()
        """,
        in: database
      )

      let error = await WithPostgreSQL.error { _ = try await log.append("a") }

      #expect(error?.code == .unavailable)
    }

    /// A server finds out by an append of nothing whether it may append again.
    @Test func `an append of nothing fails while no entries may be appended`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let (log, other) = (
        try WithPostgreSQL.log(server, database), try WithPostgreSQL.log(server, database)
      )
      _ = try await log.append("a")
      try await server.execute(
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no'; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON action_log.entry
          FOR EACH ROW EXECUTE FUNCTION fail()
        """,
        in: database
      )

      let errors = [
        await WithPostgreSQL.error { _ = try await log.append([]) },
        await WithPostgreSQL.error { _ = try await log.append("b") },
      ]
      try await server.execute("DROP TRIGGER fail ON action_log.entry", in: database)
      _ = try await (log.append([]), other.append([]))

      #expect(errors.map { $0?.code } == [.foreign, .foreign])
      #expect(try await log.append("b") == [.appended(sequence: 2)])
      #expect(try await log.allIDs() == ["a", "b"])
    }

    /// A session in which a commit waits for a standby does not notice that nobody waits for its answer.
    @Test func `while a synchronous standby is lost, failed appends do not pile up sessions`()
      async throws
    {
      let server = try await PostgreSQLServer.make()
      let database = try await server.makeDatabase()
      func ask(_ statement: String) async throws -> String {
        try await server.ask(statement, in: "postgres")
      }
      func setStandby(_ name: String) async throws {
        try await server.execute(
          "ALTER SYSTEM SET synchronous_standby_names = '\(name)'", in: "postgres")
        _ = try await ask("SELECT pg_reload_conf()::text")
        while try await ask("SELECT current_setting('synchronous_standby_names')") != name {}
      }
      let waiting = "SELECT count(*)::text FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      var address = try PostgreSQLAddress(server.url(database))
      address.timeout = .seconds(1)
      let log = PostgreSQLLog(address)
      _ = try await log.append("a")
      try await setStandby("lost")

      var message = ""
      while message.hasPrefix("The log is too slow") == false,
        ["0", "1"].contains(try await ask(waiting))
      {
        message = await WithPostgreSQL.error { _ = try await log.append([]) }?.message ?? ""
        try await Task.sleep(for: .milliseconds(20))
      }

      #expect(try await ask(waiting) == "1")
      try await setStandby("")
      #expect(try await WithPostgreSQL.appendPersistently("b", to: log) == 2)
      try await server.remove()
    }

    /// It may run each statement in another session.
    @Test func `a connection pooler is refused`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let pooler = try FakePooler(serverPort: server.port)
      let url = "postgres://postgres@127.0.0.1:\(pooler.port)/\(database)?sslmode=disable"

      let error = await WithPostgreSQL.error {
        try await PostgreSQLLog(PostgreSQLAddress(url)).open()
      }

      #expect(error?.code == .foreign)
      #expect(error?.message.contains("Use the address of the database itself.") == true)
    }

    @Test func `roles need no right to create what exists`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let (owner, user) = ("owner_\(database)", "user_\(database)")
      func address(_ role: String) throws -> PostgreSQLAddress {
        try PostgreSQLAddress(server.url(database, user: role))
      }
      try await server.execute(
        """
        CREATE ROLE \(owner) LOGIN; CREATE ROLE \(user) LOGIN;
        CREATE SCHEMA action_log AUTHORIZATION \(owner)
        """,
        in: database
      )

      try await PostgreSQLLog(address(owner)).open()
      try await PostgreSQLPictures(address(owner)).open()
      try await server.execute(
        """
        GRANT USAGE ON SCHEMA action_log TO \(user);
        GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA action_log TO \(user);
        GRANT USAGE ON ALL SEQUENCES IN SCHEMA action_log TO \(user)
        """,
        in: database
      )
      let log = PostgreSQLLog(try address(user))
      let answers = try await log.append("a")
      try await PostgreSQLPictures(address(user)).open()

      #expect(answers == [.appended(sequence: 1)])
      #expect(try await log.acquireLease("l", holder: "h", for: .seconds(60)) != nil)

      // A server finds out by an append of nothing whether it may append again.
      try await server.execute("REVOKE INSERT ON action_log.entry FROM \(user)", in: database)
      let refused = await #expect(throws: ActionLogError.self) { try await log.append([]) }
      #expect(refused?.code == .foreign)
    }

    /// Each server asks for some leases every second.
    @Test func `a lease that somebody else holds is only read`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.acquireLease("l", holder: "a", for: .seconds(6_000))

      let lease = try await log.acquireLease("l", holder: "b", for: .seconds(6_000))

      #expect(lease == nil)
      // Otherwise, this would be the transaction that has locked the row.
      #expect(try await server.ask("SELECT xmax::text FROM action_log.lease", in: database) == "0")
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
      let isWaiting = "datname = '\(database)' AND wait_event_type = 'Lock'"
      let append = Task { try await log.append([.make("x", fence: lease)]) }
      try await WithPostgreSQL.wait(server, isWaiting, count: 1)

      let isReleased = Mutex(false)
      let release = Task {
        defer { isReleased.withLock { $0 = true } }
        try await other.release(lease)
      }
      // Until it waits too, or has not waited.
      while isReleased.withLock({ $0 }) == false,
        try await server.ask(
          "SELECT count(*)::text FROM pg_stat_activity WHERE \(isWaiting)", in: "postgres") != "2"
      {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(isReleased.withLock { $0 } == false)
      holder.end()

      #expect(try await append.value == [.appended(sequence: 1)])
      try await release.value
      #expect(try await log.renew(lease, for: .seconds(6_000)) == false)
    }

    /// As after the promotion of a standby that does not have the newest leases.
    @Test func `a lease that the database has lost is not the next one`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let before = try WithPostgreSQL.log(server, database)
      try await before.open()
      let after = try WithPostgreSQL.log(server, try await server.copy(database))
      let lost = try #require(
        try await before.acquireLease("l", holder: "a", for: .seconds(6_000)))
      let held = try #require(try await after.acquireLease("l", holder: "b", for: .seconds(6_000)))

      let answers = try await after.append([
        .make("lost", fence: lost), .make("held", fence: held),
      ])
      let isRenewed = try await after.renew(lost, for: .seconds(6_000))
      try await after.release(lost)
      let isStillHeld = try await after.renew(held, for: .seconds(6_000))
      try await after.release(held)
      let next = try await after.acquireLease("l", holder: "a", for: .seconds(6_000))

      #expect(answers == [.fenced, .appended(sequence: 1)])
      #expect(isRenewed == false && isStillHeld)
      // What it has written in between was fenced off.
      #expect(next?.holder == "a" && next != lost)
    }

    @Test func `a lease for which the disk has no room does not hold up reading`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("a")
      try await server.execute(
        """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'disk' USING ERRCODE = '53100'; END $$;
        CREATE TRIGGER fail BEFORE INSERT ON action_log.lease EXECUTE FUNCTION fail()
        """,
        in: database
      )

      let error = await WithPostgreSQL.error {
        _ = try await log.acquireLease("l", holder: "a", for: .seconds(6_000))
      }

      #expect(error?.code == .unavailable)
      #expect(try await log.allIDs() == ["a"])
    }

    /// Otherwise, the entries of a log that has not been trimmed for long could never be removed
    /// within the time limit.
    @Test func `many old entries are removed in several transactions`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      try await log.open()
      try await server.execute(
        """
        INSERT INTO action_log.entry (sequence, action_id, product, reducer, node, payload)
          SELECT n, n::text, 'counter', 1, 'n1', '' FROM generate_series(1, 25000) n;
        CREATE TABLE removal (id text, count int8);
        CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          INSERT INTO removal SELECT pg_current_xact_id()::text, count(*) FROM gone;
          RETURN NULL;
        END $$;
        CREATE TRIGGER note AFTER DELETE ON action_log.entry REFERENCING OLD TABLE AS gone
          FOR EACH STATEMENT EXECUTE FUNCTION note()
        """,
        in: database
      )
      _ = try await log.save(LogSnapshot(sequence: 25_000, reducer: 1, digest: "d", state: Data()))

      try await log.trim(keeping: 1, youngerThan: .zero)

      let removals = """
        SELECT string_agg(count::text, ' ' ORDER BY id::int8) FROM (
          SELECT id, sum(count) AS count FROM removal GROUP BY id
        ) AS removals
        """
      #expect(try await server.ask(removals, in: database) == "10000 10000 4999")
      #expect(try await log.allIDs(after: 24_999) == ["25000"])
    }

    /// As docs/CLUSTER.md says.
    @Test func `an operator can remove an action from the log`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let log = try WithPostgreSQL.log(server, database)
      _ = try await log.append("a", "b")

      try await server.execute(
        "UPDATE action_log.entry SET payload = 'removed' WHERE sequence = 2", in: database)

      let entries = try await log.page(after: 1, limit: 10).entries
      #expect(entries.map(\.entry.payload) == [Data("removed".utf8)])
      #expect(try await log.append("b") == [.known(sequence: 2)])
    }

    @Test func `connections are encrypted as the address requests`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let options = "sslmode=verify-full&sslrootcert=\(server.certificate)"
      let log = PostgreSQLLog(
        try PostgreSQLAddress(server.networkURL(database, options: options)))
      _ = try await log.append("a")

      let encrypted = try await server.ask(
        """
        SELECT bool_and(s.ssl)::text FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid)
        WHERE a.datname = '\(database)' AND a.application_name = 'ImmutableData'
        """,
        in: "postgres"
      )

      #expect(encrypted == "true")
    }

    @Test func `the password comes from a file and appears in no message`() async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let secret = "se:cret"
      try await server.execute(
        """
        CREATE ROLE careful LOGIN PASSWORD '\(secret)'; GRANT CREATE ON DATABASE \(database) TO careful
        """,
        in: "postgres"
      )
      let file = FileManager.default.temporaryDirectory.appending(
        path: "pgpass-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: file) }
      func open(_ password: String) async throws {
        try Data("*:*:*:*:\(password)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        let url = server.url(database, user: "careful", options: "&passfile=\(file.path)")
        try await PostgreSQLLog(PostgreSQLAddress(url)).open()
      }

      try await open(#"se\:cret"#)
      let error = await WithPostgreSQL.error { try await open("wrong-se") }

      #expect(error?.code == .unavailable)
      #expect(error?.message.contains("wrong-se") == false)
    }

    @Test(arguments: [
      "postgres://user:secret@host/database", "postgres://user@host/database?password=secret",
      "postgres://user@host/database?sslpassword=secret",
      "host=localhost password=secret", "postgres://user:secret@host:%zz/", "secret", "",
      "mysql://user:secret@host/",
    ])
    func `an address that is invalid or has a password is refused without repeating it`(url: String)
      throws
    {
      let error = #expect(throws: ActionLogError.self) { _ = try PostgreSQLAddress(url) }

      #expect(error?.code == .foreign)
      #expect(error?.message.contains("secret") == false)
    }
  }
}

/// Accepts connections and never answers.
private final class SilentServer {
  let port: Int
  private let descriptor: Int32

  init() throws {
    self.descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    self.port = try #require(bindToFreePort(self.descriptor))
    listen(self.descriptor, 8)
  }

  deinit {
    close(self.descriptor)
  }
}
