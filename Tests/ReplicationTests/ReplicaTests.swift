import ActionLogs
import Foundation
import ImmutableData
import Logging
import Replication
import Synchronization
import TestSupport
import Testing
import Tracing

@MainActor @Suite(.timeLimit(.minutes(5))) struct ReplicaTests {
  @Test func `a post to one server shows at the other, with its log sequence as its version`()
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
    await Self.wait(for: first) { $0 == .current }
    #expect(first.replica.lag.entries == 0)
  }

  /// It is not reduced on trial before: a resend of what has happened might then be refused.
  @Test func `a resent post gets its first outcome, refused or accepted`() async throws {
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

  @Test func `when two servers sell the last item, one succeeds and the other is refused`()
    async throws
  {
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

  @Test func `a post with a known id takes effect once, whichever server gets it`() async throws {
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

  @Test func `a post whose answer is lost is resent and takes effect once`() async throws {
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

  @Test func `results of effects wait in order while the log is away`() async throws {
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

  @Test func `the lag says since when the state may be old`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let (node, other) = (try await Node.join(flaky), try await Node.join(log))
    flaky.set { .away }
    await Self.wait(for: node) { if case .away = $0 { true } else { false } }

    let away = ContinuousClock.now
    _ = try await other.post(.didDeliver(1))
    let since = ContinuousClock.now - away
    let lag = node.replica.lag
    flaky.set { .none }
    let back = ContinuousClock.now
    await node.wait { $0.stock == 4 }

    #expect(lag.duration >= since)
    while node.replica.lag.duration >= .now - back { await pause() }
    #expect(node.replica.lag.entries == 0)
  }

  /// It reads after a wake, and also after an own append that does not follow its newest entry.
  @Test func `a server may read the log twice at the same time`() async throws {
    let log = MemoryLog()
    let turnstile = Turnstile()
    let node = try await Node.join(SnapshotlessLog(log: log, turnstile: turnstile))
    turnstile.isOpen = false
    while turnstile.count < 1 { await pause() }
    for number in 1...500 {
      let entry = try LogEntry(id: "\(number)", node: "other", .didDeliver(1))
      _ = try await log.append([AppendRequest(entry)])
    }

    let post = Task { try await node.post(.didDeliver(1)) }
    while turnstile.count < 2 { await pause() }
    turnstile.isOpen = true

    #expect(try await post.value == 501)
    await Self.wait(for: node) { $0 == .current }
    #expect(node.store.state.stock == 504)
  }

  @Test func `a server that reads many entries at once is not behind`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(log) { $0.lease = .seconds(3_600) }
    await Self.wait(for: node) { $0 == .current }
    let requests = try (1...500).map { number in
      AppendRequest(try LogEntry(id: "\(number)", node: "other", .didDeliver(1)))
    }

    _ = try await log.append(requests)
    var statuses: Set<ReplicaStatus> = []
    while node.store.state.stock < 503 {
      statuses.insert(node.replica.status)
      await Task.yield()
    }

    #expect(statuses == [.current])
  }

  @Test func `a server also stops at a barrier that it finds after an own append`() async throws {
    let log = MemoryLog()
    let (waking, waker) = AsyncStream.makeStream(of: UInt64?.self)
    let answers = Gate()
    let node = try await Node.join(SnapshotlessLog(log: log, waking: waking, answers: answers))
    let other = try LogEntry(id: "other", node: "other", .didDeliver(1))
    _ = try await log.append([AppendRequest(other)])
    let post = Task { try await node.post(.didDeliver(1), id: "own") }
    while try await log.sequence(ofEntry: "own") == nil { await pause() }
    let barrier = LogEntry(
      id: "barrier/shop/2", product: "shop", reducer: 2, node: "newer", payload: Data())
    _ = try await log.append([AppendRequest(barrier)])

    answers.open()
    #expect(try await post.value == 2)
    while try await log.newestSnapshot() == nil { await pause() }
    waker.yield(3)

    await Self.wait(for: node) {
      $0 == .stopped("A newer release continues the log from entry 3. This one has stopped.")
    }
  }

  @Test func `an entry that is missing in the log stops the server`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(SnapshotlessLog(log: log, missing: 2))

    for number in 1...3 {
      let entry = try LogEntry(id: "\(number)", node: "other", .didDeliver(number))
      _ = try await log.append([AppendRequest(entry)])
    }
    await Self.wait(for: node) { if case .stopped = $0 { true } else { false } }

    #expect(node.store.state.stock == 4)
    #expect(node.replica.status == .stopped("\(ActionLogError.trimmed(after: 1))"))
  }

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
      #expect((try? await other.post(.didTapBuy("e"), id: "e")) == nil)
      try await other.replica.keepSnapshot()
      try await log.trim(keeping: 1, youngerThan: .zero)
    }

    await Self.wait(for: node) { $0 == .current }
    withExtendedLifetime(listener) {}
    #expect(node.store.state == other.store.state && node.store.snapshot().version == 5)
    #expect(runs.entries == [])
    // It knows what was refused, and takes part again.
    let error = await Self.error { _ = try await node.post(.didTapBuy("e"), id: "e") }
    #expect(error?.code == .refused)
    #expect(try await node.post(.didDeliver(1)) == 6)
    await other.wait { $0.stock == 1 }
    try await node.replica.keepSnapshot()
    #expect(try await log.newestSnapshot()?.sequence == 6)
  }

  @Test func `what a server has sent ends when it joins anew after it`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let (node, other) = (try await Node.join(flaky), try await Node.join(log))
    _ = try await node.post(.didTapBuy("a"))
    flaky.set { .readsNothing }
    await Self.wait(for: node) { if case .away = $0 { true } else { false } }
    _ = try await other.post(.didTapBuy("b"))
    let (ends, end) = AsyncStream<Void>.makeStream()
    try self.dispatch(.didTapBuy("c"), to: node, for: BacklogEntry { end.finish() })
    await other.wait { $0.buyers == ["a", "b", "c"] }
    try await other.replica.keepSnapshot()
    try await log.trim(keeping: 1, youngerThan: .zero)

    flaky.set { .none }

    for await _ in ends {}
    await Self.wait(for: node) { $0 == .current }
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

    await Self.wait(for: node) { if case .stopped = $0 { true } else { false } }
    #expect(node.store.state == Shop())
  }

  /// - Parameter work: Done while the server is cut off from the log.
  private func removeNextEntries(
    of node: Node,
    _ log: FlakyLog,
    _ work: () async throws -> Void
  ) async throws {
    log.set { .away }
    await Self.wait(for: node) { if case .away = $0 { true } else { false } }
    try await work()
    log.set { .none }
  }

  /// A log does not wake a server for its own entries, and the answers of effects and of posts arrive
  /// in different ways.
  @Test func `a server reduces its own entries without being woken`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(SnapshotlessLog(log: log, waking: AsyncStream { _ in }))

    let posts = (0..<50).map { number in
      Task { @MainActor in
        try node.store.dispatch(action: .didDeliver(1))
        _ = try await node.post(.didDeliver(1))
        try node.store.dispatch(action: .didDeliver(1))
      }
    }
    for post in posts { try await post.value }

    await node.wait { $0.stock == 153 }
    #expect(try await log.page(after: 0, limit: 1).head == 150)
  }

  /// As when two windows undo the same post.
  @Test(arguments: [false, true])
  func `of two posts with one id, the one that is in the log gives the action its origin`(
    isTooLarge: Bool
  ) async throws {
    var limits = LogLimits()
    limits.entryBytes = 400
    let log = FlakyLog(MemoryLog(limits: limits))
    let node = try await Node.join(log)
    let origins = Transcript<ActionOrigin?>()
    node.store.record { origins.append($0.origin) }
    log.set { .holdsAppends }

    let names = ["first", isTooLarge ? String(repeating: "x", count: 500) : "second"]
    let posts = names.map { name in
      Task { @MainActor in
        try await ActionOrigin.$current.withValue(.page(path: name)) {
          try await node.post(.didTapBuy(name), id: "undo")
        }
      }
    }
    if isTooLarge { #expect((try? await posts[1].value) == nil) }
    // It begins after them, and is answered before.
    let refused = Task { @MainActor in
      try await node.post(.didTapBuy(String(repeating: "x", count: 500)), id: "refused")
    }
    #expect((try? await refused.value) == nil)
    log.set { .none }

    #expect(try await posts[0].value == 1)
    if isTooLarge == false { #expect(try await posts[1].value == 1) }
    #expect(origins.entries == [.page(path: "first")])
    #expect(node.store.state.buyers == ["first"])
  }

  @Test func `an action is reduced in the trace in which it was sent`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log)
    let traces = Transcript<String?>()
    node.store.record { _ in traces.append(ServiceContext.current?[TraceName.self]) }
    func trace(_ name: String) -> ServiceContext {
      var trace = ServiceContext.topLevel
      trace[TraceName.self] = name
      return trace
    }
    log.set { .holdsAppends }

    let post = Task { @MainActor in
      try await ServiceContext.withValue(trace("post")) { try await node.post(.didTapBuy("a")) }
    }
    await log.attempts.wait { $0.isEmpty == false }
    try node.store.dispatch(action: .didDeliver(1))
    try ServiceContext.withValue(trace("effect")) {
      try node.store.dispatch(action: .didDeliver(2))
    }
    log.set { .none }
    _ = try await post.value
    await node.wait { $0.stock == 5 }

    #expect(traces.entries == ["post", nil, "effect"])
  }

  @Test func `a post whose answer got lost can be undone where it was posted`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log)
    let posts = Transcript<String>()
    let subscription = node.store.observe { _, _, _ in
      if let (id, post) = SharedPost.elsewhere { posts.append("\(id) \(post.path)") }
    }
    log.set { .losesAnswers }

    let post = SharedPost(path: "/shop", session: "s")
    let error = await SharedPost.$current.withValue(post) {
      await Self.error { _ = try await node.post(.didTapBuy("a"), id: "lost") }
    }
    log.set { .none }
    await node.wait { $0.buyers == ["a"] }
    _ = try await SharedPost.$current.withValue(post) {
      try await node.post(.didTapBuy("b"), id: "answered")
    }

    #expect(error?.code == .away)
    #expect(posts.entries == ["lost /shop"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `a log that takes no posts makes a server read-only until it takes them again`()
    async throws
  {
    let log = FlakyLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    _ = try await second.post(.didTapBuy("a"))
    await Self.wait(for: first) { $0 == .current }
    let isReadOnly: (ReplicaStatus) -> Bool = { if case .readOnly = $0 { true } else { false } }

    log.set { .readOnly }
    let error = await Self.error { _ = try await first.post(.didTapBuy("b")) }
    await Self.wait(for: first, until: isReadOnly)
    let (later, joining) = (first.replica.status, try await Node.join(log))
    log.set { .none }
    await Self.wait(for: first) { $0 == .current }
    await Self.wait(for: joining) { $0 == .current }
    _ = try await first.post(.didTapBuy("b"))
    await joining.wait { $0.buyers == ["a", "b"] }

    #expect(error?.code == .away)
    #expect(isReadOnly(later))
    #expect(first.store.state.buyers == ["a", "b"])
  }

  @Test func `a log whose database refuses posts makes a server read-only`() async throws {
    let log = FlakyLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didTapBuy("a"))
    await Self.wait(for: node) { $0 == .current }

    log.set { .refuses }
    let error = await Self.error { _ = try await node.post(.didTapBuy("b")) }
    let refusing = node.replica.status
    log.set { .none }
    await Self.wait(for: node) { $0 == .current }

    #expect(error?.code == .stopped)
    #expect(refusing == .readOnly("The log does not have the function."))
    _ = try await node.post(.didTapBuy("b"))
    #expect(node.store.state.buyers == ["a", "b"])
  }

  @Test func `a log whose database refuses the action of an effect makes a server read-only`()
    async throws
  {
    let log = FlakyLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didTapBuy("a"))
    await Self.wait(for: node) { $0 == .current }

    log.set { .refuses }
    try node.store.dispatch(action: .didDeliver(1))

    await Self.wait(for: node) { $0 == .readOnly("The log does not have the function.") }
    log.set { .none }
    await Self.wait(for: node) { $0 == .current }
  }

  /// Only the connection that appends was opened anew, and leads to another database.
  @Test(arguments: [false, true])
  func `a server whose actions reach a log that has lost entries stops`(isEffect: Bool)
    async throws
  {
    let log = FlakyLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didTapBuy("a"))
    await Self.wait(for: node) { $0 == .current }

    log.set { .appendsElsewhere }
    if isEffect {
      try node.store.dispatch(action: .didDeliver(1))
    } else {
      #expect(await Self.error { _ = try await node.post(.didTapBuy("b")) }?.code == .stopped)
    }

    await Self.wait(for: node) { $0 == .stopped("\(FlakyLog.elsewhere)") }
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

  @Test func `a log that holds posts back does not hold back reading`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    // It is never taken for cut off because the machine is busy.
    let first = try await Node.join(flaky) { $0.lease = .seconds(600) }
    let second = try await Node.join(log)
    let isReadOnly: (ReplicaStatus) -> Bool = { if case .readOnly = $0 { true } else { false } }
    flaky.set { .readOnly }
    _ = await Self.error { _ = try await first.post(.didTapBuy("a")) }
    await Self.wait(for: first, until: isReadOnly)

    flaky.set { .holdsAppends }
    _ = try await second.post(.didTapBuy("b"))
    await first.wait { $0.buyers == ["b"] }
    _ = try await second.post(.didTapBuy("c"))
    await first.wait { $0.buyers == ["b", "c"] }

    #expect(isReadOnly(first.replica.status))
    flaky.set { .none }
    await Self.wait(for: first) { $0 == .current }
  }

  @Test func `a joining server gets the state from the snapshot and the entries after it`()
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
    await Self.wait(for: node) { $0 == .current }
    let before = try await log.newestSnapshot()
    log.set { .none }

    #expect(before == nil)
    while try await log.newestSnapshot()?.sequence != 2 { await pause() }
    _ = try await node.post(.didDeliver(1))
    _ = try await node.post(.didDeliver(1))
    while try await log.newestSnapshot()?.sequence != 8 { await pause() }
  }

  @Test func `a page that appears often sends its action once while the log is away`() async throws
  {
    let log = FlakyLog()
    let node = try await Node.join(log)
    log.set { .away }

    try ActionOrigin.$current.withValue(.page(path: "/")) {
      for _ in 1...1_000 { try node.store.dispatch(action: .didDeliver(1)) }
    }
    log.set { .none }
    await node.wait { $0.stock == 4 }
    _ = try await node.post(.didDeliver(1))
    try ActionOrigin.$current.withValue(.page(path: "/")) {
      try node.store.dispatch(action: .didDeliver(1))
    }
    await node.wait { $0.stock == 6 }

    #expect(try await log.page(after: 0, limit: 10).head == 3)
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

  /// It is decoded there beside the main actor. Nothing wakes the server.
  @Test func `a server reads its own entry from the log if it is large`() async throws {
    let turnstile = Turnstile()
    let node = try await Node.join(
      SnapshotlessLog(log: MemoryLog(), waking: AsyncStream { _ in }, turnstile: turnstile))
    turnstile.isOpen = false

    let small = try await node.post(.didDeliver(1))
    let large = Task { try await node.post(.didTapBuy(String(repeating: "x", count: 1 << 17))) }
    while turnstile.count < 1 { await pause() }
    turnstile.isOpen = true

    #expect(small == 1)
    #expect(try await large.value == 2)
  }

  @Test func `a joining server knows which posts were refused before the snapshot`() async throws {
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

  @Test func `effects of a server that ended run on another, and report once`() async throws {
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
        try await Self.joinWithLanes(
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
    let (first, listener) = try await Self.joinWithLanes(
      log, "first", runs, deadline: .seconds(120), isHeld: true, isDelivering: true)
    let (second, secondListener) = try await Self.joinWithLanes(
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
    let (first, listener) = try await Self.joinWithLanes(log, "first", runs)
    let (second, secondListener) = try await Self.joinWithLanes(log, "second", runs)
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
      nodes[name] = try await Self.joinWithLanes(
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
      while listener.effectCount > 0 { await pause() }
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
    let (first, listener) = try await Self.joinWithLanes(
      log, "first", runs, deadline: .seconds(120), isHeld: true)
    let (second, secondListener) = try await Self.joinWithLanes(
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
    let (first, listener) = try await Self.joinWithLanes(log, "first", runs, isHeld: true)
    _ = try await first.post(.didTapOrder("tea"))
    try await first.replica.keepSnapshot()
    await first.kill()

    let (second, secondListener) = try await Self.joinWithLanes(
      log, "second", runs, deadline: .seconds(2))
    let (third, thirdListener) = try await Self.joinWithLanes(
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
    let (first, listener) = try await Self.joinWithLanes(shared, "first", runs, isHeld: true)
    _ = try await first.post(.didTapOrder("tea"))
    try await first.replica.keepSnapshot()
    await first.kill()
    time.withLock { $0 += .seconds(2) }
    log.set { .holdsAppends }
    let (leader, leadersListener) = try await Self.joinWithLanes(
      log, "leader", runs, lease: lease, deadline: deadline)
    await log.leases.wait { $0.contains("leader: leader") }
    let (slow, slowListener) = try await Self.joinWithLanes(
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

  /// - Parameters:
  ///   - isHeld: Whether its effects do not end.
  ///   - gate: Its effects wait until this has an entry with their order, or one for all, and its
  ///     second delivery from outside waits until it has any.
  ///   - result: What its effects report.
  ///   - isDelivering: Whether its effects first deliver something.
  ///   - isFollowing: Whether it follows deliveries from outside.
  private static func joinWithLanes(
    _ log: some ActionLog,
    _ name: String,
    _ runs: Transcript<String>,
    lease: Duration = .seconds(1),
    deadline: Duration = .seconds(120),
    isHeld: Bool = false,
    gate: Transcript<String>? = nil,
    result: String = "done",
    isDelivering: Bool = false,
    isFollowing: Bool = false
  ) async throws -> (Node, ShopListener) {
    let lanes = EffectLanes(deadline: deadline)
    let node = try await Node.join(log, node: name) {
      $0.lanes = lanes
      $0.lease = lease
      $0.patience = .seconds(60)
    }
    let listener = ShopListener(
      name, runs, node.store, lanes, isHeld: isHeld, gate: gate, result: result,
      isDelivering: isDelivering, isFollowing: isFollowing)
    return (node, listener)
  }

  @Test func `one server follows outside events, and another takes over when it ends`()
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

  /// What it reported in between may have been fenced off.
  @Test func `a leader whose lease ended follows outside events anew when it leads again`()
    async throws
  {
    let time = Mutex(ContinuousClock.now)
    let log = MemoryLog(now: { time.withLock { $0 } })
    let runs = Transcript<String>()
    let (node, listener) = try await Self.joinWithLanes(log, "first", runs, isFollowing: true)
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
    let (first, listener) = try await Self.joinWithLanes(
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
    let (node, listener) = try await Self.joinWithLanes(log, "first", Transcript<String>())
    _ = try await node.post(.didDeliver(1))
    await node.kill()
    log.set { .holdsSaves }

    let leaving = Task { await node.replica.leave() }
    while try await log.acquireLease("node/first", holder: "second", for: .seconds(3)) == nil {
      await pause()
    }
    #expect(try await log.newestSnapshot() == nil)
    log.set { .none }
    await leaving.value

    #expect(try await log.newestSnapshot()?.sequence == 1)
    withExtendedLifetime(listener) {}
  }

  @Test func `a joining server's store continues at the version of the snapshot`() async throws {
    let log = MemoryLog()
    let first = try await Node.join(log) { $0.snapshotInterval = 2 }
    for _ in 0..<2 { _ = try await first.post(.didDeliver(1)) }
    while try await log.newestSnapshot() == nil { await pause() }

    let second = try await Node.join(log)

    #expect(second.store.snapshot().version == 2)
    #expect(second.store.rootVersion == 2)
  }

  @Test func `a server whose state differs from the others stops`() async throws {
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

  @Test func `a server whose state becomes corrupt stops, and logs where`() async throws {
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
    await Self.wait(for: first) { $0 == .current }
    #expect(lines.entries.count == 1)
    #expect(lines.entries.first?.contains("Another server's state differs from the log") == true)
    #expect(lines.entries.first?.contains("second") == true)

    // What the first tells of its state, the second finds right.
    var reason: String?
    while reason == nil {
      _ = try await first.post(.didDeliver(1))
      if case .stopped(let message) = second.replica.status { reason = message }
    }
    #expect(reason?.hasPrefix("After entry 8 the state differs from that of the log") == true)
    #expect(reason?.contains("; after entry 4 it was") == true)
    #expect(reason?.contains("it differs in stock. Restart it") == true)
    await Self.wait(for: first) { $0 == .current }

    let again = try await Node.join(log)
    #expect(again.store.state == first.store.state)
  }

  @Test(arguments: [false, true])
  func `a corrupt state is not saved as a snapshot`(atBarrier: Bool) async throws {
    let log = MemoryLog()
    let isSpoilt = Mutex(false)
    let spoiling = Reducer<Shop, ShopAction> { (shop: Shop, action: ShopAction) in
      var shop = try Shop.reducer.reduce(state: shop, action: action)
      if isSpoilt.withLock({ exchange(&$0, true) }) == false { shop.stock += 1 }
      return shop
    }
    let corrupt = try await Node.join(log, reduce: spoiling)
    _ = try await corrupt.post(.didDeliver(1))

    if atBarrier {
      let newer = await Self.error {
        _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .zero }
      }
      #expect(newer?.message.hasPrefix("No server of the older release") == true)
      await Self.wait(for: corrupt) { if case .stopped = $0 { true } else { false } }
    } else {
      let error = await Self.error { try await corrupt.replica.keepSnapshot() }
      let message = "After entry 1 the state differs from that of the log"
      #expect(error?.message.hasPrefix(message) == true)
    }

    #expect(try await log.newestSnapshot() == nil)
    // At a barrier it saves its state and stops.
    let right = await Self.error { try await Node.join(log).replica.keepSnapshot() }
    #expect(right == nil || atBarrier)
    let next = try await Node.join(log, reducer: atBarrier ? 2 : 1)
    #expect(next.store.state.stock == 4)
  }

  @Test func `an unreadable entry stops the server instead of being skipped`() async throws {
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

  @Test func `a server stops when an entry of a newer reducer arrives`() async throws {
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

  /// A supervisor may start the older one again, before anybody has posted to the newer one.
  @Test func `a server of the older release does not start after the barrier`() async throws {
    let log = MemoryLog()
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))
    let new = try await Node.join(log, reducer: 2)
    await Self.wait(for: old) { if case .stopped = $0 { true } else { false } }

    let again = await Self.error { _ = try await Node.join(log) }

    #expect(again?.message.hasPrefix("The log is at a newer reducer than 1") == true)
    _ = try await new.post(.didDeliver(1))
    #expect(new.store.state.stock == 5)
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
        await pause()
        while true {
          do {
            let node = nodes[number % nodes.count]
            answered.append(try await node.post(.didDeliver(1), id: "\(number)"))
            break
          } catch let error as ReplicaError where error.code == .away {
            await pause()
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

  @Test func `a new release waits for operations of the older one, which refuses posts meanwhile`()
    async throws
  {
    let (log, runs, gate) = (MemoryLog(), Transcript<String>(), Transcript<String>())
    let (old, listener) = try await Self.joinWithLanes(
      log, "old", runs, deadline: .seconds(60), gate: gate)
    _ = try await old.post(.didTapOrder("tea"))
    await runs.wait { $0 == ["old tea"] }

    let joining = Task { try await Node.join(log, reducer: 2) { $0.patience = .seconds(60) } }
    var refusal: ReplicaError?
    while refusal == nil {
      refusal = await Self.error { _ = try await old.post(.didDeliver(1)) }
      await pause()
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
    let (old, oldListener) = try await Self.joinWithLanes(log, "old", runs, isHeld: true)
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
    let (old, oldListener) = try await Self.joinWithLanes(log, "old", runs, isHeld: true)
    _ = try await old.post(.didTapOrder("tea"))
    let barrier = LogEntry(
      id: "barrier/shop/2", product: "shop", reducer: 2, node: "new", payload: Data())
    _ = try await log.append([AppendRequest(barrier)])
    await Self.wait(for: old) { if case .stopped = $0 { true } else { false } }

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
    let (old, oldListener) = try await Self.joinWithLanes(log, "old", runs, isHeld: true)
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
    while try await log.sequence(ofEntry: "barrier/ready/shop/2/newer") == nil { await pause() }
    await clock.sleeps.wait { $0.isEmpty == false }
    let refusal = await Self.error { _ = try await node.post(.didDeliver(1)) }
    clock.advance(by: .seconds(60))
    while await Self.error({ _ = try await node.post(.didDeliver(1)) }) != nil { await pause() }

    #expect(refusal?.code == .away)
    #expect(node.store.state.stock == 4)
  }

  @Test func `a server that makes way says so even if the log takes nothing at first`() async throws
  {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let node = try await Node.join(flaky) { $0.patience = .seconds(60) }
    await Self.wait(for: node) { $0 == .current }
    let announcement = LogEntry(
      id: "barrier/announced/shop/2/newer", product: "shop", reducer: 1, node: "newer",
      payload: Data())
    let answer = "barrier/ready/shop/2/newer"
    flaky.set { .readOnly }

    _ = try await log.append([AppendRequest(announcement)])
    await flaky.attempts.wait { $0.contains(answer) }
    flaky.set { .none }

    while try await log.sequence(ofEntry: answer) == nil { await pause() }
    let error = await Self.error { _ = try await node.post(.didDeliver(1)) }
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
    await Self.wait(for: old) { if case .away = $0 { true } else { false } }
    log.set { .none }

    #expect(try await joining.value.store.state.stock == 4)
    await Self.wait(for: old) { if case .stopped = $0 { true } else { false } }
  }

  @Test func `a server whose state is too large for the newer release says so`() async throws {
    var limits = LogLimits()
    limits.snapshotBytes = 8
    let log = MemoryLog(limits: limits)
    let old = try await Node.join(log)
    _ = try await old.post(.didDeliver(1))

    let error = await Self.error {
      _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .milliseconds(100) }
    }
    var reason: String?
    await Self.wait(for: old) { status in
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

    let error = await Self.error {
      _ = try await Node.join(log, reducer: 2) { $0.barrierLimit = .milliseconds(100) }
    }
    let again = await Self.error { _ = try await Node.join(log) }

    #expect(error?.message.contains("Start one, ") == true)
    #expect(again?.message.contains("A newer release continues the log") == true)
    #expect(try await Node.join(log, reducer: 2).store.state.stock == 4)
  }

  @Test func `posting to a server that has ended fails`() async throws {
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

private enum TraceName: ServiceContextKey {
  typealias Value = String
}

/// Orders what is to be ordered.
@MainActor private final class ShopListener: EffectListener<Shop, ShopAction> {
  private let name: String
  private let runs: Transcript<String>
  private let isHeld: Bool
  private let gate: Transcript<String>?
  private let result: String
  private let isDelivering: Bool
  private let effectLanes: EffectLanes

  init(
    _ name: String,
    _ runs: Transcript<String>,
    _ store: Store<Shop, ShopAction>,
    _ lanes: EffectLanes = EffectLanes(),
    isHeld: Bool = false,
    gate: Transcript<String>? = nil,
    result: String = "done",
    isDelivering: Bool = false,
    isFollowing: Bool = false
  ) {
    self.name = name
    self.runs = runs
    self.isHeld = isHeld
    self.gate = gate
    self.result = result
    self.effectLanes = lanes
    self.isDelivering = isDelivering
    let deliveries = OutsideEvents<Shop, ShopAction>("deliveries") { following in
      runs.append("\(name) follows")
      try await following.store.dispatch(action: .didDeliver(1))
      if let gate {
        await gate.wait { $0.isEmpty == false }
        try await following.store.dispatch(action: .didDeliver(100))
        runs.append("\(name) reports")
      }
      defer { runs.append("\(name) ends") }
      try await Task.sleep(for: .seconds(3_600))
    }
    super.init(lanes: lanes, label: "shop", outside: isFollowing ? [deliveries] : [])
    self.listen(to: store)
  }

  /// The number of its effects that have not ended.
  var effectCount: Int { self.effectLanes.count }

  override func interrupted(in state: Shop) -> [ShopAction] {
    state.orders.filter { $0.value == "waiting" }.keys.sorted()
      .map { .didOrder($0, result: "interrupted") }
  }

  override func effects(_ oldState: Shop, _ newState: () -> Shop, _ action: ShopAction) -> [Effect]
  {
    guard case .didTapOrder(let order) = action else { return [] }
    let thunk: Effect.Thunk = { [name, runs, isHeld, gate, result, isDelivering] dispatcher, _ in
      runs.append("\(name) \(order)")
      if isDelivering { try await dispatcher.dispatch(action: .didDeliver(1)) }
      if isHeld { try await Task.sleep(for: .seconds(3_600)) }
      await gate?.wait { $0.contains(order) || $0.contains("go") }
      try await dispatcher.dispatch(action: .didOrder(order, result: result))
    }
    return [Effect("order", while: { $0.orders[order] == "waiting" }, thunk)]
  }
}

/// A log whose snapshots cannot be read, only compared. It may lack an entry, wake readers when a test
/// does, or hold back what it has read or the answers of appends.
private struct SnapshotlessLog: ActionLog {
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
  func sequence(ofEntry id: String) async throws -> UInt64? {
    try await self.log.sequence(ofEntry: id)
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
@MainActor private final class Turnstile {
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

/// Keeps what is logged at level error or above.
struct LineLog: LogHandler {
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
