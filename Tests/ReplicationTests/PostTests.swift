import ActionLogs
import ImmutableData
import Replication
import TestSupport
import Testing
import Tracing

/// How posts are answered.
@MainActor @Suite(.timeLimit(.minutes(20))) struct PostTests {
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
    await first.waitForStatus { $0 == .current }
    #expect(first.replica.lag.entries == 0)
  }

  private func joinSoldOut(_ log: some ActionLog) async throws -> Node {
    let node = try await Node.join(log)
    for buyer in ["a", "b", "c"] { _ = try await node.post(.didTapBuy(buyer), id: buyer) }
    return node
  }

  @Test func `a refused post leaves no entry, and may be accepted later`() async throws {
    let log = FlakyLog()
    let node = try await self.joinSoldOut(log)

    for _ in 1...10 {
      await #expect(throws: Shop.SoldOut.self) {
        _ = try await node.post(.didTapBuy("d"), id: "d")
      }
    }
    let attempts = log.attempts.entries
    _ = try await node.post(.didDeliver(1))

    #expect(attempts == ["a", "b", "c"])
    #expect(try await node.post(.didTapBuy("d"), id: "d") == 5)
  }

  /// The buyer of the last item never got the answer.
  @Test func `a post is not refused because of what it has changed itself`() async throws {
    let log = MemoryLog()
    let first = try await self.joinSoldOut(log)
    let second = try await Node.join(log)
    await second.wait { $0.stock == 0 }

    for node in [first, second] { #expect(try await node.post(.didTapBuy("c"), id: "c") == 3) }

    #expect(second.store.state.buyers == ["a", "b", "c"])
  }

  /// Another server's action came between the trial and the entry.
  @Test func `a post that was refused when it was reduced is refused again`() async throws {
    let log = MemoryLog()
    let first = try await self.joinSoldOut(log)
    let second = try await Node.join(log)
    let late = try LogEntry(id: "d", node: "other", .didTapBuy("d"))
    _ = try await log.append([AppendRequest(late)])

    for stock in [0, 1] {
      if stock > 0 { _ = try await first.post(.didDeliver(stock)) }
      for node in [first, second] {
        await node.wait { $0.stock == stock }
        await #expect(throws: Shop.SoldOut.self) {
          _ = try await node.post(.didTapBuy("d"), id: "d")
        }
      }
    }
  }

  @Test func `a server that is behind refuses nothing that the others would accept`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let first = try await self.joinSoldOut(log)
    let second = try await Node.join(flaky) { $0.lease = .seconds(600) }
    flaky.set { .holdsReads }
    await flaky.heldReads.wait { $0.count == 1 }
    _ = try await first.post(.didDeliver(1))

    let post = Task { try await second.post(.didTapBuy("d"), id: "d") }
    // It has been tried out in the older state.
    await flaky.heldReads.wait { $0.count == 2 }
    #expect(second.store.state.stock == 0)
    flaky.set { .none }

    #expect(try await post.value == 5)
  }

  /// Each would otherwise ask on the connection on which entries are read and leases extended.
  @Test func `refused posts that wait at once ask the log together`() async throws {
    let log = FlakyLog()
    let node = try await self.joinSoldOut(log)
    log.set { .holdsReads }
    // It looks for new entries.
    await log.heldReads.wait { $0.count == 1 }

    let count = 100
    let begun = Transcript<Int>()
    let posts = (1...count).map { number in
      Task { @MainActor in
        begun.append(number)
        return try await node.post(.didTapBuy("late"), id: "late \(number)")
      }
    }
    await log.heldReads.wait { $0.count == 2 }
    await begun.wait { $0.count == count }
    let held = log.heldReads.entries.count
    log.set { .none }

    for post in posts {
      await #expect(throws: Shop.SoldOut.self) { _ = try await post.value }
    }
    #expect(held == 2)
    #expect(Set(log.inquiries.entries.joined()).count == count)
    #expect(log.inquiries.entries.count < 10)
  }

  @Test(arguments: [FlakyLog.Fault.away, .readsNothing])
  func `nothing is refused while the log is away`(fault: FlakyLog.Fault) async throws {
    let log = FlakyLog()
    let node = try await self.joinSoldOut(log)
    log.set { fault }

    let error = await replicaError { _ = try await node.post(.didTapBuy("d")) }

    #expect(error?.code == .away)
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

    let error = await replicaError { _ = try await first.post(.didTapBuy("a"), id: "a") }
    log.set { .none }
    let version = try await second.post(.didTapBuy("a"), id: "a")

    #expect(error?.code == .away)
    #expect(version == 1)
    #expect(second.store.state.buyers == ["a"])
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
      await replicaError { _ = try await node.post(.didTapBuy("a"), id: "lost") }
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

  @Test(arguments: [ShopAction.didDeliver(1), .didTapBuy("d")])
  func `posting to a server that has ended fails, whatever its state says`(action: ShopAction)
    async throws
  {
    let log = FlakyLog()
    let node = try await self.joinSoldOut(log)
    await node.kill()

    let error = await replicaError { _ = try await node.post(action) }

    #expect(error?.code == .stopped)
  }
}

private enum TraceName: ServiceContextKey {
  typealias Value = String
}
