import ActionLogs
import ImmutableData
import Replication
import Synchronization
import TestSupport
import Testing

/// What happens to effects whose end the state does not show, when their server ends.
// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct EndTests {
  // Leases expire only when a test sets the log's clock.
  private let clock = Clock()
  private let log: FlakyLog
  private let runs = Transcript<String>()
  private let gate = Gate()

  init() {
    self.log = FlakyLog(MemoryLog(now: { [clock] in clock.now.withLock { $0 } }))
  }

  private final class Clock: Sendable {
    let now = Mutex(ContinuousClock.now)
  }

  /// A server that sends a mail for each order.
  ///
  /// - Parameter isHeld: Whether the mail is sent only when the gate is open.
  private func join(_ name: String, isHeld: Bool = false) async throws
    -> (Node, Subscription, EffectLanes)
  {
    let lanes = EffectLanes()
    let node = try await Node.join(self.log, node: name) {
      $0.lanes = lanes
      $0.lease = .milliseconds(60)
    }
    let listening = lanes.listen(to: node.store) { [runs, gate] _, _, action in
      guard case .didTapOrder(let order) = action else { return [] }
      let mail = Effect<Shop, ShopAction>("mail") { _, _ in
        runs.append("\(name) \(order)")
        if isHeld { await gate.wait() }
      }
      return [mail]
    }
    return (node, listening, lanes)
  }

  /// Orders tea at the first server, and waits until both know it, and the mail has begun there.
  private func orderTea(_ first: Node, _ second: Node) async throws {
    _ = try await first.post(.didTapOrder("tea"))
    await second.wait { $0.orders["tea"] == "waiting" }
    await self.runs.wait { $0 == ["first tea"] }
  }

  private func end(_ node: Node) async {
    await node.kill()
    await node.replica.leave()
  }

  /// Waits until a server has looked for servers that have ended.
  private func look(_ name: String) async {
    let count = self.log.leases.entries.count
    await self.log.leases.wait { leases in
      leases.dropFirst(count).filter { $0 == "\(name): node/\(name)" }.count > 2
    }
  }

  @Test func `effects that ended before their server do not run again on another`() async throws {
    let (first, listening, lanes) = try await self.join("first")
    let (second, secondListening, _) = try await self.join("second")
    try await self.orderTea(first, second)
    while lanes.count > 0 { await letOthersGoOn() }

    await self.end(first)
    await self.look("second")

    #expect(self.log.leases.entries.contains("second: node/first"))
    #expect(self.runs.entries == ["first tea"])
    withExtendedLifetime((listening, secondListening)) {}
  }

  @Test func `a server that ends does not take a lease again that it has given up`() async throws {
    let (node, listening, _) = try await self.join("first")
    let (held, gate) = (Transcript<String>(), Gate())
    // The server ends while it is about to take the lease.
    self.log.willAcquire { name in
      guard name == "leader", held.entries.isEmpty else { return }
      held.append(name)
      await gate.wait()
    }
    await held.wait { $0.count == 1 }
    await node.kill()

    let leaving = Task { await node.replica.leave() }
    for _ in 0..<1_000 { await Task.yield() }
    gate.open()
    await leaving.value
    for _ in 0..<1_000 { await Task.yield() }

    #expect(try await self.log.acquireLease("leader", holder: "second", for: .seconds(3)) != nil)
    withExtendedLifetime(listening) {}
  }

  @Test func `effects that a server gives up as it ends run on another`() async throws {
    defer { self.gate.open() }
    let (first, listening, _) = try await self.join("first", isHeld: true)
    let (second, secondListening, _) = try await self.join("second")
    try await self.orderTea(first, second)

    await self.end(first)

    await self.runs.wait { $0 == ["first tea", "second tea"] }
    withExtendedLifetime((listening, secondListening)) {}
  }

  @Test func `effects that had not begun when a server ends run on another`() async throws {
    defer { self.gate.open() }
    let (first, listening, _) = try await self.join("first", isHeld: true)
    let (second, secondListening, _) = try await self.join("second")
    self.log.set { .holdsAppends }
    let post = Task { try await first.post(.didTapOrder("tea"), id: "tea") }
    await self.log.attempts.wait { $0.contains("tea") }

    await first.kill()
    self.log.set { .none }
    await second.wait { $0.orders["tea"] == "waiting" }
    await first.replica.leave()

    await self.runs.wait { $0.contains("second tea") }
    _ = await post.result
    withExtendedLifetime((listening, secondListening)) {}
  }

  @Test func `a lease that ended in an outage is acquired again while its effects run here`()
    async throws
  {
    defer { self.gate.open() }
    let (first, listening, _) = try await self.join("first", isHeld: true)
    let (second, secondListening, _) = try await self.join("second", isHeld: true)
    try await self.orderTea(first, second)
    await self.end(first)
    await self.runs.wait { $0 == ["first tea", "second tea"] }

    self.clock.now.withLock { $0 += .seconds(1) }
    await self.look("second")

    #expect(self.log.leases.entries.filter { $0 == "second: node/first" }.count == 2)
    withExtendedLifetime((listening, secondListening)) {}
  }
}
