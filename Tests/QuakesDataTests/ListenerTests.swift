import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import QuakesData

/// A listener at work: a store that it listens to, and the doubles that it calls.
@MainActor private final class Fixture {
  let store: QuakesStore
  let local: LocalStoreDouble
  let listener: Listener<LocalStoreDouble, RemoteStoreDouble>
  private var iterator: AsyncStream<(oldState: QuakesState, action: QuakesAction)>.Iterator

  init(
    _ state: QuakesState = .fetched,
    local: LocalStoreDouble = LocalStoreDouble([.a, .b, .c]),
    remote: RemoteStoreDouble? = nil,
    refreshInterval: Duration = .zero,
    hasLanes: Bool
  ) {
    let remote = remote ?? RemoteStoreDouble([.d], transcript: local.transcript)
    self.store = Store(initialState: state, reducer: QuakesReducer.reduce)
    self.local = local
    // As a product makes them: without lanes by the initialiser of the guide.
    self.listener =
      hasLanes
      ? Listener(
        localStore: local, remoteStore: remote, lanes: EffectLanes(),
        refreshInterval: refreshInterval)
      : Listener(localStore: local, remoteStore: remote)
    self.iterator = self.store.makeStream().makeAsyncIterator()
    self.listener.listen(to: self.store)
  }

  func dispatch(_ actions: QuakesAction...) throws {
    for action in actions { try self.store.dispatch(action: action) }
  }

  /// The actions from where the last call ended to the first of a kind, with it.
  @discardableResult func actions(until kind: ActionKind) async -> [QuakesAction] {
    var iterator = self.iterator
    defer { self.iterator = iterator }
    var actions: [QuakesAction] = []
    while let action = await iterator.next(isolation: #isolation)?.action {
      actions.append(action)
      if ActionKind(of: action) == kind { break }
    }
    return actions
  }

  /// Makes a write fail that comes last and awaits its end: by then each write before it has ended.
  func writeLast() async throws {
    try self.dispatch(.didFetchRemote([Self.last]))
    await self.actions(until: .didFailToSave)
  }

  nonisolated static let last = Quake.make("last")
  nonisolated static let lastCall = StoreCall.save(inserted: [last])
}

extension LocalStoreDouble {
  /// A store that refuses the last write, and does what is asked besides.
  fileprivate static func obliging(
    _ quakes: [Quake] = [.a, .b, .c],
    _ willDo: @escaping @Sendable (StoreCall) async throws -> Void = { _ in }
  ) -> Self {
    var store = Self(quakes)
    store.willDo = { call in
      if call == Fixture.lastCall { throw StoreError(call: call) }
      try await willDo(call)
    }
    return store
  }
}

/// What begins an effect, what it asks of a store, and what then is dispatched.
private let effects: [(QuakesAction, QuakesState, [StoreCall], [QuakesAction])] = [
  (.onAppear, QuakesState(), [.fetchLocal], [.didFetchLocal([.a, .b, .c])]),
  (
    .ui(.quakeList(.onTapRefreshQuakesButton(range: .allMonth))), .fetched,
    [.fetchRemote(.allMonth), .save(inserted: [.d])], [.didFetchRemote([.d])]
  ),
  (.onTapDelete("a"), .fetched, [.delete(quakeId: "a")], []),
  (.onTapDeleteAll, .fetched, [.deleteAll], []),
  (.onTapRestoreAll(1), .emptied, [.save(inserted: [.a])], []),
]

