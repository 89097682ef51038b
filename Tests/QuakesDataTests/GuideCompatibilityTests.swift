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
}

@MainActor private final class FixedStore: Dispatcher, Selector, Streamer {
  typealias State = QuakesState
  typealias Action = QuakesAction

  let state: QuakesState
  private(set) var thunkCount = 0
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
    selector(self.state)
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

  func saved() async -> [[Quake]] {
    await self.changes.stream.first { _ in true } ?? []
  }

  func fetchLocalQuakesQuery() async throws -> [Quake] { [] }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    self.changes.continuation.yield([inserted, updated, deleted])
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {}

  func deleteLocalQuakesMutation() async throws {}
}

private struct EmptyRemoteStore: PersistentSessionRemoteStore {
  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    []
  }
}
