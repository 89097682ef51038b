import Synchronization
import TestSupport
import Testing

@testable import ImmutableData

private struct Failure: Error {}

/// A number that is added to, and what was added.
private typealias Sum = Store<Int, Int>

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct EffectTests {
  private let store = Sum(initialState: 0) { $0 + $1 }
  private let transcript = Transcript<String>()

  private func effect(
    _ name: String,
    lane: String? = nil,
    _ work: @escaping @Sendable () async throws -> Void = {}
  ) -> Effect<Int, Int> {
    Effect(name, lane: lane) { [transcript] _, _ in
      try await work()
      transcript.append(name)
    }
  }

  private func run(_ effects: Effect<Int, Int>..., in lanes: EffectLanes) {
    for effect in effects {
      lanes.run(effect, on: ViewStore(self.store)) { [transcript] in transcript.append("\($0)") }
    }
  }

  @Test func `an effect works with the store`() async {
    let lanes = EffectLanes()
    let ended = Gate()

    lanes.run(
      Effect("add") { dispatcher, selector in
        try await dispatcher.dispatch(action: selector.state + 2)
        ended.open()
      },
      on: ViewStore(self.store)
    )
    await ended.wait()

    #expect(self.store.state == 2)
  }

  @Test func `the error of an effect that nobody receives is logged with its context`()
    async throws
  {
    let log = Transcript<String>()
    let lanes = EffectLanes(logger: log.logger)
    let failing = Effect<Int, Int>("save") { _, _ in throw Failure() }
    let reducer = Reducer<Int, Int>(updating: { Update($0 + $1, effects: [failing]) })
    let store = Store(initialState: 0, lanes: lanes, reducer: reducer)
    let listening = lanes.listen(to: self.store) { _, _, _ in [failing] }

    try store.dispatch(action: 2)
    await log.wait { $0.count == 1 }
    try self.store.dispatch(action: 1)
    await log.wait { $0.count == 2 }
    lanes.run(failing, on: ViewStore(store))
    await log.wait { $0.count == 3 }

    #expect(
      log.entries == [
        "error An effect has failed action=Int effect=save error=Failure() version=1",
        "error An effect has failed action=Int effect=save error=Failure() version=1",
        "error An effect has failed action=none effect=save error=Failure() version=none",
      ])
    withExtendedLifetime(listening) {}
  }

  private enum NotesAction: Sendable {
    case list(List)

    enum List: Sendable {
      case onTapSaveButton(text: String)
    }
  }

  @Test func `a listener's logger is told which effect of which action has failed`() async throws {
    let log = Transcript<String>()
    let lanes = EffectLanes()
    let store = Store<Int, NotesAction>(initialState: 0) { state, _ in state + 1 }
    let listening = lanes.listen(to: store, logger: log.logger) { _, _, _ in
      [Effect("notes.save") { _, _ in throw Failure() }]
    }

    try store.dispatch(action: .list(.onTapSaveButton(text: "secret")))
    await log.wait { $0.count == 1 }

    let action = "list.onTapSaveButton"
    #expect(
      log.entries == [
        "error An effect has failed action=\(action) effect=notes.save error=Failure() version=1"
      ])
    withExtendedLifetime(listening) {}
  }

  @Test func `an operation that cannot be ended is logged, not counted, and tried again later`()
    async throws
  {
    let log = Transcript<String>()
    let lanes = EffectLanes(deadline: .zero, logger: log.logger)
    let isRefused = Mutex(true)
    let origins = Transcript<ActionOrigin?>()
    lanes.watch(self.store) {
      [
        Orphans.Ending(id: "save") {
          origins.append(.current)
          if isRefused.withLock({ $0 }) { throw Failure() }
        }
      ]
    }
    #expect(lanes.endOrphans(if: true) == 0)  // it has only just been seen

    #expect(lanes.endOrphans(if: true) == 0)
    isRefused.withLock { $0 = false }
    #expect(lanes.endOrphans(if: true) == 1)

    // Only the leader may report it.
    #expect(
      origins.entries == Array(repeating: .effect(name: "interruption", version: nil), count: 2))
    #expect(
      log.entries == ["error A waiting operation cannot be ended error=Failure() operation=save"])
  }

  @Test func `in lanes a write waits for earlier writes, and a read waits for nothing`() async {
    let gate = Gate()

    self.run(
      self.effect("first write", lane: "write") { await gate.wait() },
      self.effect("second write", lane: "write"),
      self.effect("read") { gate.open() },
      in: EffectLanes()
    )
    await self.transcript.wait { $0.count == 3 }

    #expect(self.transcript.entries == ["read", "first write", "second write"])
  }

  @Test func `serial lanes await each effect`() async {
    let gate = Gate()

    self.run(
      self.effect("write", lane: "write") { await gate.wait() }, self.effect("read"),
      in: EffectLanes(isSerial: true)
    )
    gate.open()
    await self.transcript.wait { $0.count == 2 }

    #expect(self.transcript.entries == ["write", "read"])
  }

  @Test func `an error thrown by an effect is reported`() async {
    self.run(self.effect("fails") { throw Failure() }, in: EffectLanes())

    await self.transcript.wait { $0.isEmpty == false }

    #expect(self.transcript.entries == ["Failure()"])
  }

  @Test func `an effect that is no longer wanted when its turn comes does not run`() async {
    let lanes = EffectLanes(isSerial: true)
    let thunk: Effect<Int, Int>.Thunk = { [transcript] _, _ in transcript.append("unwanted") }
    let unwanted = Effect("unwanted", while: { $0 == 0 }, thunk)

    self.run(.dispatching(1), unwanted, self.effect("last"), in: lanes)
    await self.transcript.wait { $0.isEmpty == false }

    #expect(self.transcript.entries == ["last"])
  }

  @Test func `middleware runs around each effect`() async {
    let transcript = self.transcript
    let middleware = ["outer", "inner"].map { layer in
      { name, next in
        transcript.append("\(layer) begins \(name)")
        do { try await next() } catch { transcript.append("\(layer) sees \(error)") }
      } as EffectLanes.Middleware
    }

    self.run(
      self.effect("save") { throw Failure() }, in: EffectLanes(middleware: middleware))
    await transcript.wait { $0.count == 3 }

    #expect(
      transcript.entries == ["outer begins save", "inner begins save", "inner sees Failure()"]
    )
  }

  @Test func `a listener answers actions with effects before dispatch returns`() async throws {
    let lanes = EffectLanes()
    let listening = lanes.listen(to: self.store) { oldState, newState, action in
      #expect(newState() == oldState + action)
      return action == 1 ? [.dispatching(10)] : []
    }

    try self.store.dispatch(action: 1)
    #expect(lanes.count == 1)
    var iterator = self.store.makeStream().makeAsyncIterator()
    while self.store.state != 11 { _ = await iterator.next(isolation: #isolation) }

    withExtendedLifetime(listening) {}
    #expect(self.store.state == 11)
  }

  @Test func `listening ends when its subscription is released`() throws {
    let lanes = EffectLanes()
    var listening: Subscription? = lanes.listen(to: self.store) { _, _, _ in [.dispatching(10)] }
    #expect(listening != nil)

    listening = nil
    try self.store.dispatch(action: 1)

    #expect(lanes.count == 0)
  }
}

// A store as others may write it: it knows the guide's streams alone.
extension EffectTests {
  @MainActor private final class Double: Dispatcher, Selector, Streamer {
    let store: Store<Int, Int>

    init() {
      self.store = Store(initialState: 0) { $0 + $1 }
    }

    func dispatch(action: Int) throws { try self.store.dispatch(action: action) }

    func dispatch(thunk: @Sendable (Store<Int, Int>, Store<Int, Int>) throws -> Void) rethrows {
      try self.store.dispatch(thunk: thunk)
    }

    func dispatch(
      thunk: @Sendable (Store<Int, Int>, Store<Int, Int>) async throws -> Void
    ) async rethrows {
      try await self.store.dispatch(thunk: thunk)
    }

    func select<T: Sendable>(_ selector: @Sendable (Int) -> T) -> T { self.store.select(selector) }

    func makeStream() -> AsyncStream<(oldState: Int, action: Int)> { self.store.makeStream() }
  }

  @Test func `a store of the guide's protocols is listened to by its stream`() async throws {
    let double = Double()
    let lanes = EffectLanes()
    var iterator = double.makeStream().makeAsyncIterator()
    let listening = lanes.listen(to: double) { _, _, action in
      action == 1 ? [.dispatching(10)] : []
    }

    try double.dispatch(action: 1)
    while double.store.state != 11 { _ = await iterator.next(isolation: #isolation) }

    withExtendedLifetime(listening) {}
    #expect(double.store.state == 11)
  }
}
