public import Foundation

/// Actions in one order that several servers agree on.
///
/// Servers append what has happened, read what others have appended, and so come to the same state.
/// ``MemoryLog`` is one for a single process; `PostgreSQLLog` is one for many machines.
///
/// ```swift
/// let log = MemoryLog()
/// let entry = LogEntry(id: "a", product: "counter", reducer: 1, node: "n1", payload: Data("+1".utf8))
/// try await log.append([AppendRequest(entry)])  // [.appended(sequence: 1)]
/// try await log.append([AppendRequest(entry)])  // [.known(sequence: 1)]
/// try await log.page(after: 0, limit: 100).entries.count  // 1
/// ```
///
/// Every operation may be tried again after ``ActionLogError/Code/unavailable``: what was done the first
/// time is not done twice.
public protocol ActionLog: Sendable {
  /// What the log accepts. It is the same for everybody who uses the log.
  var limits: LogLimits { get }

  /// Appends entries in one transaction, in this order. Sequences have no gaps and are in the order of
  /// commits: whoever has read an entry has read, or can read, all before it.
  ///
  /// - Parameter requests: At most ``LogLimits/batchBytes``, unless it is one.
  /// - Returns: An answer for each request. A request that is not appended leaves the others alone.
  /// - Throws: ``ActionLogError``. After `unavailable` the entries may have been appended all the same;
  ///   after other errors nothing was.
  /// - Complexity: O(n log m), n requests, m entries.
  func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer]

  /// The entries after a sequence, oldest first.
  ///
  /// - Parameters:
  ///   - sequence: That of the newest entry that the reader has; 0 for none.
  ///   - limit: The most entries. They also have at most ``LogLimits/pageBytes``, unless it is one.
  /// - Throws: ``ActionLogError``: `trimmed` if the next entry is no longer there, `ahead` if the
  ///   reader has an entry that the log does not have.
  /// - Complexity: O(n log m), n entries that are read, m entries.
  func page(after sequence: UInt64, limit: Int) async throws -> LogPage

  /// Where the entry with an id is; `nil` if there is none, or none that is kept.
  ///
  /// - Throws: ``ActionLogError``.
  /// - Complexity: O(log m), m entries.
  func sequence(ofEntry id: String) async throws -> UInt64?

  /// Wakes a reader: soon after it has begun, after every append, and perhaps more often. An element is
  /// the sequence of the newest entry, if it is known, so that who has that need not read. Wakes that
  /// nobody has taken are one, so after each of them the reader must read all there is.
  func wakes() -> AsyncStream<UInt64?>

  /// Keeps a state, so that others need not read every entry before it.
  ///
  /// - Returns: The digest that is kept for this sequence: another one if an earlier snapshot at the
  ///   same sequence differs.
  /// - Throws: ``ActionLogError``: `ahead` if the log does not have the sequence yet, `tooLarge`.
  func save(_ snapshot: LogSnapshot) async throws -> String

  /// The snapshot with the highest sequence; `nil` if there is none.
  ///
  /// - Throws: ``ActionLogError``.
  func newestSnapshot() async throws -> LogSnapshot?

  /// Removes all snapshots but the newest, the entries behind the oldest snapshot that is kept, and
  /// leases that ended long ago.
  /// An id is known for as long as its entry is kept.
  ///
  /// - Parameters:
  ///   - snapshots: How many are kept, 1 or more.
  ///   - age: Entries that are younger are kept, so that a resend is recognized; and leases that ended
  ///     since then.
  /// - Throws: ``ActionLogError``.
  func trim(keeping snapshots: Int, youngerThan age: Duration) async throws

  /// Takes a lease, by the log's clock, if nobody holds it. Whoever holds it extends it.
  ///
  /// - Parameters:
  ///   - name: What is leased.
  ///   - holder: Differs for every process.
  ///   - duration: How long it lasts unless it is renewed.
  /// - Returns: `nil` if somebody else holds it.
  /// - Throws: ``ActionLogError``.
  func acquireLease(_ name: String, holder: String, for duration: Duration) async throws -> Lease?

  /// Extends a lease, to the duration from now.
  ///
  /// - Returns: Whether it was still held. A lease that has ended is never renewed.
  /// - Throws: ``ActionLogError``.
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool

  /// Ends a lease, if it is still held.
  ///
  /// - Throws: ``ActionLogError``.
  func release(_ lease: Lease) async throws

  /// A value that all servers share, such as the key of sessions. Whoever comes first sets it.
  ///
  /// - Parameters:
  ///   - name: One of few.
  ///   - value: Becomes the value if there is none. At most ``LogLimits/factBytes``.
  /// - Returns: The value.
  /// - Throws: ``ActionLogError``.
  func fact(_ name: String, orElse value: Data) async throws -> Data
}