extension QuakesState {
  /// `a` was all that there was, and has been deleted.
  fileprivate static var emptied: Self {
    var state = Self.make([.a], status: .success)
    state.quakes.deletion = Quakes.Deletion(number: 1, table: state.quakes.table)
    state.quakes.table = Table()
    return state
  }
}

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct ListenerTests {
  @Test(arguments: effects, [false, true])
  private func `an action that begins an operation calls a store once`(
    effect: (
      action: QuakesAction, state: QuakesState, calls: [StoreCall], answers: [QuakesAction]
    ),
    hasLanes: Bool
  ) async throws {
    let fixture = Fixture(effect.state, local: .obliging(), hasLanes: hasLanes)

    try fixture.dispatch(effect.action)
    var actions: [QuakesAction] = []
    if let answer = effect.answers.last {
      actions = await fixture.actions(until: ActionKind(of: answer))
    } else {
      actions = await fixture.actions(until: ActionKind(of: effect.action))
    }
    try await fixture.writeLast()

    #expect(actions == [effect.action] + effect.answers)
    #expect(fixture.local.transcript.calls == effect.calls + [Fixture.lastCall])
  }

  @Test(
    arguments: [
      (.onAppear, .make(status: .empty)),
      (.onAppear, .make(status: .waiting)),
      (.onAppear, .make(status: .success)),
      (.onAppear, .make(status: .failure(error: "Disk"))),
      (.onTapRefresh, .make(status: .waiting)),
      (.didFetchLocal, .make()),
      (.didFetchLocalFailure, .make()),
      (.didFailToSave, .make()),
      (.didFetchAgain, .make()),
      (.didFetchAgainFailure, .make()),
      (.didFetchRemoteFailure, .make()),
      (.didSkip, .make()),
      (.didFetchEverything, .make()),
      (.onTapRestoreAll, .fetched),
    ] as [(ActionKind, QuakesState)], [false, true])
  private func `an action that begins no operation does not call the store`(
    action: (kind: ActionKind, state: QuakesState),
    hasLanes: Bool
  ) async throws {
    let fixture = Fixture(action.state, local: .obliging(), hasLanes: hasLanes)

    try fixture.dispatch(.make(action.kind))
    await fixture.actions(until: action.kind)
    try await fixture.writeLast()

    #expect(fixture.local.transcript.calls == [Fixture.lastCall])
  }

  @Test(arguments: [false, true])
  func `a refused delete does not call the store`(hasLanes: Bool) async throws {
    let fixture = Fixture(local: .obliging(), hasLanes: hasLanes)

    #expect(throws: QuakesReducer.Error.self) { try fixture.dispatch(.onTapDelete("z")) }
    try await fixture.writeLast()

    #expect(fixture.local.transcript.calls == [Fixture.lastCall])
  }

  @Test(arguments: [false, true])
  func `a list that appears in many windows is fetched once`(hasLanes: Bool) async throws {
    let fixture = Fixture(QuakesState(), hasLanes: hasLanes)

    try fixture.dispatch(.onAppear, .onAppear, .onTapRefresh, .onAppear)
    await fixture.actions(until: .didFetchLocal)

    #expect(fixture.local.transcript.calls == [.fetchLocal])
    #expect(fixture.store.state == .fetched)
  }

  @Test(arguments: [false, true])
  func `a failed refresh can be retried`(hasLanes: Bool) async throws {
    let transcript = StoreTranscript()
    let fetches = Transcript<Void>()
    var remote = RemoteStoreDouble(transcript: transcript)
    remote.fetch = { range in
      fetches.append(())
      if fetches.entries.count == 1 { throw StoreError(call: .fetchRemote(range)) }
      return [.d]
    }
    let fixture = Fixture(remote: remote, hasLanes: hasLanes)
    let error = StoreError(call: .fetchRemote(.allDay)).localizedDescription

    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFetchRemoteFailure)
    let failed = fixture.store.state
    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFetchRemote)

    #expect(failed == .make([.a, .b, .c], status: .failure(error: error)))
    #expect(fixture.store.state == .make([.a, .b, .c, .d], status: .success))
  }

  @Test(arguments: [false, true])
  func `a cancelled refresh ends at once, and the next one works`(hasLanes: Bool)
    async throws
  {
    let local = LocalStoreDouble.obliging()
    let (begun, gate) = (Gate(), Gate())
    var remote = RemoteStoreDouble(transcript: local.transcript)
    remote.fetch = { range in
      guard range == .allDay else { return [.d] }
      begun.open()
      // It does not mind being cancelled.
      await gate.wait()
      return [.make("late")]
    }
    let fixture = Fixture(local: local, remote: remote, hasLanes: hasLanes)

    try fixture.dispatch(.onTapRefresh)
    await begun.wait()
    try fixture.dispatch(.onTapCancelRefresh)
    #expect(fixture.store.state == .make([.a, .b, .c], status: .empty))
    try fixture.dispatch(.ui(.quakeList(.onTapRefreshQuakesButton(range: .allWeek))))
    let actions = await fixture.actions(until: .didFetchRemote)
    gate.open()
    try await fixture.writeLast()

    #expect(
      actions == [
        .onTapRefresh, .onTapCancelRefresh,
        .ui(.quakeList(.onTapRefreshQuakesButton(range: .allWeek))), .didFetchRemote([.d]),
      ]
    )
    #expect(fixture.store.state.quakes.data.keys.sorted() == ["a", "b", "c", "d", "last"])
  }

  @Test func `rapid refreshes are throttled, and end when they are cancelled`()
    async throws
  {
    let fixture = Fixture(
      local: .obliging(), refreshInterval: .seconds(3_600), hasLanes: true)

    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFetchRemote)
    for _ in 0..<100 { try fixture.dispatch(.onTapRefresh, .onTapCancelRefresh) }
    try fixture.dispatch(.onTapRefresh)
    let isWaiting = fixture.store.state.quakes.status == .waiting
    try fixture.dispatch(.onTapCancelRefresh)
    try await fixture.writeLast()

    #expect(isWaiting)
    #expect(fixture.local.transcript.calls.filter { $0 == .fetchRemote(.allDay) }.count == 1)
  }

  @Test(arguments: [false, true])
  func `a refresh saves what it changed`(hasLanes: Bool) async throws {
    let news = Quake.make("b", magnitude: 5)
    let gone = Quake.make("c", magnitude: 0)
    let local = LocalStoreDouble.obliging()
    let fixture = Fixture(
      local: local,
      remote: RemoteStoreDouble([.a, news, gone, .d], transcript: local.transcript),
      hasLanes: hasLanes
    )

    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFetchRemote)
    try await fixture.writeLast()

    #expect(
      fixture.local.transcript.calls == [
        .fetchRemote(.allDay), .save(inserted: [.d], updated: [news], deleted: [gone]),
        Fixture.lastCall,
      ]
    )
    #expect(fixture.local.quakes == ["a": .a, "b": news, "d": .d])
  }
}

