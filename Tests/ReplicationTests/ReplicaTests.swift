import ActionLogs
import Foundation
import ImmutableData
import Logging
import Replication
import Synchronization
import TestSupport
import Testing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ReplicaTests {
  @Test func `what is posted at one shows at the other, and its version is its sequence`()
    async throws
  {
    let log = MemoryLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))

    let version = try await first.post(.didTapBuy("a"))
    await second.wait { $0.buyers == ["a"] }
    let next = try await second.post(.didTapBuy("b"))

    #expect([version, next] == [1, 2])
    await first.wait { $0.buyers == ["a", "b"] }
    #expect(first.store.snapshot().version == 2)
    #expect(first.replica.status == .current && first.replica.lag == 0)
  }

  /// It is not reduced on trial before: a resend of what has happened might then be refused.
  @Test func `what was refused is refused again, and what has happened is not`() async throws {
    let log = MemoryLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    for buyer in ["a", "b", "c"] { _ = try await first.post(.didTapBuy(buyer), id: buyer) }

    await #expect(throws: Shop.SoldOut.self) {
      _ = try await first.post(.didTapBuy("d"), id: "d")
    }
    _ = try await first.post(.didDeliver(1))
    await #expect(throws: Shop.SoldOut.self) {
      _ = try await second.post(.didTapBuy("d"), id: "d")
    }
    _ = try await second.post(.didTapBuy("e"))

    #expect(try await second.post(.didTapBuy("c"), id: "c") == 3)
    #expect(second.store.state.buyers == ["a", "b", "c", "e"])
  }

  @Test func `of two who want the last one has it, and the other is told`() async throws {
    let log = MemoryLog()
    let nodes = [try await Node.join(log), try await Node.join(log)]
    _ = try await nodes[0].post(.didTapBuy("a"))
    _ = try await nodes[0].post(.didTapBuy("b"))
    await nodes[1].wait { $0.stock == 1 }

    let posts = nodes.enumerated().map { number, node in
      Task { @MainActor in try await node.post(.didTapBuy("\(number)"), id: "\(number)") }
    }
    let results = [await posts[0].result, await posts[1].result]

    #expect(results.filter { (try? $0.get()) != nil }.count == 1)
    for node in nodes { await node.wait { $0.stock == 0 && $0.buyers.count == 3 } }
    #expect(nodes[0].store.state == nodes[1].store.state)
    let loser = try #require(results.firstIndex { (try? $0.get()) == nil })
    #expect(throws: Shop.SoldOut.self) { try results[loser].get() }
  }

  @Test func `a post with a known id happens once, wherever it is sent`() async throws {
    let log = MemoryLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))

    let posts = [first, second, first].map { node in
      Task { @MainActor in try await node.post(.didTapBuy("a"), id: "once") }
    }
    var versions: [UInt64] = []
    for post in posts { versions.append(try await post.value) }
    let late = try await second.post(.didTapBuy("a"), id: "once")

    #expect(versions == [1, 1, 1] && late == 1)
    #expect(second.store.state.buyers == ["a"])
  }

  @Test func `a post whose answer is lost is sent again and happens once`() async throws {
    let log = FlakyLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    log.set { .losesAnswers }

    let error = await Self.error { _ = try await first.post(.didTapBuy("a"), id: "a") }
    log.set { .none }
    let version = try await second.post(.didTapBuy("a"), id: "a")

    #expect(error?.code == .away)
    #expect(version == 1)
    #expect(second.store.state.buyers == ["a"])
  }

  @Test func `effects run where the action came from, and their results are everywhere`()
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

  @Test func `what effects have to tell waits for the log, in its order`() async throws {
    let log = FlakyLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    log.set { .away }

    for count in 1...5 { try first.store.dispatch(action: .didDeliver(count)) }
    await Self.wait(for: first) { if case .away = $0 { true } else { false } }
    let before = first.store.state.stock
    let refused = await Self.error { _ = try await first.post(.didTapBuy("a")) }
    log.set { .none }
    await second.wait { $0.stock == 18 }

    #expect(before == 3)
    #expect(refused?.code == .away)
    #expect(try await log.page(after: 0, limit: 10).head == 5)
    let stocks = second.states.sorted { $0.key < $1.key }.map(\.value.stock)
    #expect(stocks == [4, 6, 9, 13, 18])
    await Self.wait(for: first) { $0 == .current }
  }

  @Test func `who joins has the state of the others, from the snapshot and what follows`()
    async throws
  {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 4 }
    for number in 1...6 { _ = try await first.post(.didDeliver(number), id: "\(number)") }
    // A snapshot is kept after its entry was answered.
    while try await log.newestSnapshot()?.sequence != 4 { await pause() }

    let second = try await Node.join(log) { $0.snapshotInterval = 4 }

    #expect(second.store.state == first.store.state)
    #expect(second.store.snapshot().version == 6)
    #expect(try await second.post(.didTapBuy("a")) == 7)
    #expect(try await second.post(.didDeliver(1), id: "1") == 1)
    #expect(try await second.post(.didDeliver(6), id: "6") == 6)
    #expect(second.store.state.stock == 23)
  }

  @Test func `who joins knows what was refused before the snapshot`() async throws {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 5 }
    for buyer in ["a", "b", "c"] { _ = try await first.post(.didTapBuy(buyer), id: buyer) }
    await #expect(throws: Shop.SoldOut.self) {
      _ = try await first.post(.didTapBuy("d"), id: "d")
    }
    _ = try await first.post(.didDeliver(9), id: "delivery")
    while try await log.newestSnapshot()?.sequence != 5 { await pause() }

    let second = try await Node.join(log)

    let refused = await Self.error { _ = try await second.post(.didTapBuy("d"), id: "d") }
    #expect(refused?.code == .refused)
    #expect(try await second.post(.didTapBuy("c"), id: "c") == 3)
    #expect(second.store.state.stock == 9)
  }

  @Test func `the effects of a server that has ended run elsewhere, and tell once`() async throws {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, firstListener) = try await Self.joinWithLanes(log, "first", runs, isHeld: true)
    let (second, secondListener) = try await Self.joinWithLanes(log, "second", runs)
    let (third, thirdListener) = try await Self.joinWithLanes(log, "third", runs)
    _ = try await first.post(.didTapOrder("tea"))
    for node in [second, third] { await node.wait { $0.orders["tea"] == "waiting" } }
    while runs.entries.isEmpty { await pause() }

    await first.kill()

    for node in [second, third] { await node.wait { $0.orders["tea"] == "done" } }
    #expect(runs.entries.first == "first tea" && runs.entries.count > 1)
    // On a busy machine a server that lives may be taken for one that has ended.
    let entries = try await log.page(after: 0, limit: 100).entries
    #expect(entries.map(\.entry.id).dropFirst() == ["1/0/order/1"])
    withExtendedLifetime((firstListener, secondListener, thirdListener)) {}
  }

  @Test func `what two servers tell of one effect is in the log once`() async throws {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, listener) = try await Self.joinWithLanes(log, "first", runs)
    let (second, secondListener) = try await Self.joinWithLanes(log, "second", runs)
    let version = try await first.post(.didTapOrder("tea"))
    for node in [first, second] { await node.wait { $0.orders["tea"] == "done" } }

    let again = AppendRequest(
      try LogEntry(
        id: "\(version)/0/order/1", node: "second", .didOrder("tea", result: "done")))

    #expect(try await log.append([again]) == [.known(sequence: version + 1)])
    withExtendedLifetime((listener, secondListener)) {}
  }

  @Test func `what waits in a snapshot, and nobody carries out, is ended`() async throws {
    let log = MemoryLog()
    let runs = Transcript<String>()
    let (first, listener) = try await Self.joinWithLanes(log, "first", runs, isHeld: true)
    _ = try await first.post(.didTapOrder("tea"))
    try await first.replica.keepSnapshot()
    await first.kill()

    let (second, secondListener) = try await Self.joinWithLanes(log, "second", runs)
    let (third, thirdListener) = try await Self.joinWithLanes(log, "third", runs)

    for node in [second, third] { await node.wait { $0.orders["tea"] == "interrupted" } }
    #expect(runs.entries == ["first tea"])
    #expect(try await log.page(after: 1, limit: 10).entries.count == 1)
    withExtendedLifetime((listener, secondListener, thirdListener)) {}
  }

  /// - Parameters:
  ///   - isHeld: Whether its effects do not end.
  ///   - isFollowing: Whether it follows deliveries from outside.
  private static func joinWithLanes(
    _ log: MemoryLog,
    _ name: String,
    _ runs: Transcript<String>,
    isHeld: Bool = false,
    isFollowing: Bool = false
  ) async throws -> (Node, ShopListener) {
    let lanes = EffectLanes(deadline: .seconds(2))
    let node = try await Node.join(log, node: name) {
      $0.lanes = lanes
      $0.lease = .seconds(1)
    }
    return (
      node, ShopListener(name, runs, node.store, lanes, isHeld: isHeld, isFollowing: isFollowing)
    )
  }

  @Test func `what happens outside is followed by one server, and by another when that ends`()
    async throws
  {
    // The log's clock stands still, so that nobody loses a lease because the machine is busy.
    let time = Mutex(ContinuousClock.now)
    let (log, runs) = (MemoryLog(now: { time.withLock { $0 } }), Transcript<String>())
    let (first, firstListener) = try await Self.joinWithLanes(log, "first", runs, isFollowing: true)
    await runs.wait { $0.contains("first follows") }
    let (second, secondListener) = try await Self.joinWithLanes(
      log, "second", runs, isFollowing: true)
    await second.wait { $0.stock == 4 }

    await first.kill()
    await runs.wait { $0.contains("first ends") }
    time.withLock { $0 += .seconds(10) }
    await second.wait { $0.stock == 5 }

    #expect(runs.entries == ["first follows", "first ends", "second follows"])
    withExtendedLifetime((firstListener, secondListener)) {}
  }

  @Test func `a store at a version goes on from there with windows that know it`() async throws {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 2 }
    for _ in 0..<2 { _ = try await first.post(.didDeliver(1)) }
    while try await log.newestSnapshot() == nil { await pause() }

    let second = try await Node.join(log)

    #expect(second.store.snapshot().version == 2)
    #expect(second.store.rootVersion == 2)
  }

  @Test func `a state that differs from the others stops its server`() async throws {
    let log = MemoryLog()
    let wrong = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      var shop = try Shop.reducer.reduce(state: shop, action: action)
      shop.stock += 1
      return shop
    }
    let first = try await Node.join(log) { $0.snapshotInterval = 2 }
    for _ in 0..<2 { _ = try await first.post(.didDeliver(1)) }
    while try await log.newestSnapshot() == nil { await pause() }

    let second = await Self.error {
      _ = try await Node.join(log) { configuration in
        configuration.snapshotInterval = 2
        configuration.coding = SnapshotCoding(
          encode: Shop.coding.encode, decode: Shop.coding.decode,
          digest: { "other \(Shop.coding.digest($0))" })
      }
    }
    // It does not begin with the snapshot, and folds the same entries otherwise.
    let third = await Self.error {
      _ = try await Node.join(
        SnapshotlessLog(log: log), change: { $0.snapshotInterval = 2 }, reduce: wrong)
    }

    #expect(second?.code == .stopped)
    #expect(third?.code == .stopped)
    #expect(third?.message.contains("entry 2") == true)
  }

  @Test func `a server whose state has become wrong stops, and says where`() async throws {
    let log = MemoryLog()
    let isSpoilt = Mutex(false)
    // As if its memory were damaged, once: the same entry is later reduced as it should be.
    let spoiling = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      var shop = try Shop.reducer.reduce(state: shop, action: action)
      if action == .didDeliver(6), isSpoilt.withLock({ exchange(&$0, true) }) == false {
        shop.stock += 1
      }
      return shop
    }
    let lines = Transcript<String>()
    let first = try await Node.join(log, node: "first") {
      $0.markInterval = 4
      $0.logger = Logger(label: "first") { _ in LineLog(lines: lines) }
    }
    let second = try await Node.join(
      log, node: "second", change: { $0.markInterval = 4 }, reduce: spoiling)
    for count in 1...8 { _ = try await first.post(.didDeliver(count)) }
    await second.wait { $0.stock == 3 + 36 + 1 }

    // What the second tells of its state, the first finds wrong.
    while lines.entries.isEmpty {
      _ = try await second.post(.didTapBuy("second"), id: UUID().uuidString)
      _ = try await second.post(.didDeliver(1))
    }
    #expect(first.replica.status == .current)
    #expect(lines.entries.count == 1)
    #expect(lines.entries.first?.contains("Another server has another state") == true)
    #expect(lines.entries.first?.contains("second") == true)

    // What the first tells of its state, the second finds right.
    var reason: String?
    while reason == nil {
      _ = try await first.post(.didDeliver(1))
      if case .stopped(let message) = second.replica.status { reason = message }
    }
    #expect(reason?.hasPrefix("After entry 8 the state is not what the log leads to") == true)
    #expect(reason?.contains("; after entry 4 it was") == true)
    #expect(reason?.contains("it differs in stock. Start it again") == true)
    #expect(first.replica.status == .current)

    let again = try await Node.join(log)
    #expect(again.store.state == first.store.state)
  }

  @Test func `an entry that cannot be read stops the server, and skips nothing`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(log)
    let entry = LogEntry(
      id: "x", product: "shop", reducer: 1, node: "other", payload: Data(#"{"new":{}}"#.utf8))

    _ = try await log.append([AppendRequest(entry)])
    await Self.wait(for: node) { if case .stopped = $0 { true } else { false } }
    let error = await Self.error { _ = try await node.post(.didDeliver(1)) }

    #expect(error?.code == .stopped)
    #expect(
      node.replica.status
        == .stopped(
          "Entry 1 has no action of this release. "
            + "Start the release that wrote it."))
    #expect(node.store.state == Shop())
  }

  @Test func `no entry is reduced by two reducers`() async throws {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))

    let new = try await Node.join(log, reducer: 2)
    _ = try await new.post(.didDeliver(2))
    await Self.wait(for: old) { if case .stopped = $0 { true } else { false } }
    let late = await Self.error { _ = try await old.post(.didDeliver(3)) }

    #expect(late?.code == .stopped)
    #expect(old.store.state.stock == 4 && new.store.state.stock == 6)
    let newer = try await Node.join(log, reducer: 2)
    #expect(newer.store.state == new.store.state)
  }

  @Test func `a release follows another whose states have other digests`() async throws {
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

  @Test func `a release follows another while visitors post`() async throws {
    let log = MemoryLog()
    let old = [try await Node.join(log), try await Node.join(log)]
    let posts = Task { @MainActor in
      var answered: [UInt64] = []
      var nodes = old
      for number in 0..<300 {
        await pause()
        while true {
          do {
            let node = nodes[number % nodes.count]
            answered.append(try await node.post(.didDeliver(1), id: "\(number)"))
            break
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
    for node in old { await Self.wait(for: node) { if case .stopped = $0 { true } else { false } } }
  }

  @Test func `without a server of the older release a newer one says what to do`() async throws {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))
    await old.kill()

    let error = await Self.error {
      _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .milliseconds(100) }
    }
    let again = await Self.error { _ = try await Node.join(log) }

    #expect(error?.message.contains("Start one of them") == true)
    #expect(again?.message.contains("A newer release goes on with the log") == true)
    #expect(try await Node.join(log, reducer: 2).store.state.stock == 4)
  }

  @Test func `whoever waits for a server that ends is told`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didDeliver(1))
    await node.kill()

    let error = await Self.error { _ = try await node.post(.didDeliver(1)) }

    #expect(error?.code == .stopped)
  }

  private static func error(_ work: () async throws -> Void) async -> ReplicaError? {
    do {
      try await work()
      return nil
    } catch {
      return error as? ReplicaError
    }
  }

  private static func wait(
    for node: Node,
    until isMet: (ReplicaStatus) -> Bool
  ) async {
    while isMet(node.replica.status) == false { await pause() }
  }
}

