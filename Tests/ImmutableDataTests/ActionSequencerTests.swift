import ImmutableData
import Testing

@MainActor struct ActionSequencerTests {
  private struct Refused: Error {}

  /// Keeps what it is sent, and answers posts with a version.
  @MainActor private final class Recorder: ActionSequencer {
    private(set) var sent: [Int] = []
    private(set) var posted: [String] = []
    /// Reduces what the others have sent meanwhile.
    var onCatchUp: () throws -> Void = {}

    func send(_ action: Int) { self.sent.append(action) }

    func post(_ action: Int, id: String) async throws -> UInt64 {
      self.posted.append("\(id): \(action)")
      return 42
    }

    func catchUp() async throws { try self.onCatchUp() }

    func version(ofPost id: String) async throws -> UInt64? {
      self.posted.contains { $0.hasPrefix("\(id): ") } ? 42 : nil
    }
  }

  private static let reducer = Reducer<Int, Int> { (state: Int, action: Int) throws -> Int in
    if action == 0 { throw Refused() }
    return state + action
  }

  private let recorder = Recorder()
  private let store: Store<Int, Int>

  init() {
    self.store = Store(
      initialState: 5, version: 7, sequencer: self.recorder, reducer: Self.reducer)
  }

  @Test func `a store without a sequencer reduces a post at once`() async throws {
    let store = Store(initialState: 1, reducer: Self.reducer)

    let version = try await store.post(action: 2, id: "a")

    #expect(version == 1 && store.state == 3)
    await #expect(throws: Refused.self) { _ = try await store.post(action: 0, id: "b") }
    await #expect(throws: Refused.self) {
      _ = try await store.post(action: 2, id: "c") { state in if state == 3 { throw Refused() } }
    }
    #expect(store.state == 3)
  }

  @Test func `with a sequencer actions are sent instead of reduced`() async throws {
    try self.store.dispatch(action: 2)
    try self.store.dispatch(action: 0)
    let part = self.store.scope(
      state: { "\($0)" }, action: { (text: String) in Int(text) ?? 0 }, extract: { "\($0)" })
    try part.dispatch(action: "3")
    let version = try await part.post(action: "4", id: "a")

    #expect(self.recorder.sent == [2, 0, 3])
    #expect(self.recorder.posted == ["a: 4"] && version == 42)
    #expect(self.store.state == 5 && self.store.snapshot().version == 7)
  }

  @Test func `a post that the newest state refuses is not sent, and nobody hears of it`()
    async throws
  {
    var heard: [Int] = []
    self.store.record { heard.append($0.action) }
    let observing = self.store.observe { _, action, _ in heard.append(action) }
    let part = self.store.scope(
      state: { "\($0)" }, action: { (text: String) in Int(text) ?? 0 }, extract: { "\($0)" })

    await #expect(throws: Refused.self) { _ = try await self.store.post(action: 0, id: "a") }
    await #expect(throws: Refused.self) {
      _ = try await part.post(action: "4", id: "b") { state in if state == "5" { throw Refused() } }
    }

    withExtendedLifetime(observing) {}
    #expect(self.recorder.posted == [] && heard == [])
    #expect(self.store.state == 5 && self.store.snapshot().version == 7)
  }

  @Test func `a post that only an older state refuses is sent`() async throws {
    self.recorder.onCatchUp = { [store] in try store.apply(1, version: 8, from: "other") }

    let version = try await self.store.post(action: 2, id: "a") { state in
      if state == 5 { throw Refused() }
    }

    #expect(version == 42 && self.recorder.posted == ["a: 2"])
  }

  @Test func `a post that is sent again is not refused because of what it has changed`()
    async throws
  {
    func post() async throws -> UInt64 {
      try await self.store.post(action: 2, id: "a") { state in if state == 7 { throw Refused() } }
    }
    _ = try await post()
    try self.store.apply(2, version: 8, from: nil)

    let version = try await post()

    #expect(version == 42 && self.recorder.posted == ["a: 2"])
  }

  @Test func `nothing is refused while the newest state is unknown`() async throws {
    struct Away: Error {}
    self.recorder.onCatchUp = { throw Away() }

    await #expect(throws: Away.self) { _ = try await self.store.post(action: 0, id: "a") }
  }

  @Test func `an applied action sets its version, and a refused one changes nothing`() throws {
    try self.store.apply(2, version: 9, from: nil)
    #expect(throws: Refused.self) { try self.store.apply(0, version: 10, from: nil) }
    #expect(self.store.state == 7 && self.store.snapshot().version == 9)

    try self.store.apply(3, version: 11, from: "other")
    #expect(self.store.state == 10 && self.store.snapshot().version == 11)
    #expect(self.store.snapshot().actions(since: 7)?.map(\.action) == [2, 3])
  }

  @Test func `a skipped action reaches nobody, but readers see the state`() async throws {
    let part = self.store.scope(
      state: { "\($0)" }, action: { (text: String) in Int(text) ?? 0 }, extract: { "\($0)" })
    var signals = part.makeSignal().makeAsyncIterator()
    var observed: [Int] = []
    let observing = self.store.observe { _, action, _ in observed.append(action) }
    var skipped: [String] = []
    part.record({ _ in }, didSkip: { skipped.append("\($0) at \($1)") })
    try self.store.apply(2, version: 9, from: nil)
    await signals.next()

    self.store.skip(to: 20, version: 12)

    await signals.next()
    try self.store.apply(3, version: 13, from: nil)
    withExtendedLifetime(observing) {}
    #expect(observed == [2, 3] && skipped == ["20 at 12"])
    #expect(part.state == "23" && part.snapshot().version == 13)
    #expect(part.snapshot().actions(since: 9) == nil)
    #expect(self.store.snapshot().actions(since: 12)?.map(\.action) == [3])
  }

  @Test(arguments: [false, true])
  func `an old effect of another process is kept only if the state can say whether it has ended`(
    hasCondition: Bool
  ) throws {
    let lanes = EffectLanes()
    let thunk: Effect<Int, Int>.Thunk = { _, _ in }
    let effect =
      hasCondition ? Effect("work", while: { _ in true }, thunk) : Effect("work", thunk)
    let listening = lanes.listen(to: self.store) { _, _, _ in [effect] }

    try ActionOrigin.$entry.withValue((bytes: 1, age: .seconds(3_600))) {
      try self.store.apply(1, version: 8, from: "old")
    }
    try ActionOrigin.$entry.withValue((bytes: 1, age: .seconds(1))) {
      try self.store.apply(1, version: 9, from: "new")
    }

    #expect(lanes.foreignNodes() == (hasCondition ? ["old", "new"] : ["new"]))
    withExtendedLifetime(listening) {}
  }

  @Test func `streams get the store's own actions, all others get all`() async throws {
    var recorded: [Int] = []
    var observed: [String] = []
    self.store.record { recorded.append($0.action) }
    let observing = self.store.observe { observed.append("\($1) of \($2 ?? "this process")") }
    var stream = self.store.makeStream().makeAsyncIterator()
    var signal = self.store.makeSignal().makeAsyncIterator()

    try self.store.apply(1, version: 8, from: "other")
    await signal.next()
    try self.store.apply(2, version: 9, from: nil)

    #expect(await stream.next()?.action == 2)
    withExtendedLifetime(observing) {}
    #expect(observed == ["1 of other", "2 of this process"] && recorded == [1, 2])
  }
}