// Undoing.
extension ListenerTests {
  @Test(arguments: [false, true])
  func `undoing a deletion of all saves what is brought back, within the limit`(
    hasLanes: Bool
  ) async throws {
    let quakes = (1...4).map { Quake.make("\($0)", time: .day + $0) }
    let local = LocalStoreDouble(Array(quakes.prefix(3)))
    let state = try QuakesReducer.reduce(
      state: QuakesState(limit: 3), action: .didFetchRemote(Array(quakes.prefix(3))))
    let fixture = Fixture(state, local: local, hasLanes: hasLanes)

    try fixture.dispatch(.onTapDeleteAll, .didFetchRemote([quakes[3]]), .onTapRestoreAll(1))
    await local.transcript.wait { entries in
      entries.contains { entry in
        guard case .ended(.save(let inserted, _, _)) = entry else { return false }
        return inserted.count == 2
      }
    }

    #expect(fixture.store.state.quakes.data.keys.sorted() == ["2", "3", "4"])
    #expect(local.quakes.keys.sorted() == ["2", "3", "4"])
  }
}

// Writes that fail.
extension ListenerTests {
  @Test(
    arguments: [
      (.onTapDelete("a"), .delete(quakeId: "a")),
      (.onTapDeleteAll, .deleteAll),
    ] as [(QuakesAction, StoreCall)], [false, true])
  private func `a failed delete is rolled back to the store's data, and shows`(
    delete: (action: QuakesAction, call: StoreCall),
    hasLanes: Bool
  ) async throws {
    let local = LocalStoreDouble([.a, .b, .c, .d]).refusing { $0 == delete.call }
    let fixture = Fixture(local: local, hasLanes: hasLanes)
    let error = StoreError(call: delete.call).localizedDescription

    try fixture.dispatch(delete.action)
    let actions = await fixture.actions(until: .didFetchAgain)

    #expect(
      actions == [
        delete.action, .localStore(.didFailToDeleteQuakes(error: error)),
        .didFetchAgain([.a, .b, .c, .d], after: error),
      ]
    )
    #expect(
      fixture.store.state == .make([.a, .b, .c, .d], status: .failure(error: error))
    )
    #expect(local.transcript.calls == [delete.call, .fetchLocal])
  }

  @Test(arguments: [false, true])
  func `a store that keeps failing shows its error`(hasLanes: Bool) async throws {
    let local = LocalStoreDouble([.a, .b, .c]).refusing { _ in true }
    let fixture = Fixture(local: local, hasLanes: hasLanes)
    let errors = [StoreCall.delete(quakeId: "a"), .fetchLocal].map {
      StoreError(call: $0).localizedDescription
    }

    try fixture.dispatch(.onTapDelete("a"))
    await fixture.actions(until: .didFetchAgainFailure)

    #expect(
      fixture.store.state
        == .make([.b, .c], status: .failure(error: errors.joined(separator: " ")))
    )
  }

  @Test(arguments: [false, true])
  func `a failed delete does not bring back other deleted quakes`(hasLanes: Bool) async throws {
    let local = LocalStoreDouble.obliging { call in
      if call == .delete(quakeId: "a") { throw StoreError(call: call) }
    }
    let fixture = Fixture(local: local, hasLanes: hasLanes)

    try fixture.dispatch(.onTapDelete("a"), .onTapDelete("b"))
    await fixture.actions(until: .didFetchAgain)
    try await fixture.writeLast()

    #expect(local.quakes == ["a": .a, "c": .c])
    #expect(Set(fixture.store.state.quakes.data.keys) == ["a", "c", "last"])
  }

  @Test func `with lanes a failed delete rereads the store after pending deletes`()
    async throws
  {
    let gate = Gate()
    let local = LocalStoreDouble.obliging { call in
      if call == .delete(quakeId: "a") { throw StoreError(call: call) }
      if call == .delete(quakeId: "b") { await gate.wait() }
    }
    let fixture = Fixture(local: local, hasLanes: true)

    try fixture.dispatch(.onTapDelete("a"), .onTapDelete("b"))
    await fixture.actions(until: .didFailToDelete)
    // So that the store is read too early if it can be.
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    await fixture.actions(until: .didFetchAgain)

    let calls: [StoreCall] = [.delete(quakeId: "a"), .delete(quakeId: "b"), .fetchLocal]
    #expect(local.transcript.entries == calls.flatMap { [.began($0), .ended($0)] })
    #expect(Set(fixture.store.state.quakes.data.keys) == ["a", "c"])
  }

  @Test(arguments: [false, true])
  func `deleting all twice leaves nothing, even if the first attempt fails`(hasLanes: Bool)
    async throws
  {
    let deletes = Transcript<Void>()
    let local = LocalStoreDouble.obliging { call in
      guard call == .deleteAll else { return }
      deletes.append(())
      if deletes.entries.count == 1 { throw StoreError(call: call) }
    }
    let fixture = Fixture(local: local, hasLanes: hasLanes)

    try fixture.dispatch(.onTapDeleteAll, .onTapDeleteAll)
    await fixture.actions(until: .didFetchAgain)
    try await fixture.writeLast()

    #expect(local.quakes == [:])
    #expect(Set(fixture.store.state.quakes.data.keys) == ["last"])
  }

  @Test(arguments: [false, true])
  func `deleting all again while the store is read again leaves nothing`(
    hasLanes: Bool
  ) async throws {
    let began = Gate()
    let gate = Gate()
    let deletes = Transcript<Void>()
    let local = LocalStoreDouble.obliging { call in
      if call == .fetchLocal {
        began.open()
        await gate.wait()
      }
      guard call == .deleteAll else { return }
      deletes.append(())
      if deletes.entries.count == 1 { throw StoreError(call: call) }
    }
    let fixture = Fixture(local: local, hasLanes: hasLanes)

    try fixture.dispatch(.onTapDeleteAll)
    await began.wait()
    try fixture.dispatch(.onTapDeleteAll)
    gate.open()
    await fixture.actions(until: .didFetchAgain)
    try await fixture.writeLast()

    #expect(local.quakes == [:])
    #expect(Set(fixture.store.state.quakes.data.keys) == ["last"])
  }

  @Test(arguments: [false, true])
  func `a failed save shows, and the next refresh retries it`(hasLanes: Bool) async throws {
    let saves = Transcript<Void>()
    var local = LocalStoreDouble([.a, .b, .c])
    local.willDo = { call in
      saves.append(())
      if saves.entries.count == 1 { throw StoreError(call: call) }
    }
    let fixture = Fixture(local: local, hasLanes: hasLanes)
    let error = StoreError(call: .save(inserted: [.d])).localizedDescription

    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFailToSave)
    let failed = fixture.store.state
    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFetchRemote)
    try fixture.dispatch(.onTapDelete("a"))
    await fixture.actions(until: .onTapDeleteSelected)
    await local.ends(.delete(quakeId: "a"))

    #expect(failed == .make([.a, .b, .c, .d], status: .failure(error: error)))
    #expect(fixture.store.state == .make([.b, .c, .d], status: .success))
    #expect(local.quakes == ["b": .b, "c": .c, "d": .d])
  }
}

