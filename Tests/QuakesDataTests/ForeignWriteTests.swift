import Foundation
import GRDB
import ImmutableData
import TestSupport
import Testing

@testable import QuakesData

/// A local store in whose file others write whenever a test says so.
private struct SharedStore: PersistentSessionLocalStore {
  let base: LocalStoreDouble
  let signals: AsyncStream<Void>
  let ends = Transcript<Bool>()

  func followChanges(
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    for await _ in self.signals {
      do {
        try await body()
        self.ends.append(true)
      } catch {
        self.ends.append(false)
      }
    }
  }

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    try await self.base.fetchLocalQuakesQuery()
  }
  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) async throws {
    try await self.base.didFetchRemoteQuakesMutation(
      inserted: inserted, updated: updated, deleted: deleted)
  }
  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.base.deleteLocalQuakeMutation(quakeId: quakeId)
  }
  func deleteLocalQuakesMutation() async throws {
    try await self.base.deleteLocalQuakesMutation()
  }
}

@MainActor private struct Fixture {
  let store: QuakesStore
  let local: SharedStore
  let actions = Transcript<QuakesAction>()
  private let continuation: AsyncStream<Void>.Continuation
  private let listener: Listener<SharedStore, RemoteStoreDouble>
  private let observing: Subscription

  init(_ state: QuakesState = .fetched, _ base: LocalStoreDouble) {
    let (signals, continuation) = AsyncStream.makeStream(of: Void.self)
    self.continuation = continuation
    self.store = Store(initialState: state, reducer: QuakesReducer.reduce)
    self.local = SharedStore(base: base, signals: signals)
    self.observing = self.store.observe { [actions] _, action, _ in actions.append(action) }
    self.listener = Listener(
      localStore: self.local, remoteStore: RemoteStoreDouble(), lanes: EffectLanes())
    self.listener.listen(to: self.store)
  }

  /// Others write, and it has been followed up.
  func change() async {
    let count = self.local.ends.entries.count
    self.continuation.yield()
    await self.local.ends.wait { $0.count > count }
  }
}

@Suite(.timeLimit(.minutes(2))) @MainActor struct ForeignWriteTests {
  private static let changed = Quake.make("b", magnitude: 7)

  @Test func `only rows written by others change the state`() async {
    let fixture = Fixture(.fetched, LocalStoreDouble([.a, Self.changed, .d]))

    await fixture.change()
    await fixture.change()

    #expect(
      fixture.actions.entries == [
        .localStore(.didChangeElsewhere(saved: [Self.changed, .d], deleted: ["c"]))
      ])
    #expect(fixture.store.state == .make([.a, Self.changed, .d], status: .success))
  }

  @Test func `a first fetch does not undo what others write meanwhile`() async throws {
    let gate = Gate()
    let read = Transcript<Void>()
    var local = LocalStoreDouble([.a, .b])
    local.willDo = { [base = local] call in
      guard call == .fetchLocal else { return }
      read.append(())
      guard read.entries.count == 1 else { return }
      try await base.deleteLocalQuakeMutation(quakeId: "b")
      await gate.wait()
    }
    let fixture = Fixture(QuakesState(), local)

    try fixture.store.dispatch(action: .onAppear)
    await read.wait { $0.isEmpty == false }
    let changing = Task { await fixture.change() }
    for _ in 0..<100 { await Task.yield() }
    gate.open()
    await changing.value
    await fixture.actions.wait { actions in
      actions.contains { ActionKind(of: $0) == .didFetchLocal }
    }

    #expect(fixture.store.state.quakes.data == ["a": .a])
  }

  @Test func `nothing is read before the first fetch`() async {
    let fixture = Fixture(QuakesState(), LocalStoreDouble([.a]))

    await fixture.change()

    #expect(fixture.local.base.transcript.calls == [])
    #expect(fixture.store.state == QuakesState())
  }

  @Test func `a failed read of foreign writes does not show`() async {
    let local = LocalStoreDouble([.a]).refusing { $0 == .fetchLocal }
    let fixture = Fixture(.fetched, local)

    await fixture.change()

    #expect(fixture.local.ends.entries == [false])
    #expect(fixture.store.state == .fetched)
  }

  @Test func `fetched quakes that could not be saved stay`() async throws {
    let local = LocalStoreDouble([.a, .b, .c]).refusing { $0 == .save(inserted: [.d]) }
    let fixture = Fixture(.fetched, local)
    try fixture.store.dispatch(action: .didFetchRemote([.d]))
    await fixture.actions.wait { actions in
      actions.contains { ActionKind(of: $0) == .didFailToSave }
    }

    await fixture.change()

    #expect(fixture.store.state.quakes.data == QuakesState.make([.a, .b, .c, .d]).quakes.data)
  }

  @Test func `quakes fetched or deleted during a read stay so`() async throws {
    let (began, gate) = (Gate(), Gate())
    var local = LocalStoreDouble([.a, .b, .c])
    local.willDo = { call in
      guard call == .fetchLocal else { return }
      began.open()
      await gate.wait()
    }
    let fixture = Fixture(.fetched, local)
    let changing = Task { await fixture.change() }
    await began.wait()

    try fixture.store.dispatch(action: .didFetchRemote([.d]))
    try fixture.store.dispatch(action: .onTapDelete("a"))
    gate.open()
    await changing.value

    #expect(fixture.store.state.quakes.data == QuakesState.make([.b, .c, .d]).quakes.data)
  }

  @Test func `the file of a store is followed`() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appending(path: "quakes.store")
    let store = try LocalStore(url: url)
    try await store.didFetchRemoteQuakesMutation(inserted: [.a, .b], updated: [], deleted: [])
    let (begun, told) = (Gate(), Gate())
    let following = Task {
      try await store.followChanges {
        begun.open()
      } _: {
        told.open()
      }
    }
    await begun.wait()

    let other = try DatabaseQueue(path: url.path)
    try await other.write { try $0.execute(sql: "DELETE FROM quake WHERE quakeId = 'a'") }
    try other.close()
    await told.wait()

    following.cancel()
    _ = await following.result
    #expect(try await store.fetchLocalQuakesQuery() == [.b])
    try store.close()
  }
}
