import ActionLogs
import Foundation
import Synchronization

/// What this process knows of its log, so that it does not go on with another one. The connections of
/// a log share it.
///
/// - Another database may be behind the same address. So a log has a random identity, which the first
///   process to open it stores, and which each connection must find again.
/// - A database may come back without its newest entries: a standby was promoted that did not have
///   them, or a backup was restored. If other servers have continued the log by then, it is long
///   enough, but has other entries. So it must also have the newest entry that this process has read
///   or appended.
///
/// Each new connection checks both, and so does each statement that reads or appends entries,
/// or that is about leases or facts (``condition(from:)``), because tables can be replaced while a
/// connection stays open.
final class KnownLog: Sendable {
  private struct Contents {
    /// `nil` until a connection has found the log's tables.
    var identity: Data?
    var newest: (sequence: UInt64, id: String)?
  }

  private let contents = Mutex(Contents())

  /// The name of the fact that holds the identity.
  private static let identityName = "identity of the log"

  /// The sequence of the newest entry; 0 if there is none.
  var sequence: UInt64 { self.contents.withLock { $0.newest?.sequence ?? 0 } }

  /// Whether any connection has found, or created, the tables of the log.
  var isKnown: Bool { self.contents.withLock { $0.identity != nil } }

  func note(_ sequence: UInt64, _ id: String) {
    self.contents.withLock { contents in
      guard sequence > contents.newest?.sequence ?? 0 else { return }
      contents.newest = (sequence, id)
    }
  }

  /// Whether the tables that a statement uses are those of this log. An entry that was trimmed counts
  /// as unchanged.
  ///
  /// - Parameter number: The number of its first parameter (``parameters``), which is the sequence of
  ///   the newest entry; 0 if there is none.
  /// - Complexity: O(log m), m entries.
  static func condition(from number: Int) -> String {
    """
    EXISTS (
      SELECT FROM action_log.fact
      WHERE name = '\(Self.identityName)' AND value = $\(number + 1)
    )
    AND NOT EXISTS (
      SELECT FROM action_log.entry WHERE sequence = $\(number) AND action_id <> $\(number + 2)
    )
    """
  }

  /// The parameters of ``condition(from:)``.
  var parameters: [Parameter] {
    let (identity, newest) = self.contents.withLock { ($0.identity, $0.newest) }
    return [
      .number(Int64(newest?.sequence ?? 0)), .bytes(identity ?? Data()), .text(newest?.id ?? ""),
    ]
  }

  /// - Throws: ``SessionError``; ``ActionLogError`` with code `ahead` if it is another log, or an older
  ///   copy.
  func check(_ session: Session) throws {
    try self.checkIdentity(session)
    guard let newest = self.contents.withLock({ $0.newest }) else { return }
    let row = try session.run(
      """
      SELECT h.sequence, e.action_id FROM action_log.head h
      LEFT JOIN action_log.entry e ON e.sequence = $1 WHERE h.is_head
      """,
      [.number(Int64(newest.sequence))]
    ).first
    let head = try row?.sequence(0) ?? 0
    guard let row, head >= newest.sequence else {
      throw ActionLogError.ahead(of: head, newest.sequence)
    }
    guard row.isNull(1) == false, try row.text(1) != newest.id else { return }
    throw ActionLogError.replaced(newest.sequence)
  }

  private func checkIdentity(_ session: Session) throws {
    func read() throws -> Data? {
      try session.run(
        "SELECT value FROM action_log.fact WHERE name = $1", [.text(Self.identityName)]
      ).first?.bytes(0)
    }
    var found = try read()
    if found == nil, self.isKnown == false {
      // The log is new, or older than identities.
      _ = try session.run(
        "INSERT INTO action_log.fact (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
        [.text(Self.identityName), .bytes(Data((0..<16).map { _ in UInt8.random(in: 0...255) }))])
      found = try read()
    }
    guard let found else {
      throw SessionError(
        kind: .lost,
        message: "The log has no identity. If a backup was restored, start all servers again.")
    }
    let known = self.contents.withLock { contents in
      contents.identity = contents.identity ?? found
      return contents.identity
    }
    guard known == found else { throw ActionLogError.another }
  }
}