extension LocalStoreDouble {
  /// Awaits the end of a call.
  fileprivate func ends(_ call: StoreCall) async {
    await self.transcript.wait { $0.contains(.ended(call)) }
  }
}

// What happens while a refresh is under way.
extension ListenerTests {
  @Test(arguments: [QuakesAction.onTapDelete("a"), .onTapDeleteAll], [false, true])
  func `a refresh does not bring back quakes deleted while it runs`(
    delete: QuakesAction,
    hasLanes: Bool
  ) async throws {
    let began = Gate()
    let gate = Gate()
    let local = LocalStoreDouble.obliging()
    var remote = RemoteStoreDouble(transcript: local.transcript)
    remote.fetch = { _ in
      began.open()
      await gate.wait()
      return [.a, .d]
    }
    let fixture = Fixture(local: local, remote: remote, hasLanes: hasLanes)

    try fixture.dispatch(.onTapRefresh)
    await began.wait()
    try fixture.dispatch(delete)
    gate.open()
    await fixture.actions(until: .didFetchRemote)
    let state = fixture.store.state
    try await fixture.writeLast()

    let expected: [Quake] = delete == .onTapDeleteAll ? [.d] : [.b, .c, .d]
    #expect(state == .make(expected, status: .success))
    #expect(local.quakes == Dictionary(uniqueKeysWithValues: expected.map { ($0.id, $0) }))
  }

