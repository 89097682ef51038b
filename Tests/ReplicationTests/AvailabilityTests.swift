import ActionLogs
import ImmutableData
import Replication
import TestSupport
import Testing

/// What a server does while the log cannot be reached or takes nothing.
@MainActor @Suite(.timeLimit(.minutes(20))) struct AvailabilityTests {
  @Test func `results of effects wait in order while the log is away`() async throws {
    let log = FlakyLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    log.set { .away }

    for count in 1...5 { try first.store.dispatch(action: .didDeliver(count)) }
    await first.waitForStatus { if case .away = $0 { true } else { false } }
    let before = first.store.state.stock
    let refused = await replicaError { _ = try await first.post(.didTapBuy("a")) }
    log.set { .none }
    await second.wait { $0.stock == 18 }

    #expect(before == 3)
    #expect(refused?.code == .away)
    #expect(try await log.page(after: 0, limit: 10).head == 5)
    let stocks = second.states.sorted { $0.key < $1.key }.map(\.value.stock)
    #expect(stocks == [4, 6, 9, 13, 18])
    await first.waitForStatus { $0 == .current }
  }

  @Test func `the lag says since when the state may be old`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    let (node, other) = (try await Node.join(flaky), try await Node.join(log))
    flaky.set { .away }
    await node.waitForStatus { if case .away = $0 { true } else { false } }

    let away = ContinuousClock.now
    _ = try await other.post(.didDeliver(1))
    let since = ContinuousClock.now - away
    let lag = node.replica.lag
    flaky.set { .none }
    let back = ContinuousClock.now
    await node.wait { $0.stock == 4 }

    #expect(lag.duration >= since)
    while node.replica.lag.duration >= .now - back { await letOthersGoOn() }
    #expect(node.replica.lag.entries == 0)
  }

  @Test func `a server that reads many entries at once is not behind`() async throws {
    let log = MemoryLog()
    let node = try await Node.join(log) { $0.lease = .seconds(3_600) }
    await node.waitForStatus { $0 == .current }
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

  @Test func `a log that takes no posts makes a server read-only until it takes them again`()
    async throws
  {
    let log = FlakyLog()
    let (first, second) = (try await Node.join(log), try await Node.join(log))
    _ = try await second.post(.didTapBuy("a"))
    await first.waitForStatus { $0 == .current }
    let isReadOnly: (ReplicaStatus) -> Bool = { if case .readOnly = $0 { true } else { false } }

    log.set { .readOnly }
    let error = await replicaError { _ = try await first.post(.didTapBuy("b")) }
    await first.waitForStatus(isReadOnly)
    let (later, joining) = (first.replica.status, try await Node.join(log))
    log.set { .none }
    await first.waitForStatus { $0 == .current }
    await joining.waitForStatus { $0 == .current }
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
    await node.waitForStatus { $0 == .current }

    log.set { .refuses }
    let error = await replicaError { _ = try await node.post(.didTapBuy("b")) }
    let refusing = node.replica.status
    log.set { .none }
    await node.waitForStatus { $0 == .current }

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
    await node.waitForStatus { $0 == .current }

    log.set { .refuses }
    try node.store.dispatch(action: .didDeliver(1))

    await node.waitForStatus { $0 == .readOnly("The log does not have the function.") }
    log.set { .none }
    await node.waitForStatus { $0 == .current }
  }

  /// Only the connection that appends was opened anew, and leads to another database.
  @Test(arguments: [false, true])
  func `a server whose actions reach a log that has lost entries stops`(isEffect: Bool)
    async throws
  {
    let log = FlakyLog()
    let node = try await Node.join(log)
    _ = try await node.post(.didTapBuy("a"))
    await node.waitForStatus { $0 == .current }

    log.set { .appendsElsewhere }
    if isEffect {
      try node.store.dispatch(action: .didDeliver(1))
    } else {
      #expect(await replicaError { _ = try await node.post(.didTapBuy("b")) }?.code == .stopped)
    }

    await node.waitForStatus { $0 == .stopped("\(FlakyLog.elsewhere)") }
  }

  @Test func `a log that holds posts back does not hold back reading`() async throws {
    let log = MemoryLog()
    let flaky = FlakyLog(log)
    // It is never taken for cut off because the machine is busy.
    let first = try await Node.join(flaky) { $0.lease = .seconds(600) }
    let second = try await Node.join(log)
    let isReadOnly: (ReplicaStatus) -> Bool = { if case .readOnly = $0 { true } else { false } }
    flaky.set { .readOnly }
    _ = await replicaError { _ = try await first.post(.didTapBuy("a")) }
    await first.waitForStatus(isReadOnly)

    flaky.set { .holdsAppends }
    _ = try await second.post(.didTapBuy("b"))
    await first.wait { $0.buyers == ["b"] }
    _ = try await second.post(.didTapBuy("c"))
    await first.wait { $0.buyers == ["b", "c"] }

    #expect(isReadOnly(first.replica.status))
    flaky.set { .none }
    await first.waitForStatus { $0 == .current }
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
}
