// As a test that is written against the guide imports: no module of swift-collections, no FoundationNetworking.
import Foundation
import ImmutableData
import QuakesData
import Testing

/// What tests that are written against the guide rely on.
@MainActor struct GuideCompatibilityTests {
  private func quake(_ id: String, magnitude: Double = 1) -> Quake {
    Quake(
      quakeId: id, magnitude: magnitude, time: .now, updated: .now, name: id, longitude: 0,
      latitude: 0)
  }

  @Test func `members of modules that a test does not import can be used`() {
    let quake = self.quake("a")
    let state = QuakesState(quakes: QuakesState.Quakes(data: ["a": quake]))

    #expect(state.quakes.data["a"] == quake)
    #expect(URLRequest(url: URL(filePath: "/")).httpMethod == "GET")
  }

  @Test func `a store runs the thunks of effects, and its states say what is saved`() async throws {
    let (old, new) = (self.quake("a"), self.quake("b"))
    let store = FixedStore(
      QuakesState(quakes: QuakesState.Quakes(data: ["b": new], status: .success)))
    let localStore = NotingLocalStore()
    let listener = Listener(localStore: localStore, remoteStore: EmptyRemoteStore())
    listener.listen(to: store)

    store.send(
      .data(
        .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: [old, new]))))),
      after: QuakesState(quakes: QuakesState.Quakes(data: ["a": old])))
    let saved = await localStore.saved()

    #expect(store.thunkCount == 1)
    #expect(saved.map { $0.map(\.id) } == [["b"], [], ["a"]])
  }

  @Test func `deleting a quake selects nothing`() async throws {
    let store = FixedStore(QuakesState(quakes: QuakesState.Quakes(data: ["a": self.quake("a")])))
    let localStore = NotingLocalStore()
    let listener = Listener(localStore: localStore, remoteStore: EmptyRemoteStore())
    listener.listen(to: store)

    store.send(.ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "a"))), after: store.state)
    store.send(.ui(.quakeList(.onTapDeleteAllQuakesButton)), after: store.state)

    #expect(await localStore.deleted(2) == ["a", nil])
    #expect(store.selectCount == 0)
  }
}

@MainActor private final class FixedStore: Dispatcher, Selector, Streamer {
  typealias State = QuakesState
  typealias Action = QuakesAction

  let state: QuakesState
  private(set) var thunkCount = 0
  private(set) var selectCount = 0
  private let stream = AsyncStream<(oldState: QuakesState, action: QuakesAction)>.makeStream()

  init(_ state: QuakesState) {
    self.state = state
  }

  func send(_ action: QuakesAction, after oldState: QuakesState) {
    self.stream.continuation.yield((oldState: oldState, action: action))
  }

  func makeStream() -> AsyncStream<(oldState: QuakesState, action: QuakesAction)> {
    self.stream.stream
  }

  func select<T>(_ selector: @Sendable (QuakesState) -> T) -> T where T: Sendable {
    self.selectCount += 1
    return selector(self.state)
  }

  func dispatch(action: QuakesAction) throws {}

  func dispatch(thunk: @Sendable (FixedStore, FixedStore) throws -> Void) rethrows {
    try thunk(self, self)
  }

  func dispatch(
    thunk: @Sendable (FixedStore, FixedStore) async throws -> Void
  ) async rethrows {
    self.thunkCount += 1
    try await thunk(self, self)
  }
}

private actor NotingLocalStore: PersistentSessionLocalStore {
  private let changes = AsyncStream<[[Quake]]>.makeStream()
  private let deletions = AsyncStream<Quake.ID?>.makeStream()

  func saved() async -> [[Quake]] {
    await self.changes.stream.first { _ in true } ?? []
  }

  /// The deleted ids, as soon as there are so many; `nil`: all.
  func deleted(_ count: Int) async -> [Quake.ID?] {
    await self.deletions.stream.prefix(count).reduce(into: []) { $0.append($1) }
  }

  func fetchLocalQuakesQuery() async throws -> [Quake] { [] }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    self.changes.continuation.yield([inserted, updated, deleted])
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    self.deletions.continuation.yield(quakeId)
  }

  func deleteLocalQuakesMutation() async throws {
    self.deletions.continuation.yield(nil)
  }
}

private struct EmptyRemoteStore: PersistentSessionRemoteStore {
  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    []
  }
}
