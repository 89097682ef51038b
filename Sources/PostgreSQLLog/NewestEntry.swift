import ActionLogs
import Synchronization

/// The newest entry that this process has read or appended.
///
/// A database may come back without its newest entries: a standby was promoted that did not have
/// them, or a backup was restored. If other servers have continued the log by then, it is long
/// enough, but has other entries. So each new connection checks this one.
final class NewestEntry: Sendable {
  private let entry = Mutex<(sequence: UInt64, id: String)?>(nil)
  private let hasTables = Mutex(false)

  /// Its sequence; 0 if there is none.
  var sequence: UInt64 { self.entry.withLock { $0?.sequence ?? 0 } }

  /// Whether any connection has found, or created, the tables of the log.
  var wasOpen: Bool { self.hasTables.withLock { $0 } }

  func didOpen() {
    self.hasTables.withLock { $0 = true }
  }

  /// - Complexity: O(1).
  func note(_ sequence: UInt64, _ id: String) {
    self.entry.withLock { entry in
      guard sequence > entry?.sequence ?? 0 else { return }
      entry = (sequence, id)
    }
  }

  /// An entry that was trimmed counts as unchanged.
  ///
  /// - Throws: ``SessionError``; ``ActionLogError`` with code `ahead` if the log does not have it.
  func check(_ session: Session) throws {
    guard let (sequence, id) = self.entry.withLock({ $0 }) else { return }
    let row = try session.run(
      """
      SELECT h.sequence, e.action_id FROM action_log.head h
      LEFT JOIN action_log.entry e ON e.sequence = $1 WHERE h.is_head
      """,
      [.number(Int64(sequence))]
    ).first
    let head = try row?.sequence(0) ?? 0
    guard let row, head >= sequence else { throw ActionLogError.ahead(of: head, sequence) }
    guard row.isNull(1) == false, try row.text(1) != id else { return }
    throw ActionLogError.replaced(sequence)
  }
}
