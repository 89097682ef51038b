public import ActionLogs

extension PostgreSQLLog {
  /// A large snapshot takes long. So it has a connection of its own, which neither delays reads and
  /// leases nor has their time limit.
  private func makeKeeper() -> Connection {
    Connection(self.address, timeout: .seconds(120), known: self.known)
  }

  public func digest(ofSnapshot sequence: UInt64) async throws -> String? {
    let rows = try await self.reader.run(
      "SELECT digest FROM action_log.snapshot WHERE sequence = $1", [.number(Int64(sequence))])
    return try rows.first?.text(0)
  }

  public func save(_ snapshot: LogSnapshot) async throws -> String {
    try self.limits.check(snapshot)
    let rows = try await self.makeKeeper().run(
      """
      WITH kept AS (
        INSERT INTO action_log.snapshot (sequence, reducer, digest, state)
        SELECT $1, $2, $3, $4 FROM action_log.head WHERE sequence >= $1
        ON CONFLICT (sequence) DO UPDATE SET sequence = excluded.sequence
        RETURNING digest
      )
      SELECT h.sequence, k.digest FROM action_log.head h LEFT JOIN kept k ON true
      """,
      [
        .number(Int64(snapshot.sequence)), .number(Int64(snapshot.reducer)), .text(snapshot.digest),
        .bytes(snapshot.state),
      ]
    )
    let head = try rows.first?.sequence(0) ?? 0
    guard let row = rows.first, row.isNull(1) == false else {
      throw ActionLogError.ahead(of: head, snapshot.sequence)
    }
    return try row.text(1)
  }

  public func newestSnapshot() async throws -> LogSnapshot? {
    let rows = try await self.makeKeeper().run(
      """
      SELECT sequence, reducer, digest, state FROM action_log.snapshot
      ORDER BY sequence DESC LIMIT 1
      """
    )
    return try rows.first.map { row in
      LogSnapshot(
        sequence: try row.sequence(0),
        reducer: Int(try row.number(1)),
        digest: try row.text(2),
        state: try row.bytes(3)
      )
    }
  }

  public func trim(keeping snapshots: Int, youngerThan age: Duration) async throws {
    let keeper = self.makeKeeper()
    _ = try await keeper.run(
      """
      DELETE FROM action_log.snapshot WHERE sequence < (
        SELECT min(sequence) FROM (
          SELECT sequence FROM action_log.snapshot ORDER BY sequence DESC LIMIT $1
        ) kept
      )
      """,
      [.number(Int64(snapshots))]
    )
    _ = try await keeper.run(
      """
      DELETE FROM action_log.lease WHERE ends < clock_timestamp() - $1 * interval '1 microsecond'
      """,
      [.number(age.microseconds)]
    )
    try await self.removeEntries(keeper, youngerThan: age)
  }

  /// The number of entries that are removed in one transaction. Many more would take longer than the
  /// time limit.
  private static var removal: UInt64 { 10_000 }

  /// Removes entries in order, starting with the oldest. The newest one shows where the log ends.
  private func removeEntries(_ keeper: Connection, youngerThan age: Duration) async throws {
    let rows = try await keeper.run(
      """
      SELECT (SELECT min(sequence) FROM action_log.entry), least(
        s.sequence + 1,
        coalesce(
          (
            SELECT min(sequence) FROM action_log.entry
            WHERE appended >= clock_timestamp() - $1 * interval '1 microsecond'
          ),
          (SELECT max(sequence) FROM action_log.entry)
        )
      )
      FROM (SELECT min(sequence) AS sequence FROM action_log.snapshot) s
      WHERE s.sequence IS NOT NULL AND EXISTS (SELECT FROM action_log.entry)
      """,
      [.number(age.microseconds)]
    )
    guard let row = rows.first else { return }
    let (first, end) = (try row.sequence(0), try row.sequence(1))
    for begin in stride(from: first, to: end, by: Int(Self.removal)) {
      _ = try await keeper.run(
        "DELETE FROM action_log.entry WHERE sequence >= $1 AND sequence < $2",
        [.number(Int64(begin)), .number(Int64(min(begin + Self.removal, end)))]
      )
    }
  }
}
