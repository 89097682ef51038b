public import Foundation
import Synchronization

/// A log in the memory of one process, for tests and for development without a database. It keeps
/// everything that is not trimmed, whatever its size.
public final class MemoryLog: ActionLog {
  public let limits: LogLimits
  private let now: @Sendable () -> ContinuousClock.Instant
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - limits: The limits of the log.
  ///   - now: The clock of leases and of ages.
  public init(
    limits: LogLimits = LogLimits(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    self.limits = limits
    self.now = now
  }

  public func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer] {
    for request in requests { try self.limits.check(request.entry) }
    let now = self.now()
    let (answers, readers, head) = self.contents.withLock { contents in
      (requests.map { contents.append($0, now) }, contents.readers.values, contents.head)
    }
    for reader in readers { reader.yield(head) }
    return answers
  }

  public func page(after sequence: UInt64, limit: Int) async throws -> LogPage {
    let now = self.now()
    return try self.contents.withLock {
      try $0.page(after: sequence, limit, bytes: self.limits.pageBytes, now)
    }
  }

  public func sequences(ofEntries ids: [String]) async throws -> [String: UInt64] {
    self.contents.withLock { contents in
      ids.reduce(into: [String: UInt64]()) { $0[$1] = contents.sequences[$1] }
    }
  }

  public func wakes() -> AsyncStream<UInt64?> {
    let (stream, reader) = AsyncStream.makeStream(
      of: UInt64?.self, bufferingPolicy: .bufferingNewest(1))
    let number = self.contents.withLock { contents in
      contents.readerCount += 1
      contents.readers[contents.readerCount] = reader
      return contents.readerCount
    }
    reader.onTermination = { [weak self] _ in
      self?.contents.withLock { $0.readers[number] = nil }
    }
    reader.yield(nil)
    return stream
  }

  public func save(_ snapshot: LogSnapshot) async throws -> String {
    try self.limits.check(snapshot)
    return try self.contents.withLock { contents in
      guard snapshot.sequence <= contents.head else {
        throw ActionLogError.ahead(of: contents.head, snapshot.sequence)
      }
      let kept = contents.snapshots[snapshot.sequence] ?? snapshot
      contents.snapshots[snapshot.sequence] = kept
      return kept.digest
    }
  }

  public func digest(ofSnapshot sequence: UInt64) async throws -> String? {
    self.contents.withLock { $0.snapshots[sequence]?.digest }
  }

  public func newestSnapshot() async throws -> LogSnapshot? {
    self.contents.withLock { contents in
      contents.snapshots.max { $0.key < $1.key }?.value
    }
  }

  public func trim(keeping snapshots: Int, youngerThan age: Duration) async throws {
    let oldest = self.now() - age
    self.contents.withLock { $0.trim(keeping: snapshots, before: oldest) }
  }

  public func acquireLease(
    _ name: String,
    holder: String,
    for duration: Duration
  ) async throws -> Lease? {
    try self.limits.check(names: name, holder)
    let now = self.now()
    return self.contents.withLock { contents in
      if let held = contents.leases[name], held.end > now {
        if held.lease.holder == holder {
          contents.leases[name]?.end = now + duration
          return held.lease
        }
        if duration == .zero || held.end < now + duration * 2 { return nil }
      }
      contents.epoch += 1
      let lease = Lease(name: name, holder: holder, epoch: contents.epoch)
      contents.leases[name] = (lease, end: now + duration)
      return lease
    }
  }

  public func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
    let now = self.now()
    return self.contents.withLock { contents in
      guard contents.isHeld(lease, now) else { return false }
      contents.leases[lease.name]?.end = now + duration
      return true
    }
  }

  public func release(_ lease: Lease) async throws {
    self.contents.withLock { contents in
      if contents.leases[lease.name]?.lease == lease { contents.leases[lease.name] = nil }
    }
  }

  public func fact(_ name: String, orElse value: Data) async throws -> Data {
    try self.limits.check(fact: name, value.count)
    return self.contents.withLock { contents in
      contents.facts[name] = contents.facts[name] ?? value
      return contents.facts[name] ?? value
    }
  }
}
