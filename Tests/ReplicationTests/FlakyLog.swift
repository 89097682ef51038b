import ActionLogs
import Foundation
import Synchronization
import TestSupport

/// A log that can be away, and whose answers can get lost.
final class FlakyLog: ActionLog {
  enum Fault {
    case none, away, readOnly, readsNothing, holdsReads, refuses, losesAnswers, holdsAppends
    case savesNothing, holdsSaves, trimsNothing, refusesLeases, losesNewest, appendsElsewhere
  }

  /// In a struct: each access to a closure that is itself the value of a `Mutex` wraps it once more,
  /// and so takes longer than the one before.
  private struct Faults {
    var current: @Sendable () -> Fault = { .none }
    var willAcquire: @Sendable (String) async -> Void = { _ in }
  }

  private let log: MemoryLog
  private let faults = Mutex(Faults())
  private let readers = Mutex<[AsyncStream<UInt64?>.Continuation]>([])

  /// The ids of all entries that were to be appended, in order.
  let attempts = Transcript<String>()
  /// The sequences after which entries were to be read while ``Fault/holdsReads`` holds them.
  let heldReads = Transcript<UInt64>()
  /// The ids that the log was asked for, in order.
  let inquiries = Transcript<[String]>()
  /// Who has acquired which lease, in order.
  let leases = Transcript<String>()
  /// Who was to acquire which lease, and was refused by ``Fault/refusesLeases``, in order.
  let refusedLeases = Transcript<String>()

  /// - Parameter log: Another server may use it without faults.
  init(_ log: MemoryLog = MemoryLog()) {
    self.log = log
  }

  var limits: LogLimits { self.log.limits }

  /// - Parameter fault: Called for each append and page.
  func set(_ fault: @escaping @Sendable () -> Fault) {
    self.faults.withLock { $0.current = fault }
    for reader in self.readers.withLock({ $0 }) { reader.yield(nil) }
  }

  /// - Parameter body: Called before a lease is acquired, with its name.
  func willAcquire(_ body: @escaping @Sendable (String) async -> Void) {
    self.faults.withLock { $0.willAcquire = body }
  }

  private func fault() -> Fault { self.faults.withLock { $0.current }() }

  private static let away = ActionLogError(code: .unavailable, message: "The log is away.")

  /// The error of appends to another database, with ``Fault/appendsElsewhere``.
  static let elsewhere = ActionLogError.ahead(of: 0, 1)

  func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer] {
    for request in requests { self.attempts.append(request.entry.id) }
    while self.fault() == .holdsAppends { await letOthersGoOn() }
    let fault = self.fault()
    if fault == .away || fault == .readOnly { throw Self.away }
    if fault == .appendsElsewhere { throw Self.elsewhere }
    if fault == .refuses {
      throw ActionLogError(code: .foreign, message: "The log does not have the function.")
    }
    let answers = try await self.log.append(requests)
    if fault == .losesAnswers { throw Self.away }
    return answers
  }

  func page(after sequence: UInt64, limit: Int) async throws -> LogPage {
    if self.fault() == .holdsReads {
      self.heldReads.append(sequence)
      while self.fault() == .holdsReads { await letOthersGoOn() }
    }
    if [.away, .readsNothing].contains(self.fault()) { throw Self.away }
    let page = try await self.log.page(after: sequence, limit: limit)
    guard self.fault() == .losesNewest else { return page }
    guard sequence < page.head else { throw ActionLogError.ahead(of: page.head - 1, sequence) }
    return LogPage(
      entries: page.entries.filter { $0.sequence < page.head }, head: page.head - 1)
  }

  func sequences(ofEntries ids: [String]) async throws -> [String: UInt64] {
    self.inquiries.append(ids)
    if self.fault() == .away { throw Self.away }
    return try await self.log.sequences(ofEntries: ids)
  }

  func wakes() -> AsyncStream<UInt64?> {
    let (stream, reader) = AsyncStream.makeStream(
      of: UInt64?.self, bufferingPolicy: .bufferingNewest(1))
    self.readers.withLock { $0.append(reader) }
    let task = Task { for await newest in self.log.wakes() { reader.yield(newest) } }
    // Readers also look without being woken, as those of PostgreSQL do: a wake may replace another
    // one that was not read.
    let polling = Task {
      while Task.isCancelled == false {
        reader.yield(nil)
        try? await Task.sleep(for: .milliseconds(50))
      }
    }
    reader.onTermination = { _ in
      task.cancel()
      polling.cancel()
    }
    return stream
  }

  func save(_ snapshot: LogSnapshot) async throws -> String {
    while self.fault() == .holdsSaves { await letOthersGoOn() }
    if self.fault() == .savesNothing { throw Self.away }
    return try await self.log.save(snapshot)
  }

  func digest(ofSnapshot sequence: UInt64) async throws -> String? {
    try await self.log.digest(ofSnapshot: sequence)
  }

  func newestSnapshot() async throws -> LogSnapshot? { try await self.log.newestSnapshot() }

  func trim(keeping snapshots: Int, youngerThan age: Duration) async throws {
    if self.fault() == .trimsNothing { throw Self.away }
    try await self.log.trim(keeping: snapshots, youngerThan: age)
  }

  func acquireLease(_ name: String, holder: String, for duration: Duration) async throws -> Lease? {
    await self.faults.withLock { $0.willAcquire }(name)
    if self.fault() == .refusesLeases {
      self.refusedLeases.append("\(holder): \(name)")
      throw ActionLogError(code: .foreign, message: "The log has no leases.")
    }
    let lease = try await self.log.acquireLease(name, holder: holder, for: duration)
    if lease != nil { self.leases.append("\(holder): \(name)") }
    return lease
  }

  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
    try await self.log.renew(lease, for: duration)
  }

  func release(_ lease: Lease) async throws { try await self.log.release(lease) }

  func fact(_ name: String, orElse value: Data) async throws -> Data {
    try await self.log.fact(name, orElse: value)
  }
}
