import ActionLogs
import ImmutableData
import Logging
import Replication
import Synchronization
import TestSupport
import Testing

/// Which server runs an effect, and which one follows outside events.
@MainActor @Suite(.timeLimit(.minutes(20))) struct SharedEffectTests {
  @Test func `effects run on the action's own server, and results reach every server`()
    async throws
  {
    let log = MemoryLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    let runs = Transcript<String>()
    let listeners = [
      ShopListener("first", runs, first.store), ShopListener("second", runs, second.store),
    ]

    _ = try await first.post(.didTapOrder("a"))
    _ = try await second.post(.didTapOrder("b"))
    for node in [first, second] { await node.wait { $0.orders == ["a": "done", "b": "done"] } }

    withExtendedLifetime(listeners) {}
    #expect(Set(runs.entries) == ["first a", "second b"])
    #expect(runs.entries.count == 2)
  }

  @Test func `a server that gets no lease logs that, once for each time`() async throws {
    let log = FlakyLog()
    let lines = Transcript<String>()
    let node = try await Node.join(log) {
      $0.lanes = EffectLanes()
      $0.lease = .milliseconds(30)
      $0.logger = Logger(label: "node") { _ in LineLog(lines: lines) }
    }
    let line = #"The lease cannot be extended ["error": The log has no leases.]"#

    log.set { .refusesLeases }
    await log.refusedLeases.wait { $0.count >= 3 }
    await lines.wait { $0.contains(line) }
    log.set { .none }
    let count = log.leases.entries.count
    await log.leases.wait { $0.count >= count + 6 }
    let refused = log.refusedLeases.entries.count
    log.set { .refusesLeases }
    await log.refusedLeases.wait { $0.count >= refused + 3 }
    await lines.wait { $0.filter { $0 == line }.count >= 2 }
    log.set { .none }
    let last = log.leases.entries.count
    await log.leases.wait { $0.count >= last + 2 }

    #expect(lines.entries.filter { $0 == line }.count == 2)
    withExtendedLifetime(node) {}
  }

  @Test func `an effect whose result is too large for the log fails at once`() async throws {
    var limits = LogLimits()
    limits.entryBytes = 400
    let log = MemoryLog(limits: limits)
    let node = try await Node.join(log)
    let operations = Operations<String>()
    let lanes = EffectLanes()
    let listening = lanes.listen(to: node.store) { _, _, action in
      guard case .didTapOrder(let order) = action else { return [] }
      let thunk: Effect<Shop, ShopAction>.Thunk = operations.query { _ in
        String(repeating: "x", count: 500)
      } actions: { result, _, _ in
        switch result {
        case .success(let text): [.didOrder(order, result: text)]
        case .failure(let failure): [.didOrder(order, result: failure.reason)]
        }
      }
      return [Effect("order", thunk)]
    }

    _ = try await node.post(.didTapOrder("tea"))
    await node.wait { $0.orders["tea"] != "waiting" }

    #expect(
      node.store.state.orders["tea"]
        == "This is more than can be saved at once. Nothing has changed.")
    withExtendedLifetime(listening) {}
  }

  @Test func `effects of a server that ended run on another, and report once`() async throws {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, firstListener) = try await ShopListener.join(log, "first", runs, isHeld: true)
    let (second, secondListener) = try await ShopListener.join(log, "second", runs)
    let (third, thirdListener) = try await ShopListener.join(log, "third", runs)
    _ = try await first.post(.didTapOrder("tea"))
    for node in [second, third] { await node.wait { $0.orders["tea"] == "waiting" } }
    while runs.entries.isEmpty { await letOthersGoOn() }

    await first.kill()

    for node in [second, third] { await node.wait { $0.orders["tea"] == "done" } }
    #expect(runs.entries.first == "first tea" && runs.entries.count > 1)
    // On a busy machine a server that lives may be taken for one that has ended.
    let entries = try await log.page(after: 0, limit: 100).entries
    #expect(entries.map(\.entry.id).dropFirst() == ["1/0/order/didOrder/1"])
    withExtendedLifetime((firstListener, secondListener, thirdListener)) {}
  }

  @Test func `effects of a server that ended run on one other server until they end`() async throws
  {
    // The log's clock stands still, so that nobody loses a lease because the machine is busy.
    let time = Mutex(ContinuousClock.now)
    let lease = Duration.milliseconds(60)
    let log = FlakyLog(MemoryLog(now: { time.withLock { $0 } }))
    let runs = Transcript<String>()
    var nodes: [(Node, ShopListener)] = []
    for name in ["first", "second", "third"] {
      nodes.append(
        try await ShopListener.join(
          log, name, runs, lease: lease, deadline: .seconds(60), isHeld: true))
    }
    _ = try await nodes[0].0.post(.didTapOrder("tea"))
    for (node, _) in nodes { await node.wait { $0.orders["tea"] == "waiting" } }
    await runs.wait { $0.isEmpty == false }

    await nodes[0].0.kill()
    time.withLock { $0 += lease * 2 }
    await runs.wait { $0.count > 1 }
    for _ in 1...10 {
      let count = log.leases.entries.count
      // Each server has looked for servers that have ended since the last move of the clock.
      await log.leases.wait { leases in
        ["second", "third"].allSatisfy { name in
          leases.dropFirst(count).filter { $0 == "\(name): node/\(name)" }.count > 1
        }
      }
      time.withLock { $0 += lease * 2 / 3 }
    }

    #expect(runs.entries.count == 2)
    withExtendedLifetime(nodes) {}
  }

  @Test func `an effect that ended after its first action is finished elsewhere without it`()
    async throws
  {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, listener) = try await ShopListener.join(
      log, "first", runs, deadline: .seconds(120), isHeld: true, isDelivering: true)
    let (second, secondListener) = try await ShopListener.join(
      log, "second", runs, deadline: .seconds(120))
    _ = try await first.post(.didTapOrder("tea"))
    await second.wait { $0.stock == 4 }

    await first.kill()
    await second.wait { $0.orders["tea"] != "waiting" }

    #expect(second.store.state.orders["tea"] == "done")
    #expect(
      try await log.page(after: 1, limit: 100).entries.map(\.entry.id)
        == ["1/0/order/didDeliver/1", "1/0/order/didOrder/1"])
    withExtendedLifetime((listener, secondListener)) {}
  }

  @Test func `the log holds an effect's result once when two servers report it`() async throws {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, listener) = try await ShopListener.join(log, "first", runs)
    let (second, secondListener) = try await ShopListener.join(log, "second", runs)
    let version = try await first.post(.didTapOrder("tea"))
    for node in [first, second] { await node.wait { $0.orders["tea"] == "done" } }

    let again = AppendRequest(
      try LogEntry(
        id: "\(version)/0/order/didOrder/1", node: "second", .didOrder("tea", result: "done")))

    #expect(try await log.append([again]) == [.known(sequence: version + 1)])
    withExtendedLifetime((listener, secondListener)) {}
  }

  /// The first was only slow: it has lost its lease, and its effect goes on.
  @Test(arguments: [["first", "second"], ["second", "first"]])
  func `an effect that runs on two servers takes effect once, and the first result counts`(
    order: [String]
  ) async throws {
    let time = Mutex(ContinuousClock.now)
    let log = MemoryLog(now: { time.withLock { $0 } })
    let runs = Transcript<String>()
    var nodes: [String: (node: Node, listener: ShopListener)] = [:]
    let gates = ["first": Transcript<String>(), "second": Transcript<String>()]
    for (name, gate) in gates {
      nodes[name] = try await ShopListener.join(
        log, name, runs, deadline: .seconds(120), gate: gate, result: name)
    }
    _ = try await nodes["first"]?.node.post(.didTapOrder("tea"))
    await nodes["second"]?.node.wait { $0.orders["tea"] == "waiting" }
    await runs.wait { $0 == ["first tea"] }
    while try await log.acquireLease("node/first", holder: "second", for: .seconds(1)) == nil {
      time.withLock { $0 += .seconds(10) }
    }
    await runs.wait { $0 == ["first tea", "second tea"] }

    for name in order {
      let (node, listener) = try #require(nodes[name])
      gates[name]?.append("tea")
      while listener.effectCount > 0 { await letOthersGoOn() }
      // Its entry follows the result.
      _ = try await node.post(.didDeliver(1))
    }

    for (node, _) in nodes.values { await node.wait { $0.stock == 5 } }
    #expect(nodes.values.map { $0.node.store.state.orders["tea"] } == [order[0], order[0]])
    let ids = try await log.page(after: 1, limit: 10).entries.map(\.entry.id)
    #expect(ids.count == 3 && ids.contains("1/0/order/didOrder/1"))
  }

  @Test func `a server that was only slow keeps its later effects, and gets its lease back`()
    async throws
  {
    let time = Mutex(ContinuousClock.now)
    let log = FlakyLog(MemoryLog(now: { time.withLock { $0 } }))
    let (runs, gate) = (Transcript<String>(), Transcript<String>())
    let (first, listener) = try await ShopListener.join(
      log, "first", runs, deadline: .seconds(120), isHeld: true)
    let (second, secondListener) = try await ShopListener.join(
      log, "second", runs, deadline: .seconds(120), gate: gate)
    _ = try await first.post(.didTapOrder("tea"))
    await second.wait { $0.orders["tea"] == "waiting" }
    while try await log.acquireLease("node/first", holder: "second", for: .seconds(1)) == nil {
      time.withLock { $0 += .seconds(10) }
    }
    await runs.wait { $0.contains("second tea") }

    _ = try await first.post(.didTapOrder("coffee"))
    await second.wait { $0.orders["coffee"] == "waiting" }
    let looked = log.leases.entries.count
    await log.leases.wait { $0.dropFirst(looked).filter { $0 == "second: node/second" }.count > 1 }
    #expect(runs.entries.contains("second coffee") == false)
    gate.append("tea")
    await second.wait { $0.orders["tea"] == "done" }
    let ended = log.leases.entries.count

    await log.leases.wait { $0.dropFirst(ended).contains("first: node/first") }
    withExtendedLifetime((listener, secondListener)) {}
  }

  @Test func `operations waiting in a snapshot end as interrupted when nobody can run them`()
    async throws
  {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, listener) = try await ShopListener.join(log, "first", runs, isHeld: true)
    _ = try await first.post(.didTapOrder("tea"))
    try await first.replica.keepSnapshot()
    await first.kill()

    let (second, secondListener) = try await ShopListener.join(
      log, "second", runs, deadline: .seconds(2))
    let (third, thirdListener) = try await ShopListener.join(
      log, "third", runs, deadline: .seconds(2))

    for node in [second, third] { await node.wait { $0.orders["tea"] == "interrupted" } }
    #expect(runs.entries == ["first tea"])
    #expect(try await log.page(after: 1, limit: 10).entries.count == 1)
    withExtendedLifetime((listener, secondListener, thirdListener)) {}
  }

  /// It would otherwise end operations that others have begun since.
  @Test func `a server that is behind ends no operation that the leader has ended`() async throws {
    let time = Mutex(ContinuousClock.now)
    let shared = MemoryLog(now: { time.withLock { $0 } })
    let (log, slowLog) = (FlakyLog(shared), FlakyLog(shared))
    let runs = Transcript<String>()
    let (lease, deadline) = (Duration.milliseconds(60), Duration.milliseconds(10))
    let (first, listener) = try await ShopListener.join(shared, "first", runs, isHeld: true)
    _ = try await first.post(.didTapOrder("tea"))
    try await first.replica.keepSnapshot()
    await first.kill()
    time.withLock { $0 += .seconds(2) }
    log.set { .holdsAppends }
    let (leader, leadersListener) = try await ShopListener.join(
      log, "leader", runs, lease: lease, deadline: deadline)
    await log.leases.wait { $0.contains("leader: leader") }
    let (slow, slowListener) = try await ShopListener.join(
      slowLog, "slow", runs, lease: lease, deadline: deadline)

    slowLog.set { .away }
    log.set { .none }
    await leader.wait { $0.orders["tea"] == "interrupted" }
    for _ in 0..<6 {
      let (renewals, rounds) = (log.leases.entries.count, slowLog.leases.entries.count)
      time.withLock { $0 += lease / 2 }
      await log.leases.wait {
        $0.dropFirst(renewals).filter { $0 == "leader: leader" }.count > 1
      }
      await slowLog.leases.wait {
        $0.dropFirst(rounds).filter { $0 == "slow: node/slow" }.count > 1
      }
    }
    slowLog.set { .none }

    #expect(try await slow.post(.didDeliver(1)) == 3)
    withExtendedLifetime((listener, leadersListener, slowListener)) {}
  }

  @Test func `one server follows outside events, and another takes over when it ends`()
    async throws
  {
    // The log's clock stands still, so that nobody loses a lease because the machine is busy.
    let time = Mutex(ContinuousClock.now)
    let (log, runs) = (MemoryLog(now: { time.withLock { $0 } }), Transcript<String>())
    let (first, firstListener) = try await ShopListener.join(log, "first", runs, isFollowing: true)
    await runs.wait { $0.contains("first follows") }
    let (second, secondListener) = try await ShopListener.join(
      log, "second", runs, isFollowing: true)
    await second.wait { $0.stock == 4 }

    await first.kill()
    await runs.wait { $0.contains("first ends") }
    time.withLock { $0 += .seconds(10) }
    await second.wait { $0.stock == 5 }

    #expect(runs.entries == ["first follows", "first ends", "second follows"])
    withExtendedLifetime((firstListener, secondListener)) {}
  }

  /// What it reported in between may have been fenced off.
  @Test func `a leader whose lease ended follows outside events anew when it leads again`()
    async throws
  {
    let time = Mutex(ContinuousClock.now)
    let log = MemoryLog(now: { time.withLock { $0 } })
    let runs = Transcript<String>()
    let (node, listener) = try await ShopListener.join(log, "first", runs, isFollowing: true)
    await node.wait { $0.stock == 4 }

    time.withLock { $0 += .seconds(10) }
    await node.wait { $0.stock == 5 }

    #expect(runs.entries == ["first follows", "first ends", "first follows"])
    withExtendedLifetime(listener) {}
  }

  @Test func `a leader that was stopped past its lease reports no outside events`() async throws {
    let time = Mutex(ContinuousClock.now)
    let log = MemoryLog(now: { time.withLock { $0 } })
    let (runs, gate) = (Transcript<String>(), Transcript<String>())
    let (first, listener) = try await ShopListener.join(
      log, "first", runs, gate: gate, isFollowing: true)
    await first.wait { $0.stock == 4 }

    while try await log.acquireLease("leader", holder: "second", for: .seconds(1)) == nil {
      time.withLock { $0 += .seconds(10) }
    }
    gate.append("something happens")
    await runs.wait { $0.contains("first reports") }
    _ = try await first.post(.didDeliver(1))

    #expect(first.store.state.stock == 5)
    withExtendedLifetime(listener) {}
  }

  @Test func `a server that ends gives up its leases before it saves a snapshot`() async throws {
    // No lease expires, because the log's clock stands still.
    let now = ContinuousClock.now
    let log = FlakyLog(MemoryLog(now: { now }))
    let (node, listener) = try await ShopListener.join(log, "first", Transcript<String>())
    _ = try await node.post(.didDeliver(1))
    await node.kill()
    log.set { .holdsSaves }

    let leaving = Task { await node.replica.leave() }
    while try await log.acquireLease("node/first", holder: "second", for: .seconds(3)) == nil {
      await letOthersGoOn()
    }
    #expect(try await log.newestSnapshot() == nil)
    log.set { .none }
    await leaving.value

    #expect(try await log.newestSnapshot()?.sequence == 1)
    withExtendedLifetime(listener) {}
  }
}
