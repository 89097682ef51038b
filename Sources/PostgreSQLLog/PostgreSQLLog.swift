public import ActionLogs

/// A log in a PostgreSQL database, 13 or later.
///
/// ```swift
/// let log = try PostgreSQLLog(PostgreSQLAddress("postgres://server@db.example.org/products"))
/// try await log.open()
/// ```
///
/// It creates its tables in a schema `action_log`, so its role needs the right to create a schema
/// the first time, unless that schema exists. It uses three connections, and another one during a
/// snapshot. They must not go through a pooler, which is refused.
public final class PostgreSQLLog: ActionLog {
  public let limits: LogLimits
  let address: PostgreSQLAddress
  private let writer: Connection
  /// A separate connection, so that leases are renewed during a long append.
  let reader: Connection
  let known = KnownLog()
  private let poll: Duration

  /// - Parameters:
  ///   - address: The address of the database.
  ///   - limits: The limits, which must be the same for all servers.
  ///   - poll: After this time, readers check without a notification, because notifications may be
  ///     lost with a connection.
  public init(
    _ address: PostgreSQLAddress,
    limits: LogLimits = LogLimits(),
    poll: Duration = .milliseconds(100)
  ) {
    self.limits = limits
    self.address = address
    self.writer = Connection(address, known: self.known)
    self.reader = Connection(address, known: self.known)
    self.poll = poll
  }

  /// Connects, and creates the tables if they do not exist. The other operations also do so if
  /// necessary.
  ///
  /// - Throws: ``ActionLogError``: `unavailable` or `foreign`.
  public func open() async throws {
    _ = try await self.reader.run("SELECT 1")
  }

  /// The function runs only if the condition is met.
  private static let append = """
    SELECT (appended.entry).answer, (appended.entry).number FROM (
      SELECT action_log.append($1, $2, $3, $4, $5, $6, $7) AS entry
      WHERE \(KnownLog.condition(from: 8))
    ) appended
    """

  private static let page = """
    SELECT h.sequence, e.sequence, e.action_id, e.product, e.reducer, e.node, e.payload,
      greatest(0, extract(epoch FROM clock_timestamp() - e.appended) * 1000)::int8
    FROM action_log.head h LEFT JOIN (
      SELECT *, sum(octet_length(payload)) OVER (ORDER BY sequence) AS bytes
      FROM action_log.entry WHERE sequence > $1 AND sequence <= $1 + $2
    ) e ON e.bytes <= $3 OR e.sequence = $1 + 1
    WHERE h.is_head AND h.sequence >= $4 AND \(KnownLog.condition(from: 4))
    ORDER BY e.sequence
    """

  /// The log that this process knows was not there for a statement, but is there again.
  private static let changing = ActionLogError(
    code: .unavailable, message: "The tables of the log have just changed.")

  public var appender: (any TaskExecutor)? { self.writer.thread }

  public func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer] {
    for request in requests { try self.limits.check(request.entry) }
    if requests.isEmpty {
      // Whether nothing may be appended says little about entries. So one is appended and taken back.
      //
      // It waits for its turn, as an append does. A commit that waits for a lost standby holds up the
      // next ones, which then end at their time limit. Otherwise each would wait for the standby too,
      // for good, in a session of its own.
      _ = try await self.writer.run(
        """
        DO $$ BEGIN
          PERFORM FROM action_log.base WHERE is_head FOR UPDATE;
          BEGIN
            INSERT INTO action_log.entry (sequence, action_id, product, reducer, node, payload)
              VALUES (-pg_backend_pid(), 'probe/' || pg_backend_pid(), '', 0, '', '');
            RAISE SQLSTATE 'AL001';
          EXCEPTION WHEN SQLSTATE 'AL001' THEN
          END;
        END $$
        """
      )
    }
    let newest = self.known.sequence
    let rows = try await self.writer.runInKnownLog(
      Self.append,
      [
        .texts(requests.map(\.entry.id)),
        .texts(requests.map(\.entry.product)),
        .numbers(requests.map { Int64($0.entry.reducer) }),
        .texts(requests.map(\.entry.node)),
        .bytes(requests.map(\.entry.payload)),
        .texts(requests.map { $0.fence?.name }),
        .numbers(requests.map { $0.fence.map { Int64($0.epoch) } }),
      ]
    )
    guard rows.count == requests.count else { throw Self.changing }
    let answers: [AppendAnswer] = try rows.map { row in
      switch try row.number(0) {
      case 0: .appended(sequence: try row.sequence(1))
      case 1: .known(sequence: try row.sequence(1))
      case 2: .fenced
      default: .outdated(reducer: Int(try row.number(1)))
      }
    }
    for case .appended(let sequence) in answers where sequence <= newest {
      // A backup was restored while the connection stayed open. What this process knows of the sequence
      // is the result of another entry.
      throw ActionLogError.ahead(of: sequence, newest)
    }
    for (request, answer) in zip(requests, answers) {
      if let sequence = answer.sequence { self.known.note(sequence, request.entry.id) }
    }
    return answers
  }

  public func page(after sequence: UInt64, limit: Int) async throws -> LogPage {
    let rows = try await self.reader.runInKnownLog(
      Self.page,
      [.number(Int64(sequence)), .number(Int64(limit)), .number(Int64(self.limits.pageBytes))]
    )
    guard let head = try rows.first?.sequence(0) else { throw Self.changing }
    guard sequence <= head else { throw ActionLogError.ahead(of: head, sequence) }
    let entries = try rows.map { $0 }.filter { $0.isNull(1) == false }.map { row in
      SequencedEntry(
        sequence: try row.sequence(1),
        entry: LogEntry(
          id: try row.text(2),
          product: try row.text(3),
          reducer: Int(try row.number(4)),
          node: try row.text(5),
          payload: try row.bytes(6)
        ),
        age: .milliseconds(try row.number(7))
      )
    }
    guard sequence == head || entries.first?.sequence == sequence + 1 else {
      throw ActionLogError.trimmed(after: sequence)
    }
    if let last = entries.last { self.known.note(last.sequence, last.entry.id) }
    return LogPage(entries: entries, head: head)
  }

  /// In the known log there is at least one row.
  private static let sequences = """
    SELECT e.action_id, e.sequence FROM (SELECT WHERE \(KnownLog.condition(from: 2))) known
    LEFT JOIN action_log.entry e ON e.action_id = ANY($1)
    """

  public func sequences(ofEntries ids: [String]) async throws -> [String: UInt64] {
    let rows = try await self.reader.runInKnownLog(Self.sequences, [.texts(ids)])
    guard rows.count > 0 else { throw Self.changing }
    let found = rows.map { $0 }.filter { $0.isNull(0) == false }
    return try Dictionary(
      uniqueKeysWithValues: found.map { row in (try row.text(0), try row.sequence(1)) })
  }

  /// Each stream has its own connection. It also wakes while there is no connection. It does not
  /// wake after appends of this log, which knows their answers: readers would compete with them.
  public func wakes() -> AsyncStream<UInt64?> {
    let (stream, reader) = AsyncStream.makeStream(
      of: UInt64?.self, bufferingPolicy: .bufferingNewest(1))
    let connection = Connection(self.address, known: self.known)
    let task = Task(executorPreference: connection.thread) { [poll, writer] in
      while Task.isCancelled == false {
        do {
          reader.yield(try await connection.waitForEntry(poll, except: writer))
        } catch {
          try? await Task.sleep(for: poll)
          reader.yield(nil)
        }
      }
    }
    reader.onTermination = { _ in task.cancel() }
    return stream
  }
}