/// Orders what is to be ordered.
@MainActor private final class ShopListener: EffectListener<Shop, ShopAction> {
  private let name: String
  private let runs: Transcript<String>
  private let isHeld: Bool

  init(
    _ name: String,
    _ runs: Transcript<String>,
    _ store: Store<Shop, ShopAction>,
    _ lanes: EffectLanes = EffectLanes(),
    isHeld: Bool = false,
    isFollowing: Bool = false
  ) {
    self.name = name
    self.runs = runs
    self.isHeld = isHeld
    let deliveries = OutsideEvents<Shop, ShopAction>("deliveries") { following in
      runs.append("\(name) follows")
      try await following.store.dispatch(action: .didDeliver(1))
      defer { runs.append("\(name) ends") }
      try await Task.sleep(for: .seconds(3_600))
    }
    super.init(lanes: lanes, label: "shop", outside: isFollowing ? [deliveries] : [])
    self.listen(to: store)
  }

  override func interrupted(in state: Shop) -> [ShopAction] {
    state.orders.filter { $0.value == "waiting" }.keys.sorted()
      .map { .didOrder($0, result: "interrupted") }
  }

  override func effects(_ oldState: Shop, _ state: Shop, _ action: ShopAction) -> [Effect] {
    guard case .didTapOrder(let order) = action else { return [] }
    let thunk: Effect.Thunk = { [name, runs, isHeld] dispatcher, _ in
      runs.append("\(name) \(order)")
      if isHeld { try await Task.sleep(for: .seconds(3_600)) }
      try await dispatcher.dispatch(action: .didOrder(order, result: "done"))
    }
    return [Effect("order", while: { $0.orders[order] == "waiting" }, thunk)]
  }
}

