import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ImmutableData

private struct Failure: LocalizedError {
  var errorDescription: String? { "The disk is full." }
}

private struct NumberedFailure: LocalizedError {
  let number: Int

  var errorDescription: String? { "Failure \(self.number)" }
}

private struct Note: Hashable, Identifiable, Sendable {
  let id: String
  var text = ""
}

private enum Action: Hashable, Sendable {
  case did(String)
  case didFetch([Note])
}

private struct WeakEntry {
  weak var entry: BacklogEntry?
}

private typealias Notes = Store<[Action], Action>
private typealias Thunk = Operations<String>.Thunk<Notes, Notes>

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct OperationsTests {
  private let store = Notes(initialState: []) { $0 + [$1] }
  private let operations = Operations<String>()
  private let clock = ManualClock()

  private func query(
    _ name: String = "query",
    latestOf latest: String? = nil,
    isElsewhere: Bool = false,
    retry: Retry = .never,
    _ work: @escaping @Sendable () async throws -> [Note]
  ) -> Thunk {
    self.operations.query(latestOf: latest, isElsewhere: isElsewhere, retry: retry) { _ in
      try await work()
    } actions: { result, meanwhile, _ in
      switch result {
      case .success(let notes):
        [.didFetch(meanwhile.unchanged(notes))] + meanwhile.failures.map { .did("missed: \($0)") }
      case .failure(let failure): [.did("\(name): \(failure.reason)")]
      }
    }
  }

  private func mutation(
    _ name: String = "mutation",
    changing ids: Set<String> = [],
    isEverything: Bool = false,
    changed: [String] = [],
    isCurrent: Bool = false,
    retry: Retry = .never,
    _ work: @escaping @Sendable () async throws -> Void = {}
  ) -> Thunk {
    self.operations.mutation(changing: ids, isEverything: isEverything, retry: retry) { _ in
      try await work()
    } changed: { _ in
      changed
    } isCurrent: { _, _ in
      isCurrent
    } actions: { result in
      switch result {
      case .success: [.did("\(name) done")]
      case .failure(let failure): [.did("\(name): \(failure.reason)")]
      }
    }
  }

  private func run(
    _ name: String, lane: String? = nil, _ thunk: @escaping Thunk, in lanes: EffectLanes
  ) {
    let store = self.store
    lanes.run(
      Effect(name, lane: lane) { _, _ in try await thunk(store, store) }, on: ViewStore(store))
  }

  /// Runs a thunk in the lane of writes, as the effect of a post.
  private func post(_ name: String, _ thunk: @escaping Thunk, in lanes: EffectLanes) -> WeakEntry {
    let entry = BacklogEntry {}
    BacklogEntry.withCurrent(entry) { self.run(name, lane: "write", thunk, in: lanes) }
    return WeakEntry(entry: entry)
  }

  private func actions(_ count: Int) async -> [Action] {
    var iterator = self.store.makeStream().makeAsyncIterator()
    while self.store.state.count < count { _ = await iterator.next(isolation: #isolation) }
    return self.store.state
  }
}

// How they end.
extension OperationsTests {
  @Test func `an operation dispatches its result`() async throws {
    try await self.store.dispatch(thunk: self.query { [Note(id: "a")] })
    try await self.store.dispatch(thunk: self.mutation())

    #expect(self.store.state == [.didFetch([Note(id: "a")]), .did("mutation done")])
  }

  @Test func `a failed operation dispatches and throws its error`() async {
    await #expect(throws: Failure.self) {
      try await self.store.dispatch(thunk: self.query { throw Failure() })
    }
    await #expect(throws: CancellationError.self) {
      try await self.store.dispatch(thunk: self.mutation { throw CancellationError() })
    }

    #expect(
      self.store.state == [
        .did("query: The disk is full."), .did("mutation: This was interrupted. Try again."),
      ]
    )
  }

  @Test func `an operation that never ends fails at its deadline`() async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let gate = Gate()
    defer { gate.open() }

    self.run(
      "query",
      self.query {
        await gate.wait()
        return []
      }, in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(10))

    #expect(await self.actions(1) == [.did("query: This took too long. Try again.")])
    #expect(lanes.count == 1)
  }

  @Test func `operations share one timer, and each has all of its time`() async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let (begun, gate) = (Gate(), Gate())
    defer { gate.open() }

    self.run("first", self.query { [Note(id: "a")] }, in: lanes)
    _ = await self.actions(1)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(5))
    self.run(
      "second",
      self.query {
        begun.open()
        await gate.wait()
        return []
      }, in: lanes)
    await begun.wait()
    self.clock.advance(by: .seconds(5))
    await self.clock.sleeps.wait { $0.count == 2 }
    let early = self.store.state
    self.clock.advance(by: .seconds(5))

    #expect(early == [.didFetch([Note(id: "a")])])
    #expect(
      await self.actions(2) == early + [.did("query: This took too long. Try again.")])
    #expect(self.clock.sleeps.entries == [.seconds(10), .seconds(5)])
  }

  @Test func `a write that ends after its deadline still dispatches its result`() async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let gate = Gate()

    self.run("first", lane: "write", self.mutation("first") { await gate.wait() }, in: lanes)
    self.run("second", lane: "write", self.mutation("second"), in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(10))
    let early = await self.actions(2)
    gate.open()

    #expect(
      early == [
        .did(
          "first: This took too long. It may have been done anyway: refresh to check, before you "
            + "try again."
        ),
        .did("second done"),
      ]
    )
    #expect(await self.actions(3).last == .did("first done"))
  }

  /// Otherwise posts would go on to begin work that nobody waits for, without a limit.
  @Test func `work that was given up counts, and so does its post, until it ends`() async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let (gate, begun, last) = (Gate(), Gate(), Gate())
    let post = self.post("first", self.mutation("first") { await gate.wait() }, in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }

    self.clock.advance(by: .seconds(10))
    // It begins when nothing waits for the first one any more.
    let second = self.mutation("second") {
      begun.open()
      await last.wait()
    }
    self.run("second", lane: "write", second, in: lanes)
    await begun.wait()

    #expect(lanes.count == 2)
    #expect(post.entry != nil)
    last.open()
    gate.open()
    while lanes.count > 0 || post.entry != nil { await letOthersGoOn() }
  }

  @Test func `a late success comes after the failure that it answers`() async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let gate = Gate()
    let results = Transcript<String>()
    let operations = Operations<String> { _ in
      // The work succeeds after it was given up, but before the failure is dispatched.
      gate.open()
      for _ in 0..<100_000 where results.entries.isEmpty { sched_yield() }
      return "late"
    }
    let thunk: Thunk = operations.mutation { _ in
      await gate.wait()
    } actions: { result in
      switch result {
      case .success: results.append("success")
      case .failure(let failure): results.append(failure.reason)
      }
      return []
    }

    self.run("write", thunk, in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(10))
    await results.wait { $0.count == 2 }

    #expect(results.entries == ["late", "success"])
  }

  @Test(arguments: [true, false])
  func `an error that nobody expects of a late success is logged`(readsAgain: Bool) async {
    let log = Transcript<String>()
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock, logger: log.logger)
    let gate = Gate()
    let operations = self.operations
    let store = Store<Int, Int>(initialState: 0) { state, action in
      guard action < 9 else { throw Failure() }
      return state + action
    }
    let readAgain: @Sendable () -> Effect<Int, Int>.Thunk = {
      operations.query { _ in
        [Note]()
      } actions: { _, _, _ in
        [9]
      }
    }
    let thunk: Effect<Int, Int>.Thunk = operations.mutation(
      readAgain: readsAgain ? readAgain : nil
    ) { _ in
      await gate.wait()
    } actions: { result in
      if case .success = result { [9] } else { [1] }
    }

    lanes.run(Effect("save", thunk), on: ViewStore(store))
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(10))
    await log.wait { $0.count == 1 }
    gate.open()
    await log.wait { $0.count == 2 }

    #expect(store.state == 1)
    #expect(log.entries[0].contains("error=OperationTimeout"))
    #expect(
      log.entries[1] == "error An effect has failed action=none effect=save error=Failure() "
        + "version=none")
  }

  /// Listing the ids of a hundred thousand rows held the main actor for seconds.
  @Test func `a group of changes is not asked for its ids before the query has ended`() async {
    let gate = Gate()
    let asked = Mutex<[String]>([])
    let read = self.query {
      await gate.wait()
      return [Note(id: "a"), Note(id: "b")]
    }
    let lanes = EffectLanes()
    self.run("read", lane: "read", read, in: lanes)

    self.operations.didChange { id in
      asked.withLock { $0.append(id) }
      return id == "a"
    }
    #expect(asked.withLock { $0 } == [])
    gate.open()
    while lanes.count > 0 { await letOthersGoOn() }

    #expect(self.store.state == [.didFetch([Note(id: "b")])])
    #expect(asked.withLock { $0 } == ["a", "b"])
  }

  @Test(arguments: [true, false])
  func `after work that replaces everything and ends late, everything is read again`(
    isStored: Bool
  ) async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let gate = Gate()
    let operations = self.operations
    let readAgain: @Sendable () -> Thunk = {
      operations.query { _ in
        try Task.checkCancellation()
        return [Note(id: "a"), Note(id: "new")]
      } actions: { result, meanwhile, _ in
        [.didFetch(meanwhile.unchanged((try? result.get()) ?? []))]
      }
    }
    let replace: Thunk = self.operations.mutation(isStored: isStored, readAgain: readAgain) { _ in
      await gate.wait()
    } changed: { _ in
      ["a"]
    } actions: { result in
      [.did((try? result.get()) == nil ? "failure" : "success")]
    }

    self.run("replace", lane: "write", replace, in: lanes)
    self.run("add", lane: "write", self.mutation("add", changed: ["new"]), in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(10))
    _ = await self.actions(2)
    gate.open()
    while lanes.count > 0 { await letOthersGoOn() }

    let read = isStored ? [Action.didFetch([Note(id: "a"), Note(id: "new")])] : []
    #expect(self.store.state == [.did("failure"), .did("add done")] + read)
  }

  @Test(arguments: [false, true])
  func `a write that ends after its deadline does not undo a newer one, unless it says the same`(
    isCurrent: Bool
  ) async {
    let lanes = EffectLanes(deadline: .seconds(10), clock: self.clock)
    let gate = Gate()
    let first = self.mutation("first", changed: ["a"], isCurrent: isCurrent) { await gate.wait() }

    self.run("first", lane: "write", first, in: lanes)
    self.run("second", lane: "write", self.mutation("second", changed: ["a"]), in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(10))
    _ = await self.actions(2)
    gate.open()
    while lanes.count > 0 { await letOthersGoOn() }

    #expect(
      self.store.state.dropFirst(1)
        == [.did("second done")] + (isCurrent ? [.did("first done")] : []))
  }

  @Test func `a cancelled query ends at once`() async {
    let lanes = EffectLanes()
    let began = Gate()
    let gate = Gate()
    defer { gate.open() }
    let thunk = self.query {
      began.open()
      await gate.wait()
      return []
    }

    self.run("refresh", thunk, in: lanes)
    await began.wait()
    lanes.cancel("other")
    lanes.cancel("refresh")

    #expect(await self.actions(1) == [.did("query: This was interrupted. Try again.")])
  }

  @Test func `a cancelled operation was interrupted, whatever the sentence, and no error`() async {
    let log = Transcript<String>()
    let lanes = EffectLanes(logger: log.logger)
    let operations = Operations<String> { _ in "The shop does not answer." }
    let (begun, reasons) = (Gate(), Transcript<String>())
    let thunk: Effect<Int, Int>.Thunk = operations.mutation { _ in
      begun.open()
      try await Task.sleep(for: .seconds(600))
    } actions: { result in
      if case .failure(let failure) = result { reasons.append(failure.reason) }
      return []
    }
    let store = Store<Int, Int>(initialState: 0) { $0 + $1 }

    lanes.run(Effect("price", thunk), on: ViewStore(store))
    await begun.wait()
    lanes.cancel("price")
    await reasons.wait { $0.count == 1 }
    lanes.run(Effect("save") { _, _ in throw Failure() }, on: ViewStore(store))
    await log.wait { $0.count == 1 }

    #expect(reasons.entries == ["This was interrupted. Try again."])
    #expect(
      log.entries == [
        "error An effect has failed action=none effect=save error=Failure() version=none"
      ])
  }

  @Test func `work that is cancelled twice counts until it ends`() async {
    let lanes = EffectLanes()
    let (begun, gate, next) = (Gate(), Gate(), Gate())
    defer { gate.open() }
    let write = self.mutation {
      begun.open()
      await gate.wait()
    }
    self.run("write", lane: "lane", write, in: lanes)
    await begun.wait()

    lanes.cancel("write")
    lanes.cancel("write")

    let counts = Transcript<Int>()
    let after = self.mutation {
      counts.append(lanes.count)
      next.open()
    }
    self.run("next", lane: "lane", after, in: lanes)
    await next.wait()
    // The work, and the effect after it.
    #expect(counts.entries == [2])
  }

  @Test func `a write cancelled before its turn does not run`() async {
    let lanes = EffectLanes()
    let gate = Gate()
    let done = Transcript<String>()

    self.run("first", lane: "write", self.mutation("first") { await gate.wait() }, in: lanes)
    self.run("second", lane: "write", self.mutation("second") { done.append("second") }, in: lanes)
    lanes.cancel("second")
    gate.open()

    #expect(
      await self.actions(2) == [
        .did("first done"), .did("second: This was interrupted. Try again."),
      ]
    )
    #expect(done.entries == [])
  }

  @Test func `failed work is retried after pauses that double`() async {
    let lanes = EffectLanes(deadline: nil, clock: self.clock)
    let attempts = Transcript<Void>()
    let retry = Retry(attempts: 3, pause: .seconds(1)) { $0 is Failure }
    let thunk = self.query(retry: retry) {
      attempts.append(())
      if attempts.entries.count < 3 { throw Failure() }
      return [Note(id: "a")]
    }

    self.run("query", thunk, in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(1))
    await self.clock.sleeps.wait { $0.count == 2 }
    self.clock.advance(by: .seconds(2))

    #expect(await self.actions(1) == [.didFetch([Note(id: "a")])])
    #expect(self.clock.sleeps.entries == [.seconds(1), .seconds(2)])
  }

  @Test func `a write that fails is retried, and ends once`() async {
    let lanes = EffectLanes(deadline: nil, clock: self.clock)
    let attempts = Transcript<Void>()
    let thunk = self.mutation(retry: Retry(attempts: 2, pause: .seconds(1))) {
      attempts.append(())
      if attempts.entries.count < 2 { throw Failure() }
    }

    self.run("mutation", thunk, in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    self.clock.advance(by: .seconds(1))

    #expect(await self.actions(1) == [.did("mutation done")])
    #expect(attempts.entries.count == 2)
  }

  @Test func `a write that is cancelled between two attempts is not retried`() async {
    let lanes = EffectLanes(deadline: nil, clock: self.clock)
    let attempts = Transcript<Void>()
    let thunk = self.mutation(retry: Retry(attempts: 2, pause: .seconds(1))) {
      attempts.append(())
      throw Failure()
    }

    self.run("mutation", thunk, in: lanes)
    await self.clock.sleeps.wait { $0.count == 1 }
    lanes.cancel("mutation")

    #expect(await self.actions(1) == [.did("mutation: This was interrupted. Try again.")])
    #expect(attempts.entries.count == 1)
  }

  @Test func `work that is not worth retrying is not retried`() async {
    let retry = Retry(attempts: 3, pause: .seconds(1)) { $0 is CancellationError }

    await #expect(throws: Failure.self) {
      try await self.store.dispatch(thunk: self.query(retry: retry) { throw Failure() })
    }
  }
}