  /// Each time, the whole table was written twice, which took longer than a server has to end.
  @Test func `what is deleted and restored before its turn comes is not written`() async throws {
    let gate = Gate()
    let local = LocalStoreDouble.obliging { call in
      if call == .delete(quakeId: "a") { await gate.wait() }
    }
    let fixture = Fixture(local: local, hasLanes: true)

    try fixture.dispatch(
      .onTapDelete("a"), .onTapDeleteAll, .onTapRestoreAll(1), .onTapDeleteAll, .onTapDeleteAll,
      .onTapRestoreAll(2))
    gate.open()
    try await fixture.writeLast()

    #expect(local.transcript.calls == [.delete(quakeId: "a"), Fixture.lastCall])
    #expect(local.quakes == ["b": .b, "c": .c])
    #expect(Set(fixture.store.state.quakes.data.keys) == ["b", "c", "last"])
  }

  @Test func `what is restored after its deletion has begun is written`() async throws {
    let gate = Gate()
    let local = LocalStoreDouble.obliging { call in
      if call == .deleteAll { await gate.wait() }
    }
    let fixture = Fixture(local: local, hasLanes: true)

    try fixture.dispatch(.onTapDeleteAll)
    await local.transcript.wait { $0.contains(.began(.deleteAll)) }
    try fixture.dispatch(.onTapDeleteAll, .onTapRestoreAll(1))
    gate.open()
    try await fixture.writeLast()

    #expect(local.transcript.calls.filter { $0 == .deleteAll }.count == 2)
    #expect(local.quakes == ["a": .a, "b": .b, "c": .c])
  }