/// A log whose snapshots cannot be read, only compared.
private struct SnapshotlessLog: ActionLog {
  let log: MemoryLog

  var limits: LogLimits { self.log.limits }
  func append(_ requests: [AppendRequest]) async throws -> [AppendAnswer] {
    try await self.log.append(requests)
  }
  func page(after sequence: UInt64, limit: Int) async throws -> LogPage {
    try await self.log.page(after: sequence, limit: limit)
  }
  func sequence(ofEntry id: String) async throws -> UInt64? {
    try await self.log.sequence(ofEntry: id)
  }
  func wakes() -> AsyncStream<UInt64?> { self.log.wakes() }
  func save(_ snapshot: LogSnapshot) async throws -> String { try await self.log.save(snapshot) }
  func newestSnapshot() async throws -> LogSnapshot? { nil }
  func trim(keeping snapshots: Int, youngerThan age: Duration) async throws {}
  func acquireLease(_ name: String, holder: String, for duration: Duration) async throws -> Lease? {
    nil
  }
  func renew(_ lease: Lease, for duration: Duration) async throws -> Bool { false }
  func release(_ lease: Lease) async throws {}
  func fact(_ name: String, orElse value: Data) async throws -> Data { value }
}

/// Keeps what is logged at level error or above.
private struct LineLog: LogHandler {
  let lines: Transcript<String>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.error

  init(lines: Transcript<String>) {
    self.lines = lines
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { self.metadata[key] }
    set { self.metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    self.lines.append("\(event.message) \(event.metadata ?? [:])")
  }
}

private func exchange(_ value: inout Bool, _ new: Bool) -> Bool {
  defer { value = new }
  return value
}