// What overlaps.
extension OperationsTests {
  private nonisolated static let notes = ["a", "b"].map { Note(id: $0) }

  /// Runs something while a query is under way that has read both notes.
  private func overlap(
    isElsewhere: Bool = false,
    with work: () async throws -> Void
  ) async throws -> Action? {
    let gate = Gate()
    let query = self.query(isElsewhere: isElsewhere) {
      await gate.wait()
      return Self.notes
    }
    let store = self.store
    let read = Task { try await store.dispatch(thunk: query) }
    try await work()
    gate.open()
    try await read.value
    return self.store.state.first { if case .didFetch = $0 { true } else { false } }
  }

  @Test func `a write during a read is newer than what was read`() async throws {
    let fetched = try await self.overlap {
      try await self.store.dispatch(thunk: self.mutation(changed: ["a"]))
    }

    #expect(fetched == .didFetch([Note(id: "b")]))
  }

  @Test func `a failed write hides nothing that was read, and its error shows afterwards`()
    async throws
  {
    let fetched = try await self.overlap {
      try? await self.store.dispatch(thunk: self.mutation(changed: ["a"]) { throw Failure() })
    }

    #expect(fetched == .didFetch(Self.notes))
    #expect(self.store.state.last == .did("missed: The disk is full."))
  }

