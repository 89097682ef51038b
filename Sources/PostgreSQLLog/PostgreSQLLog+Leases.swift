public import ActionLogs
public import Foundation

extension PostgreSQLLog {
  public func acquireLease(
    _ name: String,
    holder: String,
    for duration: Duration
  ) async throws -> Lease? {
    try self.limits.check(names: name, holder)
    // Every server tries this each second. While somebody else holds the lease, it only reads: even a
    // row that is locked and not changed would be written to the disk.
    //
    // What ends later than a lease can, after the clock was set back, is no longer held.
    //
    // The epoch is the time, in microseconds. A sequence would give a number again after the promotion
    // of a standby that does not have the newest ones.
    let rows = try await self.reader.runInKnownLog(
      """
      INSERT INTO action_log.lease AS l (name, holder, epoch, ends)
      SELECT $1, $2, (extract(epoch FROM clock_timestamp()) * 1000000)::int8,
        clock_timestamp() + $3 * interval '1 microsecond'
      WHERE NOT EXISTS (
        SELECT FROM action_log.lease
        WHERE name = $1 AND holder <> $2 AND ends > clock_timestamp()
          AND ($3 = 0 OR ends < clock_timestamp() + 2 * $3 * interval '1 microsecond')
      )
      AND \(KnownLog.condition(from: 4))
      ON CONFLICT (name) DO UPDATE SET
        holder = excluded.holder, ends = clock_timestamp() + $3 * interval '1 microsecond',
        epoch = CASE WHEN l.holder = excluded.holder AND l.ends > clock_timestamp() THEN l.epoch
          ELSE greatest(excluded.epoch, l.epoch + 1) END
      WHERE l.holder = excluded.holder OR l.ends <= clock_timestamp()
        OR $3 > 0 AND l.ends >= clock_timestamp() + 2 * $3 * interval '1 microsecond'
      RETURNING epoch
      """,
      [.text(name), .text(holder), .number(duration.microseconds)]
    )
    return try rows.first.map { Lease(name: name, holder: holder, epoch: try $0.sequence(0)) }
  }

  public func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
    let rows = try await self.reader.runInKnownLog(
      """
      UPDATE action_log.lease SET ends = clock_timestamp() + $3 * interval '1 microsecond'
      WHERE name = $1 AND epoch = $2 AND holder = $4 AND ends > clock_timestamp()
        AND \(KnownLog.condition(from: 5))
      RETURNING epoch
      """,
      [
        .text(lease.name), .number(Int64(lease.epoch)), .number(duration.microseconds),
        .text(lease.holder),
      ]
    )
    return rows.count == 1
  }

  public func release(_ lease: Lease) async throws {
    _ = try await self.reader.runInKnownLog(
      """
      DELETE FROM action_log.lease WHERE name = $1 AND epoch = $2 AND holder = $3
        AND \(KnownLog.condition(from: 4))
      RETURNING epoch
      """,
      [.text(lease.name), .number(Int64(lease.epoch)), .text(lease.holder)]
    )
  }

  public func fact(_ name: String, orElse value: Data) async throws -> Data {
    try self.limits.check(fact: name, value.count)
    _ = try await self.reader.runInKnownLog(
      """
      INSERT INTO action_log.fact (name, value) SELECT $1, $2 WHERE \(KnownLog.condition(from: 3))
      ON CONFLICT DO NOTHING RETURNING name
      """,
      [.text(name), .bytes(value)]
    )
    let rows = try await self.reader.runInKnownLog(
      "SELECT value FROM action_log.fact WHERE name = $1 AND \(KnownLog.condition(from: 2))",
      [.text(name)]
    )
    return try rows.first?.bytes(0) ?? value
  }
}

extension Duration {
  var microseconds: Int64 { Int64(self / .microseconds(1)) }
}
