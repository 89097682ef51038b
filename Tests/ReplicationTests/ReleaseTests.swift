import ActionLogs
import Foundation
import ImmutableData
import Replication
import TestSupport
import Testing

/// How a release with another reducer takes over.
@MainActor @Suite(.timeLimit(.minutes(20))) struct ReleaseTests {
  @Test func `a server also stops at a barrier that it finds after an own append`() async throws {
    let log = MemoryLog()
    let (waking, waker) = AsyncStream.makeStream(of: UInt64?.self)
    let answers = Gate()
    let node = try await Node.join(SnapshotlessLog(log: log, waking: waking, answers: answers))
    let other = try LogEntry(id: "other", node: "other", .didDeliver(1))
    _ = try await log.append([AppendRequest(other)])
    let post = Task { try await node.post(.didDeliver(1), id: "own") }
    while try await log.sequence(ofEntry: "own") == nil { await letOthersGoOn() }
    let barrier = LogEntry(
      id: "barrier/shop/2", product: "shop", reducer: 2, node: "newer", payload: Data())
    _ = try await log.append([AppendRequest(barrier)])

    answers.open()
    #expect(try await post.value == 2)
    while try await log.newestSnapshot() == nil { await letOthersGoOn() }
    waker.yield(3)

    await node.waitForStatus {
      $0 == .stopped("A newer release continues the log from entry 3. This one has stopped.")
    }
  }

  @Test func `a server stops when an entry of a newer reducer arrives`() async throws {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))

    let new = try await Node.join(log, reducer: 2)
    _ = try await new.post(.didDeliver(2))
    await old.waitForStatus { if case .stopped = $0 { true } else { false } }
    let late = await replicaError { _ = try await old.post(.didDeliver(3)) }

    #expect(late?.code == .stopped)
    #expect(old.store.state.stock == 4 && new.store.state.stock == 6)
    let newer = try await Node.join(log, reducer: 2)
    #expect(newer.store.state == new.store.state)
  }

  /// A supervisor may start the older one again, before anybody has posted to the newer one.
  @Test func `a server of the older release does not start after the barrier`() async throws {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))
    let new = try await Node.join(log, reducer: 2)
    await old.waitForStatus { if case .stopped = $0 { true } else { false } }

    let again = await replicaError { _ = try await Node.join(log) }

    #expect(again?.message.hasPrefix("The log is at a newer reducer than 1") == true)
    _ = try await new.post(.didDeliver(1))
    #expect(new.store.state.stock == 5)
  }

  /// Its barrier would end the servers of the log's product, and each that starts later.
  @Test(arguments: [false, true])
  func `a server of another product changes nothing in the log`(hasSnapshot: Bool) async throws {
    let log = MemoryLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didDeliver(1))
    if hasSnapshot { try await node.replica.keepSnapshot() }

    for reducer in 0...2 {
      let error = await replicaError {
        _ = try await Node.join(log, reducer: reducer) { $0.product = "bank" }
      }
      #expect(
        error?.message
          == "The log is that of the product shop, and this program is bank. Give it a database of its own."
      )
    }

    #expect(try await node.post(.didDeliver(1)) == 2)
    #expect(try await Node.join(log).store.state.stock == 5)
  }

  @Test(arguments: [true, false])
  func `of two products that begin on an empty log, one gets it`(hasSnapshots: Bool) async throws {
    let log = MemoryLog()
    func join(_ product: String) async -> (Node?, ReplicaError?) {
      var node: Node?
      let error = await replicaError {
        node = try await Node.join(log) { configuration in
          configuration.product = product
          if hasSnapshots == false { configuration.coding = nil }
        }
      }
      return (node, error)
    }

    async let shop = join("shop")
    async let bank = join("bank")
    let joined = await [shop, bank]

    let node = try #require(joined.compactMap(\.0).first)
    #expect(joined.compactMap(\.0).count == 1)
    let (owner, other) = joined[0].0 == nil ? ("bank", "shop") : ("shop", "bank")
    #expect(
      joined.compactMap(\.1?.message) == [
        "The log is that of the product \(owner), and this program is \(other). "
          + "Give it a database of its own."
      ])
    #expect(try await node.post(.didDeliver(1)) == 1)
  }

  @Test func `a new release takes over from one whose states have different digests`() async throws
  {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))
    func join() async throws -> Node {
      try await Node.join(log, reducer: 2) { configuration in
        configuration.coding = SnapshotCoding(
          encode: Shop.coding.encode,
          decode: Shop.coding.decode,
          digest: { "2: \(Shop.coding.digest($0))" }
        )
      }
    }

    let new = try await join()
    #expect(new.store.state.stock == 4)
    // Nothing has happened since.
    await new.replica.leave()
    let newer = try await join()
    _ = try await newer.post(.didDeliver(1))
    try await newer.replica.keepSnapshot()
    let newest = try await join()

    #expect(newest.store.state.stock == 5)
    #expect(try await log.newestSnapshot()?.digest.hasPrefix("2: ") == true)
  }

  @Test func `a new release takes over while visitors post`() async throws {
    let log = MemoryLog()
    let old = [try await Node.join(log), try await Node.join(log)]
    let posts = Task { @MainActor in
      var answered: [UInt64] = []
      var nodes = old
      for number in 0..<300 {
        await letOthersGoOn()
        while true {
          do {
            let node = nodes[number % nodes.count]
            answered.append(try await node.post(.didDeliver(1), id: "\(number)"))
            break
          } catch let error as ReplicaError where error.code == .away {
            await letOthersGoOn()
          } catch let error as ReplicaError where error.code == .stopped {
            nodes = [try await Node.join(log, reducer: 2)]
          }
        }
      }
      return (answered, nodes[0])
    }
    await old[1].wait { $0.stock > 20 }

    let new = try await Node.join(log, reducer: 2)

    let (answered, newer) = try await posts.value
    for node in [new, newer] { await node.wait { $0.stock == 303 } }
    #expect(Set(answered).count == 300)
    for node in old { await node.waitForStatus { if case .stopped = $0 { true } else { false } } }
  }

  @Test func `a new release waits for operations of the older one, which refuses posts meanwhile`()
    async throws
  {
    let (log, runs, gate) = (MemoryLog(), Transcript<String>(), Transcript<String>())
    let (old, listener) = try await ShopListener.join(
      log, "old", runs, deadline: .seconds(60), gate: gate)
    _ = try await old.post(.didTapOrder("tea"))
    await runs.wait { $0 == ["old tea"] }

    let joining = Task { try await Node.join(log, reducer: 2) { $0.patience = .seconds(60) } }
    var refusal: ReplicaError?
    while refusal == nil {
      refusal = await replicaError { _ = try await old.post(.didDeliver(1)) }
      await letOthersGoOn()
    }
    gate.append("go")
    let new = try await joining.value

    #expect(refusal?.code == .away)
    #expect(new.store.state.orders["tea"] == "done")
    withExtendedLifetime(listener) {}
  }

  @Test func `operations that the older release could not end fail when a newer one takes over`()
    async throws
  {
    let (log, runs) = (MemoryLog(), Transcript<String>())
    let (old, oldListener) = try await ShopListener.join(log, "old", runs, isHeld: true)
    _ = try await old.post(.didTapOrder("tea"))
    let lanes = EffectLanes()
    var configuration = ReplicaConfiguration<Shop>(
      node: "new", product: "shop", reducer: 2, coding: Shop.coding)
    configuration.lanes = lanes
    configuration.patience = .milliseconds(100)

    let replica = try await Replica.begin(
      log, configuration, initialState: Shop(), reducer: Shop.reducer)
    let listener = ShopListener("new", runs, replica.store, lanes)
    try await replica.catchUp()
    let new = Node(replica)

    await new.wait { $0.orders["tea"] == "interrupted" }
    withExtendedLifetime((oldListener, listener)) {}
  }

  @Test func `operations of the older release fail even if the answer to the barrier got lost`()
    async throws
  {
    let (log, runs) = (MemoryLog(), Transcript<String>())
    let (old, oldListener) = try await ShopListener.join(log, "old", runs, isHeld: true)
    _ = try await old.post(.didTapOrder("tea"))
    let barrier = LogEntry(
      id: "barrier/shop/2", product: "shop", reducer: 2, node: "new", payload: Data())
    _ = try await log.append([AppendRequest(barrier)])
    await old.waitForStatus { if case .stopped = $0 { true } else { false } }

    let lanes = EffectLanes()
    var configuration = ReplicaConfiguration<Shop>(
      node: "new", product: "shop", reducer: 2, coding: Shop.coding)
    configuration.lanes = lanes
    let replica = try await Replica.begin(
      log, configuration, initialState: Shop(), reducer: Shop.reducer)
    let listener = ShopListener("new", runs, replica.store, lanes)
    try await replica.catchUp()
    let new = Node(replica)

    await new.wait { $0.orders["tea"] == "interrupted" }
    withExtendedLifetime((oldListener, listener)) {}
  }

  /// Several servers of a release may begin with the state at the barrier.
  @Test(arguments: [false, true])
  func `a newer release ends operations of the older one once, however many servers it has`(
    atOnce: Bool
  ) async throws {
    let (log, runs) = (MemoryLog(), Transcript<String>())
    let (old, oldListener) = try await ShopListener.join(log, "old", runs, isHeld: true)
    _ = try await old.post(.didTapOrder("tea"))
    _ = try await old.post(.didTapOrder("coffee"))
    func begin(_ name: String) async throws -> (Replica<Shop, ShopAction>, ShopListener) {
      let lanes = EffectLanes()
      var configuration = ReplicaConfiguration<Shop>(
        node: name, product: "shop", reducer: 2, coding: Shop.coding)
      configuration.lanes = lanes
      configuration.patience = .milliseconds(100)
      let replica = try await Replica.begin(
        log, configuration, initialState: Shop(), reducer: Shop.reducer)
      return (replica, ShopListener(name, runs, replica.store, lanes, isHeld: true))
    }

    let (first, firstListener) = try await begin("first")
    let early = atOnce ? try await begin("second") : nil
    try await first.catchUp()
    let new = Node(first)
    await new.wait { $0.orders == ["tea": "interrupted", "coffee": "interrupted"] }
    _ = try await new.post(.didTapOrder("tea"))
    let (second, secondListener) = if let early { early } else { try await begin("second") }
    try await second.catchUp()
    _ = try await Node(second).post(.didDeliver(1))

    #expect(second.store.state.orders == ["tea": "waiting", "coffee": "interrupted"])
    withExtendedLifetime((oldListener, firstListener, secondListener)) {}
  }

  @Test func `posts go on when an announced release does not take over`() async throws {
    let (log, clock) = (MemoryLog(), ManualClock())
    let node = try await Node.join(log) { $0.clock = clock }
    let announcement = LogEntry(
      id: "barrier/announced/shop/2/newer", product: "shop", reducer: 1, node: "newer",
      payload: Data())

    _ = try await log.append([AppendRequest(announcement)])
    while try await log.sequence(ofEntry: "barrier/ready/shop/2/newer") == nil {
      await letOthersGoOn()
    }
    await clock.sleeps.wait { $0.isEmpty == false }
    let refusal = await replicaError { _ = try await node.post(.didDeliver(1)) }
    clock.advance(by: .seconds(60))
    while await replicaError({ _ = try await node.post(.didDeliver(1)) }) != nil {
      await letOthersGoOn()
    }

    #expect(refusal?.code == .away)
    #expect(node.store.state.stock == 4)
  }

  @Test func `a server that makes way says so even if the log takes nothing at first`() async throws
  {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let node = try await Node.join(flaky) { $0.patience = .seconds(60) }
    await node.waitForStatus { $0 == .current }
    let announcement = LogEntry(
      id: "barrier/announced/shop/2/newer", product: "shop", reducer: 1, node: "newer",
      payload: Data())
    let answer = "barrier/ready/shop/2/newer"
    flaky.set { .readOnly }

    _ = try await log.append([AppendRequest(announcement)])
    await flaky.attempts.wait { $0.contains(answer) }
    flaky.set { .none }

    while try await log.sequence(ofEntry: answer) == nil { await letOthersGoOn() }
    let error = await replicaError { _ = try await node.post(.didDeliver(1)) }
    #expect(error?.message == "A newer release is taking over.")
  }

  @Test func `a new release takes over from a server that could not save its state at first`()
    async throws
  {
    let log = FlakyLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))
    log.set { .savesNothing }

    let joining = Task { @MainActor in try await Node.join(log, reducer: 2) }
    await old.waitForStatus { if case .away = $0 { true } else { false } }
    log.set { .none }

    #expect(try await joining.value.store.state.stock == 4)
    await old.waitForStatus { if case .stopped = $0 { true } else { false } }
  }

  @Test func `a server whose state is too large for the newer release says so`() async throws {
    var limits = LogLimits()
    limits.snapshotBytes = 8
    let log = MemoryLog(limits: limits)
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))

    let error = await replicaError {
      _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .milliseconds(100) }
    }
    var reason: String?
    await old.waitForStatus { status in
      if case .stopped(let message) = status { reason = message }
      return reason != nil
    }

    #expect(error?.message.contains("its last messages say why") == true)
    #expect(reason?.contains("Its state could not be saved for the newer release: ") == true)
    #expect(reason?.contains("at most 8 bytes") == true)
  }

  @Test func `a newer release says what to do when no server of the older one runs`() async throws {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))
    await old.kill()

    let error = await replicaError {
      _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .milliseconds(100) }
    }
    let again = await replicaError { _ = try await Node.join(log) }

    #expect(error?.message.contains("Start one, ") == true)
    #expect(again?.message.contains("A newer release continues the log") == true)
    #expect(try await Node.join(log, reducer: 2).store.state.stock == 4)
  }
}