  @Test func `of many failed writes during a read, the newest eight errors show`() async throws {
    try await self.store.dispatch(
      thunk: self.query {
        for number in 1...10 {
          let write = await self.mutation { throw NumberedFailure(number: number) }
          try? await self.store.dispatch(thunk: write)
        }
        return Self.notes
      })

    let missed = (3...10).map { Action.did("missed: Failure \($0)") }
    #expect(Array(self.store.state.suffix(9)) == [.didFetch(Self.notes)] + missed)
  }

  @Test(arguments: [false, true])
  func `an optimistic change is newer than reads until it is written`(
    isElsewhere: Bool
  ) async throws {
    let pending = self.mutation(changing: ["a"])

    let fetched = try await self.overlap(isElsewhere: isElsewhere) {}
    try await self.store.dispatch(thunk: pending)
    let after = try await self.overlap {}

    #expect(fetched == .didFetch(isElsewhere ? Self.notes : [Note(id: "b")]))
    #expect(after == fetched)
    #expect(self.store.state.last == .didFetch(Self.notes))
  }

  @Test func `a change of everything is newer than any overlapping read`() async throws {
    let fetched = try await self.overlap {
      try await self.store.dispatch(thunk: self.mutation(isEverything: true))
    }

    #expect(fetched == .didFetch([]))
  }

