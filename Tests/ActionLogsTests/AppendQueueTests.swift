import ActionLogs
import Foundation
import ImmutableData
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct AppendQueueTests {
  @Test func `appends that arrive during a transaction form the next one, in order`() async throws {
    let log = SlowLog()
    let queue = AppendQueue(log)

    let first = Task { try await queue.append(.make("0")) }
    await log.batches.wait { $0.count == 1 }
    let others = Self.append((1...5).map { .make("\($0)") }, to: queue)
    log.gate.open()

    #expect(try await first.value == .appended(sequence: 1))
    for (index, other) in others.enumerated() {
      #expect(try await other.value == .appended(sequence: UInt64(index) + 2))
    }
    #expect(log.batches.entries == [["0"], ["1", "2", "3", "4", "5"]])
  }

  @Test func `a batch is bounded in bytes`() async throws {
    let log = SlowLog { $0.batchBytes = 2_500 }
    let queue = AppendQueue(log)
    let payload = String(repeating: "x", count: 500)

    let first = Task { try await queue.append(.make("0")) }
    await log.batches.wait { $0.count == 1 }
    let requests = (1...4).map { AppendRequest.make("\($0)", payload: payload) }
    let large = AppendRequest.make("5", payload: String(repeating: "x", count: 5_000))
    let others = Self.append(requests + [large], to: queue)
    log.gate.open()
    for task in others + [first] { _ = try await task.value }

    #expect(log.batches.entries == [["0"], ["1", "2"], ["3", "4"], ["5"]])
  }

  @Test func `a full queue refuses appends until it has room`() async throws {
    let log = SlowLog { $0.queueBytes = 2_000 }
    let queue = AppendQueue(log)

    let first = Task { try await queue.append(.make("0")) }
    await log.batches.wait { $0.count == 1 }
    let others = Self.append([.make("1"), .make("2")], to: queue)
    let refused = try await code { _ = try await queue.append(.make("3")) }
    log.gate.open()
    for task in others + [first] { _ = try await task.value }
    let accepted = try await queue.append(.make("3"))

    #expect(refused == .queueFull)
    #expect(accepted == .appended(sequence: 4))
  }

  @Test func `a failure is reported to its whole batch, and the next batch goes on`() async throws {
    let log = SlowLog()
    let queue = AppendQueue(log)

    let first = Task { try await queue.append(.make("fails")) }
    await log.batches.wait { $0.count == 1 }
    let others = Self.append([.make("1")], to: queue)
    log.gate.open()

    #expect(try await code { _ = try await first.value } == .unavailable)
    #expect(try await others[0].value == .appended(sequence: 1))
  }

  @Test func `entries that are tried again keep their order and take room meanwhile`()
    async throws
  {
    let log = SlowLog { $0.queueBytes = 2_000 }
    let backoff = Backoff(base: .milliseconds(1), limit: .milliseconds(1))
    let queue = AppendQueue(log, backoff: backoff)
    log.isAway.store(true, ordering: .relaxed)

    let first = Self.append([.make("0")], to: queue, isPersistent: true)
    await log.batches.wait { $0.count == 1 }
    let others = Self.append([.make("1"), .make("2")], to: queue, isPersistent: true)
    log.gate.open()
    await log.batches.wait { $0.count >= 4 }
    let refused = try await code { _ = try await queue.append(.make("3")) }
    log.isAway.store(false, ordering: .relaxed)

    for (index, task) in (first + others).enumerated() {
      #expect(try await task.value == .appended(sequence: UInt64(index) + 1))
    }
    #expect(refused == .queueFull)
    #expect(Set(log.batches.entries) == [["0"], ["0", "1", "2"]])
    #expect(try await queue.append(.make("3")) == .appended(sequence: 4))
  }

  @Test func `a batch has at most a thousand entries`() async throws {
    let log = SlowLog()
    let queue = AppendQueue(log)
    let first = Self.append([.make("0")], to: queue)
    await log.batches.wait { $0.count == 1 }

    let others = Self.append((1...1_001).map { .make("\($0)") }, to: queue)
    log.gate.open()
    for task in first + others { _ = try await task.value }

    #expect(log.batches.entries.map(\.count) == [1, 1_000, 1])
  }

  @Test func `an invalid entry is refused alone`() async throws {
    let queue = AppendQueue(MemoryLog())

    #expect(try await code { _ = try await queue.append(.make("")) } == .invalidName)
    #expect(try await queue.append(.make("a")) == .appended(sequence: 1))
  }

  @Test func `a task that is cancelled does not wait for the log`() async throws {
    let log = SlowLog()
    let queue = AppendQueue(log)
    let first = Task { try await queue.append(.make("0")) }
    await log.batches.wait { $0.count == 1 }
    let finishing = Task { await queue.finish(within: .seconds(600)) }

    finishing.cancel()

    #expect(await finishing.value == false)
    log.gate.open()
    _ = try await first.value
  }

  /// Begins to append, one after the other.
  private static func append(
    _ requests: [AppendRequest],
    to queue: AppendQueue,
    isPersistent: Bool = false
  ) -> [Task<AppendAnswer, any Error>] {
    requests.map { request in
      let (answers, answer) = AsyncStream.makeStream(of: Result<AppendAnswer, any Error>.self)
      queue.append(request, isPersistent: isPersistent) { answer.yield($0) }
      return Task { try #require(await answers.first { _ in true }).get() }
    }
  }
}

/// Holds appends until its gate is open, and fails if one is called so, or while it is away.
private final class SlowLog: ActionLog {
  let gate = Gate()
  let isAway = Atomic(false)
  let batches = Transcript<[String]>()
  private let log: MemoryLog

  init(_ change: (inout LogLimits) -> Void = { _ in }) {
    var limits = LogLimits()
    change(&limits)
    self.log = MemoryLog(limits: limits)
  }

  var limits: LogLimits { self.log.limits }

  func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer] {
    self.batches.append(requests.map(\.entry.id))
    await self.gate.wait()
    let isAway = self.isAway.load(ordering: .relaxed)
    guard isAway == false, requests.allSatisfy({ $0.entry.id != "fails" }) else {
      throw ActionLogError(code: .unavailable, message: "It fails.")
    }
    return try await self.log.append(requests)
  }

  func page(after sequence: UInt64, limit: Int) async throws -> LogPage {
    try await self.log.page(after: sequence, limit: limit)
  }

  func sequences(ofEntries ids: [String]) async throws -> [String: UInt64] { [:] }
  func wakes() -> AsyncStream<UInt64?> { self.log.wakes() }

  func save(_ snapshot: LogSnapshot) async throws -> String { try await self.log.save(snapshot) }

  func digest(ofSnapshot sequence: UInt64) async throws -> String? {
    try await self.log.digest(ofSnapshot: sequence)
  }

  func newestSnapshot() async throws -> LogSnapshot? { try await self.log.newestSnapshot() }

  func trim(keeping snapshots: Int, youngerThan age: Duration) async throws {
    try await self.log.trim(keeping: snapshots, youngerThan: age)
  }

  func acquireLease(_ name: String, holder: String, for duration: Duration) async throws -> Lease? {
    try await self.log.acquireLease(name, holder: holder, for: duration)
  }

  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool {
    try await self.log.renew(lease, for: duration)
  }

  func release(_ lease: Lease) async throws { try await self.log.release(lease) }

  func fact(_ name: String, orElse value: Data) async throws -> Data {
    try await self.log.fact(name, orElse: value)
  }
}