  @Test func `a deletion that another write follows is not left out`() async throws {
    let gate = Gate()
    let local = LocalStoreDouble.obliging { call in
      if call == .delete(quakeId: "b") { await gate.wait() }
    }
    let fixture = Fixture(local: local, hasLanes: true)

    // The refresh brings `a` back, and it is deleted again.
    try fixture.dispatch(
      .onTapDelete("b"), .onTapDeleteAll, .didFetchRemote([.a]), .onTapDelete("a"),
      .onTapRestoreAll(1))
    gate.open()
    try await fixture.writeLast()

    #expect(local.quakes == ["a": .a, "c": .c])
    #expect(Set(fixture.store.state.quakes.data.keys) == ["a", "c", "last"])
  }

  @Test func `with lanes writes run one at a time while a refresh never ends`() async throws {
    let began = Gate()
    let gate = Gate()
    defer { gate.open() }
    let local = LocalStoreDouble.obliging()
    var remote = RemoteStoreDouble()
    remote.fetch = { _ in
      began.open()
      await gate.wait()
      return []
    }
    let fixture = Fixture(local: local, remote: remote, hasLanes: true)

    try fixture.dispatch(.onTapRefresh)
    await began.wait()
    try fixture.dispatch(.onTapDelete("a"), .onTapDelete("b"), .onTapDeleteAll)
    await local.ends(.deleteAll)

    let writes: [StoreCall] = [.delete(quakeId: "a"), .delete(quakeId: "b"), .deleteAll]
    #expect(local.transcript.entries == writes.flatMap { [.began($0), .ended($0)] })
    #expect(fixture.store.state == .make(status: .waiting))
  }

  @Test func `without lanes each effect is awaited before the next action`() async throws {
    let local = LocalStoreDouble.obliging()
    let fixture = Fixture(QuakesState(), local: local, hasLanes: false)

    try fixture.dispatch(.onAppear)
    await fixture.actions(until: .didFetchLocal)
    try fixture.dispatch(.onTapRefresh, .onTapDelete("a"), .onTapDelete("b"))
    await fixture.actions(until: .didFetchRemote)
    try await fixture.writeLast()

    let calls: [StoreCall] = [
      .fetchLocal, .fetchRemote(.allDay), .delete(quakeId: "a"), .delete(quakeId: "b"),
      .save(inserted: [.d]), Fixture.lastCall,
    ]
    #expect(local.transcript.entries == calls.flatMap { [.began($0), .ended($0)] })
  }

