public import Foundation

/// A log of actions in an order that all servers share.
///
/// Servers append their actions and read those of the others, and so reach the same state.
/// ``MemoryLog`` is a log for a single process; `PostgreSQLLog` is a log for many machines.
///
/// ```swift
/// let log = MemoryLog()
/// let entry = LogEntry(id: "a", product: "counter", reducer: 1, node: "n1", payload: Data("+1".utf8))
/// try await log.append([AppendRequest(entry)])  // [.appended(sequence: 1)]
/// try await log.append([AppendRequest(entry)])  // [.known(sequence: 1)]
/// try await log.page(after: 0, limit: 100).entries.count  // 1
/// ```
///
/// Every operation can safely be retried after ``ActionLogError/Code/unavailable``: it takes effect
/// only once.
public protocol ActionLog: Sendable {
  /// The limits of the log. They must be the same for all servers that use the log.
  var limits: LogLimits { get }

  /// The best executor for a task that appends batch after batch, because no thread then waits for
  /// another. `nil` if it does not matter.
  var appender: (any TaskExecutor)? { get }

  /// Appends entries in one transaction, in this order. Sequences have no gaps and are in the order
  /// of commits: a reader that can see an entry can see all entries before it.
  ///
  /// - Parameter requests: At most ``LogLimits/batchBytes``, unless there is only one.
  /// - Returns: An answer for each request. A request that is not appended does not affect the
  ///   others.
  /// - Throws: ``ActionLogError``. After `unavailable` the entries may still have been appended;
  ///   after other errors nothing was.
  /// - Complexity: O(n log m), n requests, m entries.
  func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer]

  /// The entries after a sequence, oldest first.
  ///
  /// - Parameters:
  ///   - sequence: The sequence of the newest entry that the reader has; 0 for none.
  ///   - limit: The maximum number of entries. Together they have at most ``LogLimits/pageBytes``,
  ///     unless there is only one.
  /// - Throws: ``ActionLogError``: `trimmed` if the next entry was removed, `ahead` if the reader
  ///   has an entry that the log does not have.
  /// - Complexity: O(n log m), n entries that are read, m entries.
  func page(after sequence: UInt64, limit: Int) async throws -> LogPage

  /// The sequences of the entries with these ids, without those that are not there or were removed.
  ///
  /// - Throws: ``ActionLogError``.
  /// - Complexity: O(n log m), n ids, m entries.
  func sequences(ofEntries ids: [String]) async throws -> [String: UInt64]

  /// Wakes a reader: soon after the stream begins, after every append by other servers, several
  /// times a second, and perhaps more often. An element is the sequence of the newest entry, if it
  /// is known, so a reader that already has that entry need not read. Unread wakes are merged into
  /// one, so the reader must read all new entries after each.
  func wakes() -> AsyncStream<UInt64?>

  /// Saves a state, so that others need not read every entry before it.
  ///
  /// - Returns: The digest that is stored for this sequence. It is another one if there is an
  ///   earlier, different snapshot at the same sequence.
  /// - Throws: ``ActionLogError``: `ahead` if the log does not have the sequence yet, `tooLarge`.
  func save(_ snapshot: LogSnapshot) async throws -> String

  /// The digest of the snapshot at a sequence; `nil` if there is none.
  ///
  /// - Throws: ``ActionLogError``.
  func digest(ofSnapshot sequence: UInt64) async throws -> String?

  /// The snapshot with the highest sequence; `nil` if there is none.
  ///
  /// - Throws: ``ActionLogError``.
  func newestSnapshot() async throws -> LogSnapshot?

  /// Removes all but the newest snapshots, the entries before the oldest remaining snapshot, and
  /// leases that ended long ago. The newest entry is always kept. An id is known for as long as its
  /// entry is kept.
  ///
  /// - Parameters:
  ///   - snapshots: The number of snapshots to keep, 1 or more.
  ///   - age: Younger entries are kept, so that a resend is recognized, and so are leases that
  ///     ended more recently.
  /// - Throws: ``ActionLogError``.
  func trim(keeping snapshots: Int, youngerThan age: Duration) async throws

  /// Takes a lease, by the log's clock, if nobody holds it. If the holder calls this, it extends
  /// the lease.
  ///
  /// A lease that would last for more than twice the duration counts as ended, unless its holder
  /// asks: the clock has been set back since the holder extended it.
  ///
  /// - Parameters:
  ///   - name: The name of the lease.
  ///   - holder: Unique for every process.
  ///   - duration: How long the lease lasts unless it is renewed. It must be the same for all who
  ///     take the lease. With zero, it ends at once, also for its holder, which finds out whether
  ///     somebody else holds it.
  /// - Returns: `nil` if somebody else holds it.
  /// - Throws: ``ActionLogError``.
  func acquireLease(_ name: String, holder: String, for duration: Duration) async throws -> Lease?

  /// Extends a lease, so that it ends after the duration from now.
  ///
  /// - Returns: Whether it was still held. A lease that has ended is never renewed.
  /// - Throws: ``ActionLogError``.
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool

  /// Ends a lease, if it is still held.
  ///
  /// - Throws: ``ActionLogError``.
  func release(_ lease: Lease) async throws

  /// A value that all servers share, such as the key of sessions. The first server sets it.
  ///
  /// - Parameters:
  ///   - name: The name of the value. There should be only a few different names.
  ///   - value: The value to store if there is none. At most ``LogLimits/factBytes``.
  /// - Returns: The value.
  /// - Throws: ``ActionLogError``.
  func fact(_ name: String, orElse value: Data) async throws -> Data
}

extension ActionLog {
  public var appender: (any TaskExecutor)? { nil }

  /// The sequence of the entry with an id; `nil` if there is none, or if it was removed.
  ///
  /// - Throws: ``ActionLogError``.
  /// - Complexity: The same as ``sequences(ofEntries:)``.
  public func sequence(ofEntry id: String) async throws -> UInt64? {
    try await self.sequences(ofEntries: [id])[id]
  }
}
