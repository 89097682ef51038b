// As a test that is written against the guide imports: no module of swift-collections, no FoundationNetworking.
import Foundation
import ImmutableData
import QuakesData
import TestSupport
import Testing

/// What tests that are written against the guide rely on.
@MainActor struct GuideCompatibilityTests {
  private func quake(_ id: String, magnitude: Double = 1, updated: Date = .now) -> Quake {
    Quake(
      quakeId: id, magnitude: magnitude, time: .now, updated: updated, name: id, longitude: 0,
      latitude: 0)
  }

  private func ids(
    sort keyPath: KeyPath<Quake, some Comparable> & Sendable, _ state: QuakesState
  ) -> [Quake.ID] {
    QuakesState.selectQuakesValues(searchText: "", searchDate: .now, sort: keyPath)(state)
      .map(\.id)
  }

  @Test func `members of modules that a test does not import can be used`() {
    let quake = self.quake("a")
    let state = QuakesState(quakes: QuakesState.Quakes(data: ["a": quake]))

    #expect(state.quakes.data["a"] == quake)
    #expect(URLRequest(url: URL(filePath: "/")).httpMethod == "GET")
  }

  @Test func `states are made from dictionaries, as in the guide's listings`() {
    let quakes: [Quake.ID: Quake] = ["a": self.quake("a"), "b": self.quake("b")]

    let state = QuakesState(quakes: QuakesState.Quakes(data: quakes, status: .waiting))

    #expect(QuakesState.selectQuakesCount()(state) == 2)
    #expect(QuakesState.selectQuake(quakeId: "a")(state) == quakes["a"])
    #expect(QuakesState.selectQuakesStatus()(state) == .waiting)
  }

  @Test func `types of key paths can be written as in the guide`() {
    let state = QuakesState(
      quakes: QuakesState.Quakes(data: ["b": self.quake("b"), "a": self.quake("a")]))

    #expect(self.ids(sort: \.name, state) == ["a", "b"])
  }

  @Test func `a local store has a model actor`() async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    let modelActor: ModelActor = await store.modelActor

    #expect(modelActor === store)
    #expect(ModelActor.Error(code: .quakeNotFound).code == .quakeNotFound)
  }

  @Test func `fetches ask a store what the guide's do, and dispatch what was fetched`() async {
    let known = self.quake("a")
    let older = self.quake("a", updated: .distantPast)
    let notes = Transcript<String>()
    let store = FixedStore(
      QuakesState(quakes: QuakesState.Quakes(data: ["a": known], status: .waiting)), notes: notes)
    let listener = Listener(
      localStore: NotingLocalStore([known], notes: notes),
      remoteStore: FixedRemoteStore(quakes: [older, known, older], notes: notes))
    listener.listen(to: store)

    store.send(.ui(.quakeList(.onAppear)), after: QuakesState(quakes: QuakesState.Quakes()))
    store.send(
      .ui(.quakeList(.onTapRefreshQuakesButton(range: .allDay))),
      after: QuakesState(quakes: QuakesState.Quakes()))
    await notes.wait { $0.filter { $0 == "dispatch" }.count == 2 }

    #expect(
      notes.entries == [
        "select", "thunk", "fetch local", "dispatch", "select", "thunk", "fetch allDay", "dispatch",
      ])
    #expect(
      store.dispatched == [
        .data(.persistentSession(.localStore(.didFetchQuakes(result: .success(quakes: [known]))))),
        .data(
          .persistentSession(
            .remoteStore(.didFetchQuakes(result: .success(quakes: [older, known, older]))))),
      ])
  }

  @Test func `a large feed of a store with only the guide's function is dispatched as it is`() async
  {
    let known = (0...1_000).map { self.quake("\($0)", updated: .distantFuture) }
    let quakes = known.map { self.quake($0.id, updated: .distantPast) }
    let notes = Transcript<String>()
    let store = FixedStore(
      QuakesState(
        quakes: QuakesState.Quakes(
          data: .init(uniqueKeysWithValues: known.map { ($0.id, $0) }), status: .waiting)),
      notes: notes)
    let listener = Listener(
      localStore: NotingLocalStore(), remoteStore: FixedRemoteStore(quakes: quakes, notes: notes))
    listener.listen(to: store)

    store.send(
      .ui(.quakeList(.onTapRefreshQuakesButton(range: .allMonth))),
      after: QuakesState(quakes: QuakesState.Quakes()))
    await notes.wait { $0.contains("dispatch") }

    #expect(
      store.dispatched == [
        .data(
          .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: quakes)))))
      ])
  }

  @Test func `a fetch that fails selects nothing`() async throws {
    let notes = Transcript<String>()
    let store = FixedStore(
      QuakesState(quakes: QuakesState.Quakes(status: .waiting)), notes: notes)
    let listener = Listener(
      localStore: NotingLocalStore(), remoteStore: FixedRemoteStore(quakes: nil, notes: notes))
    listener.listen(to: store)

    store.send(
      .ui(.quakeList(.onTapRefreshQuakesButton(range: .allHour))),
      after: QuakesState(quakes: QuakesState.Quakes()))
    await notes.wait { $0.contains("dispatch") }

    #expect(notes.entries == ["select", "thunk", "fetch allHour", "dispatch"])
    let reason = FixedRemoteStore.Refusal().localizedDescription
    #expect(
      store.dispatched == [
        .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: reason)))))
      ])
  }
}

@MainActor private final class FixedStore: Dispatcher, Selector, Streamer {
  typealias State = QuakesState
  typealias Action = QuakesAction

  private let state: QuakesState
  private(set) var dispatched: [QuakesAction] = []
  private let notes: Transcript<String>
  private let stream = AsyncStream<(oldState: QuakesState, action: QuakesAction)>.makeStream()

  init(_ state: QuakesState, notes: Transcript<String>) {
    self.state = state
    self.notes = notes
  }

  func send(_ action: QuakesAction, after oldState: QuakesState) {
    self.stream.continuation.yield((oldState: oldState, action: action))
  }

  func makeStream() -> AsyncStream<(oldState: QuakesState, action: QuakesAction)> {
    self.stream.stream
  }

  func select<T>(_ selector: @Sendable (QuakesState) -> T) -> T where T: Sendable {
    self.notes.append("select")
    return selector(self.state)
  }

  func dispatch(action: QuakesAction) throws {
    self.dispatched.append(action)
    self.notes.append("dispatch")
  }

  func dispatch(thunk: @Sendable (FixedStore, FixedStore) throws -> Void) rethrows {
    try thunk(self, self)
  }

  func dispatch(
    thunk: @Sendable (FixedStore, FixedStore) async throws -> Void
  ) async rethrows {
    self.notes.append("thunk")
    try await thunk(self, self)
  }
}

private actor NotingLocalStore: PersistentSessionLocalStore {
  private let quakes: [Quake]
  private let notes: Transcript<String>

  init(_ quakes: [Quake] = [], notes: Transcript<String> = Transcript()) {
    self.quakes = quakes
    self.notes = notes
  }

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    self.notes.append("fetch local")
    return self.quakes
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {}

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {}

  func deleteLocalQuakesMutation() async throws {}
}

/// A store with only the guide's function; it refuses if it has no quakes.
private struct FixedRemoteStore: PersistentSessionRemoteStore {
  struct Refusal: Error {}

  let quakes: [Quake]?
  let notes: Transcript<String>

  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    self.notes.append("fetch \(range)")
    guard let quakes = self.quakes else { throw Refusal() }
    return quakes
  }
}