  @Test(arguments: [false, true])
  func `a delete that fails during a refresh shows when the refresh ends`(hasLanes: Bool)
    async throws
  {
    let began = Gate()
    let gate = Gate()
    let local = LocalStoreDouble([.a, .b, .c]).refusing { $0 == .delete(quakeId: "a") }
    var remote = RemoteStoreDouble()
    remote.fetch = { _ in
      began.open()
      await gate.wait()
      return [.d]
    }
    let fixture = Fixture(local: local, remote: remote, hasLanes: hasLanes)
    let error = StoreError(call: .delete(quakeId: "a")).localizedDescription

    try fixture.dispatch(.onTapRefresh)
    await began.wait()
    try fixture.dispatch(.onTapDelete("a"))
    if hasLanes {
      await fixture.actions(until: .didFetchAgain)
      #expect(fixture.store.state == .make([.a, .b, .c], status: .waiting))
      gate.open()
      await fixture.actions(until: .didFailToSave)
    } else {
      gate.open()
      await fixture.actions(until: .didFetchAgain)
    }

    #expect(
      fixture.store.state == .make([.a, .b, .c, .d], status: .failure(error: error))
    )
  }
}

// What is read while something is deleted.
extension ListenerTests {
  /// A feed that is held until a gate opens.
  private static func held(
    _ quakes: [Quake]?,
    until gate: Gate,
    began: Gate
  ) -> RemoteStoreDouble {
    var remote = RemoteStoreDouble()
    remote.fetch = { range in
      began.open()
      await gate.wait()
      guard let quakes else { throw StoreError(call: .fetchRemote(range)) }
      return quakes
    }
    return remote
  }

  @Test(arguments: [false, true])
  func `a local read that ends after deleting all brings nothing back`(hasLanes: Bool) async throws
  {
    let began = Gate()
    let gate = Gate()
    let local = LocalStoreDouble.obliging { call in
      if call == .fetchLocal {
        began.open()
        await gate.wait()
      }
    }
    let fixture = Fixture(QuakesState(), local: local, hasLanes: hasLanes)

    try fixture.dispatch(.onAppear)
    await began.wait()
    try fixture.dispatch(.onTapDeleteAll)
    gate.open()
    await fixture.actions(until: .didFetchLocal)
    try await fixture.writeLast()

    #expect(Set(fixture.store.state.quakes.data.keys) == ["last"])
    #expect(local.quakes == [:])
  }

  @Test(arguments: [false, true])
  func `a later refresh brings back deleted quakes`(hasLanes: Bool) async throws {
    let local = LocalStoreDouble.obliging()
    let fixture = Fixture(local: local, remote: RemoteStoreDouble([.a]), hasLanes: hasLanes)

    try fixture.dispatch(.onTapDelete("a"), .onTapRefresh)
    await fixture.actions(until: .didFetchRemote)
    let state = fixture.store.state
    try await fixture.writeLast()

    #expect(state == .fetched)
    #expect(local.quakes == ["a": .a, "b": .b, "c": .c])
  }

  @Test func `deleting all before the feed is requested counts as during the refresh`() async throws
  {
    let fixture = Fixture(
      local: .obliging(), remote: RemoteStoreDouble([.a, .d]), hasLanes: true)

    try fixture.dispatch(.onTapRefresh, .onTapDeleteAll)
    await fixture.actions(until: .didFetchRemote)

    #expect(fixture.store.state == .make([.d], status: .success))
  }

  @Test(arguments: [false, true])
  func `a refresh brings back nothing that was deleted in several steps`(hasLanes: Bool)
    async throws
  {
    let began = Gate()
    let gate = Gate()
    let fixture = Fixture(
      .make([.a, .b], status: .success),
      remote: Self.held([.a, .b, .c, .d], until: gate, began: began), hasLanes: hasLanes)

    try fixture.dispatch(.onTapRefresh)
    await began.wait()
    try fixture.dispatch(
      .onTapDelete("a"), .onTapDeleteAll, .ui(.quakeList(.onTapRestoreQuakeButton(.c))),
      .onTapDeleteAll)
    gate.open()
    await fixture.actions(until: .didFetchRemote)

    #expect(fixture.store.state == .make([.d], status: .success))
  }

