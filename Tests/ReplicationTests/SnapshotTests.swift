import ActionLogs
import Foundation
import ImmutableData
import Replication
import TestSupport
import Testing

/// How servers save snapshots, and continue with one.
@MainActor @Suite(.timeLimit(.minutes(20))) struct SnapshotTests {
  @Test func `a server that was cut off until its next entries were removed joins anew`()
    async throws
  {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let (node, other) = (try await Node.join(flaky), try await Node.join(log))
    _ = try await node.post(.didTapBuy("a"))
    let runs = Transcript<String>()
    let listener = ShopListener("node", runs, node.store)
    try await self.removeNextEntries(of: node, flaky) {
      _ = try await other.post(.didTapOrder("b"))
      for name in ["c", "d"] { _ = try await other.post(.didTapBuy(name)) }
      let late = try LogEntry(id: "e", node: "third", .didTapBuy("e"))
      _ = try await log.append([AppendRequest(late)])
      #expect((try? await other.post(.didTapBuy("e"), id: "e")) == nil)
      try await other.replica.keepSnapshot()
      try await log.trim(keeping: 1, youngerThan: .zero)
    }

    await node.waitForStatus { $0 == .current }
    withExtendedLifetime(listener) {}
    #expect(node.store.state == other.store.state && node.store.snapshot().version == 5)
    #expect(runs.entries == [])
    // It knows what was refused, and takes part again.
    let error = await replicaError { _ = try await node.post(.didTapBuy("e"), id: "e") }
    #expect(error?.code == .refused)
    #expect(try await node.post(.didDeliver(1)) == 6)
    await other.wait { $0.stock == 1 }
    try await node.replica.keepSnapshot()
    #expect(try await log.newestSnapshot()?.sequence == 6)
  }

  @Test func `a snapshot that cannot be used is refused with the reason`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didDeliver(1))
    try await node.replica.keepSnapshot()
    let kept = try #require(try await log.newestSnapshot())
    let unusable = [
      (LogSnapshot(sequence: 1, reducer: 2, digest: kept.digest, state: kept.state), "newer"),
      (LogSnapshot(sequence: 1, reducer: 1, digest: kept.digest, state: Data("{".utf8)), "read"),
      (LogSnapshot(sequence: 1, reducer: 1, digest: "other", state: kept.state), "damaged"),
    ]

    for (snapshot, reason) in unusable {
      let log = MemoryLog()
      _ = try await Node.join(log).post(.didDeliver(1))
      _ = try await log.save(snapshot)

      let error = await replicaError { _ = try await Node.join(log) }

      #expect(error?.code == .stopped)
      #expect(error?.message.hasPrefix("The snapshot after entry 1 is of reducer ") == true)
      #expect(error?.message.contains(reason) == true)
    }
  }

  @Test func `what a server has sent ends when it joins anew after it`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let (node, other) = (try await Node.join(flaky), try await Node.join(log))
    _ = try await node.post(.didTapBuy("a"))
    flaky.set { .readsNothing }
    await node.waitForStatus { if case .away = $0 { true } else { false } }
    _ = try await other.post(.didTapBuy("b"))
    let (ends, end) = AsyncStream<Void>.makeStream()
    try self.dispatch(.didTapBuy("c"), to: node, for: BacklogEntry { end.finish() })
    await other.wait { $0.buyers == ["a", "b", "c"] }
    try await other.replica.keepSnapshot()
    try await log.trim(keeping: 1, youngerThan: .zero)

    flaky.set { .none }

    for await _ in ends {}
    await node.waitForStatus { $0 == .current }
    #expect(node.store.state == other.store.state)
  }

  /// Sends an action for a post, as an effect does.
  private func dispatch(_ action: ShopAction, to node: Node, for entry: BacklogEntry) throws {
    try BacklogEntry.withCurrent(entry) { try node.store.dispatch(action: action) }
  }

  @Test func `a server that could only join anew from the state of a newer release stops`()
    async throws
  {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let node = try await Node.join(flaky)
    try await self.removeNextEntries(of: node, flaky) {
      for number in 1...3 {
        let entry = try LogEntry(id: "\(number)", node: "other", .didDeliver(1))
        _ = try await log.append([AppendRequest(entry)])
      }
      _ = try await log.save(LogSnapshot(sequence: 3, reducer: 2, digest: "newer", state: Data()))
      try await log.trim(keeping: 1, youngerThan: .zero)
    }

    await node.waitForStatus { if case .stopped = $0 { true } else { false } }
    #expect(node.store.state == Shop())
  }

  /// - Parameter work: Done while the server is cut off from the log.
  private func removeNextEntries(
    of node: Node,
    _ log: FlakyLog,
    _ work: () async throws -> Void
  ) async throws {
    log.set { .away }
    await node.waitForStatus { if case .away = $0 { true } else { false } }
    try await work()
    log.set { .none }
  }

  @Test func `a joining server gets the state from the snapshot and the entries after it`()
    async throws
  {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 4 }
    for number in 1...6 { _ = try await first.post(.didDeliver(number), id: "\(number)") }
    // A snapshot is kept after its entry was answered.
    while try await log.newestSnapshot()?.sequence != 4 { await letOthersGoOn() }

    let second = try await Node.join(log) { $0.snapshotInterval = 4 }

    #expect(second.store.state == first.store.state)
    #expect(second.store.snapshot().version == 6)
    #expect(try await second.post(.didTapBuy("a")) == 7)
    #expect(try await second.post(.didDeliver(1), id: "1") == 1)
    #expect(try await second.post(.didDeliver(6), id: "6") == 6)
    #expect(second.store.state.stock == 23)
  }

  @Test func `a snapshot is kept even if old entries cannot be removed`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didDeliver(1))
    log.set { .trimsNothing }

    try await node.replica.keepSnapshot()

    #expect(try await log.newestSnapshot()?.sequence == 1)
  }

  @Test func `no snapshot is saved if the log has lost the newest entry`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log)
    for _ in 1...3 { _ = try await node.post(.didDeliver(1)) }
    log.set { .losesNewest }

    try await node.replica.keepSnapshot()

    #expect(try await log.newestSnapshot() == nil)
  }

  @Test func `posts go on while a snapshot is being saved`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log) { $0.snapshotInterval = 2 }
    log.set { .holdsSaves }

    for number in 1...6 { _ = try await node.post(.didDeliver(number)) }
    await node.wait { $0.stock == 24 }
    await node.waitForStatus { $0 == .current }
    let before = try await log.newestSnapshot()
    log.set { .none }

    #expect(before == nil)
    while try await log.newestSnapshot()?.sequence != 2 { await letOthersGoOn() }
    _ = try await node.post(.didDeliver(1))
    _ = try await node.post(.didDeliver(1))
    while try await log.newestSnapshot()?.sequence != 8 { await letOthersGoOn() }
  }

  @Test func `a joining server knows which posts were refused before the snapshot`() async throws {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 5 }
    for buyer in ["a", "b", "c"] { _ = try await first.post(.didTapBuy(buyer), id: buyer) }
    let late = try LogEntry(id: "d", node: "other", .didTapBuy("d"))
    _ = try await log.append([AppendRequest(late)])
    _ = try await first.post(.didDeliver(9), id: "delivery")
    while try await log.newestSnapshot()?.sequence != 5 { await letOthersGoOn() }

    let second = try await Node.join(log)

    let refused = await replicaError { _ = try await second.post(.didTapBuy("d"), id: "d") }
    #expect(refused?.code == .refused)
    #expect(try await second.post(.didTapBuy("c"), id: "c") == 3)
    #expect(second.store.state.stock == 9)
  }

  @Test func `a joining server's store continues at the version of the snapshot`() async throws {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 2 }
    for _ in 0..<2 { _ = try await first.post(.didDeliver(1)) }
    while try await log.newestSnapshot() == nil { await letOthersGoOn() }

    let second = try await Node.join(log)

    #expect(second.store.snapshot().version == 2)
    #expect(second.store.rootVersion == 2)
  }
}