  @Test func `an optimistic change that is never written is forgotten`() async throws {
    _ = self.mutation(changing: ["a"])

    #expect(try await self.overlap {} == .didFetch(Self.notes))
  }

  @Test func `only the newest of several queries with one name counts`() async throws {
    let older = self.query(latestOf: "refresh") { [Note(id: "old")] }
    let newer = self.query(latestOf: "refresh") { [Note(id: "new")] }

    try await self.store.dispatch(thunk: newer)
    try await self.store.dispatch(thunk: older)

    #expect(self.store.state == [.didFetch([Note(id: "new")])])
  }
}

struct ExpiryTests {
  @Test func `the oldest ids expire at twice the limit`() {
    var expiry = Expiry<Int>()

    let expired = [1, 2, 3, 4, 1, 1, 6, 7, 8, 1].map { expiry.didEnd($0, limit: 3).sorted() }

    #expect(expired == [[], [], [], [], [], [], [2, 3], [], [], [4, 6]])
  }

  @Test func `an expiry continues the same after an encoding round trip`() throws {
    var expiry = Expiry<String>()
    for id in ["1", "2", "3", "4"] { _ = expiry.didEnd(id, limit: 3) }

    var decoded = try JSONDecoder().decode(
      Expiry<String>.self, from: try JSONEncoder().encode(expiry))

    #expect(decoded == expiry)
    #expect(["5", "6"].map { decoded.didEnd($0, limit: 3).sorted() } == [[], ["1", "2", "3"]])
  }
}