  @Test func `a quake that a refresh removed is not brought back by a read`() async throws {
    let gate = Gate()
    let local = LocalStoreDouble([.a, .b]).refusing { $0 == .delete(quakeId: "a") }
    var held = local
    held.willDo = { call in
      if call == .fetchLocal { await gate.wait() }
      try await local.willDo(call)
    }
    let fixture = Fixture(
      .make([.a, .b], status: .success), local: held,
      remote: RemoteStoreDouble([.make("b", magnitude: 0)]), hasLanes: true)

    try fixture.dispatch(.onTapDelete("a"))
    await held.transcript.wait { $0.contains(.began(.fetchLocal)) }
    try fixture.dispatch(.onTapRefresh)
    await fixture.actions(until: .didFetchRemote)
    gate.open()
    await fixture.actions(until: .didFetchAgain)

    #expect(Set(fixture.store.state.quakes.data.keys) == ["a"])
  }

  @Test func `a quake restored during a refresh gets the refreshed values`() async throws {
    let news = Quake.make("a", magnitude: 5)
    let began = Gate()
    let gate = Gate()
    let fixture = Fixture(
      .make([.a], status: .success),
      local: LocalStoreDouble([.a]).refusing { $0 == .delete(quakeId: "a") },
      remote: Self.held([news], until: gate, began: began), hasLanes: true)

    try fixture.dispatch(.onTapRefresh)
    await began.wait()
    try fixture.dispatch(.onTapDelete("a"))
    await fixture.actions(until: .didFetchAgain)
    gate.open()
    await fixture.actions(until: .didFailToSave)

    let error = StoreError(call: .delete(quakeId: "a")).localizedDescription
    #expect(fixture.store.state == .make([news], status: .failure(error: error)))
  }

  @Test func `a failed refresh and a failed write both show`() async throws {
    let began = Gate()
    let gate = Gate()
    let fixture = Fixture(
      local: LocalStoreDouble([.a, .b, .c]).refusing { $0 == .delete(quakeId: "a") },
      remote: Self.held(nil, until: gate, began: began), hasLanes: true)
    let errors = [StoreCall.delete(quakeId: "a"), .fetchRemote(.allDay)].map {
      StoreError(call: $0).localizedDescription
    }

    try fixture.dispatch(.onTapRefresh)
    await began.wait()
    try fixture.dispatch(.onTapDelete("a"))
    await fixture.actions(until: .didFetchAgain)
    gate.open()
    await fixture.actions(until: .didFetchRemoteFailure)

    #expect(
      fixture.store.state
        == .make([.a, .b, .c], status: .failure(error: errors.joined(separator: " ")))
    )
  }
}

// Whom it listens to.
extension ListenerTests {
  @Test func `listening again to the same store calls it once`() async throws {
    let fixture = Fixture(local: .obliging(), hasLanes: false)

    try fixture.dispatch(.onTapDelete("a"))
    fixture.listener.listen(to: fixture.store)
    try await fixture.writeLast()

    #expect(fixture.local.transcript.calls == [.delete(quakeId: "a"), Fixture.lastCall])
  }

  @Test func `listening to another store ends listening to the first`() async throws {
    let fixture = Fixture(local: .obliging(), hasLanes: false)
    let other = QuakesStore(initialState: .fetched, reducer: QuakesReducer.reduce)

    fixture.listener.listen(to: other)
    try fixture.dispatch(.onTapDelete("a"))
    try other.dispatch(action: .onTapDelete("b"))
    await fixture.local.ends(.delete(quakeId: "b"))

    #expect(fixture.local.transcript.calls == [.delete(quakeId: "b")])
  }

  @Test func `a listener can be released while it is listening`() {
    let store = QuakesStore(initialState: .fetched, reducer: QuakesReducer.reduce)
    var listener: Listener? = Listener(
      localStore: LocalStoreDouble(), remoteStore: RemoteStoreDouble())
    weak let weakListener = listener
    listener?.listen(to: store)

    listener = nil

    #expect(weakListener == nil)
  }
}
