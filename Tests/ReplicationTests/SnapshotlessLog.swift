import ActionLogs
import Foundation
import TestSupport

/// A log whose snapshots cannot be read, only compared. It may lack an entry, wake readers when a test
/// does, or hold back what it has read or the answers of appends.
struct SnapshotlessLog: ActionLog {
  let log: MemoryLog
  var missing: UInt64?
  var waking: AsyncStream<UInt64?>?
  var turnstile: Turnstile?
  var answers: Gate?

  var limits: LogLimits { self.log.limits }
  func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer] {
    let answers = try await self.log.append(requests)
    await self.answers?.wait()
    return answers
  }
  // On the main actor, so that pages are returned in the order in which they were read.
  @MainActor func page(after sequence: UInt64, limit: Int) async throws -> LogPage {
    let page = try await self.log.page(after: sequence, limit: limit)
    await self.turnstile?.pass()
    return LogPage(entries: page.entries.filter { $0.sequence != self.missing }, head: page.head)
  }
  func sequences(ofEntries ids: [String]) async throws -> [String: UInt64] {
    try await self.log.sequences(ofEntries: ids)
  }
  func wakes() -> AsyncStream<UInt64?> {
    self.waking ?? self.log.wakes()
  }
  func save(_ snapshot: LogSnapshot) async throws -> String { try await self.log.save(snapshot) }
  func digest(ofSnapshot sequence: UInt64) async throws -> String? {
    try await self.log.digest(ofSnapshot: sequence)
  }
  func newestSnapshot() async throws -> LogSnapshot? { nil }
  func trim(keeping snapshots: Int, youngerThan age: Duration) async throws {}
  func acquireLease(_ name: String, holder: String, for duration: Duration) async throws -> Lease? {
    nil
  }
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool { false }
  func release(_ lease: Lease) async throws {}
  func fact(_ name: String, orElse value: Data) async throws -> Data { value }
}

/// Lets tasks pass in the order in which they came.
@MainActor final class Turnstile {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  var isOpen = true {
    didSet {
      guard self.isOpen else { return }
      for task in self.waiting { task.resume() }
      self.waiting = []
    }
  }

  nonisolated init() {}

  /// The number of tasks that wait.
  var count: Int { self.waiting.count }

  func pass() async {
    guard self.isOpen == false else { return }
    await withCheckedContinuation { self.waiting.append($0) }
  }
}
