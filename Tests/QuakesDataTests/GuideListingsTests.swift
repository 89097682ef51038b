// As a test that is written against the guide imports, and without access to what is internal.
import Foundation
import ImmutableData
import QuakesData
import Services
import TestSupport
import Testing

/// The listings of the guide's client and app, as far as they do not need SwiftUI.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GuideListingsTests {
  @MainActor private struct QuakesApp {
    let store = Store(
      initialState: QuakesState(),
      reducer: QuakesReducer.reduce
    )
    let listener: Listener<NotedLocalStore, RemoteStore<FeedSession>>

    init(localStore: NotedLocalStore, session: FeedSession) {
      self.listener = Listener(
        localStore: localStore,
        remoteStore: RemoteStore(session: session)
      )
      self.listener.listen(to: self.store)
    }
  }

  @Test func `the client's stores have the guide's types`() {
    let makeLocal: () throws -> LocalStore = makeLocalStore
    let remote: RemoteStore<NetworkSession<URLSession>> = makeRemoteStore()

    withExtendedLifetime((makeLocal, remote)) {}
  }

  @Test func `the client gets what its stores have`() async throws {
    let localStore = try LocalStore(isStoredInMemoryOnly: true)
    let session = FeedSession()
    let remoteStore = RemoteStore(session: session)

    let localQuakes = try await localStore.fetchLocalQuakesQuery()
    let remoteQuakes = try await remoteStore.fetchRemoteQuakesQuery(range: .allHour)

    #expect(localQuakes == [])
    #expect(remoteQuakes.map(\.id) == ["us1", "us2", "us3"])
    #expect(remoteQuakes.map(\.magnitude) == [4.5, 3.25, 0])
    #expect(
      remoteQuakes.first
        == Quake(
          quakeId: "us1", magnitude: 4.5, time: Date(timeIntervalSince1970: 1),
          updated: Date(timeIntervalSince1970: 2), name: "Tonga", longitude: -175.5, latitude: -21.5
        ))
    #expect(session.addresses.entries == [FeedSession.address("all_hour")])
  }

  @Test func `the app fetches, saves and deletes`() async throws {
    let localStore = NotedLocalStore(base: try LocalStore(isStoredInMemoryOnly: true))
    let session = FeedSession()
    let app = QuakesApp(localStore: localStore, session: session)
    let stream = app.store.makeStream()

    try app.store.dispatch(action: .ui(.quakeList(.onAppear)))
    actions: for await (_, action) in stream {
      switch action {
      case .data(.persistentSession(.localStore(.didFetchQuakes(result: .success)))):
        try app.store.dispatch(
          action: .ui(.quakeList(.onTapRefreshQuakesButton(range: .allMonth))))
      case .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .success)))):
        try app.store.dispatch(
          action: .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "us2"))))
        break actions
      default:
        break
      }
    }
    await localStore.notes.wait { $0.contains("delete us2") }

    #expect(localStore.notes.entries == ["fetch", "save us1 us2", "delete us2"])
    #expect(session.addresses.entries == [FeedSession.address("all_month")])
    #expect(app.store.select(QuakesState.selectQuakesStatus()) == .success)
    let shown = app.store.select(
      QuakesState.selectQuakesValues(
        searchText: "Tonga", searchDate: Date(timeIntervalSince1970: 1), sort: \Quake.magnitude,
        order: .reverse))
    #expect(shown.map(\.id) == ["us1"])
    let saved = try await localStore.base.fetchLocalQuakesQuery()
    #expect(saved == shown)
  }
}

private func makeLocalStore() throws -> LocalStore {
  if let url = Process().currentDirectoryURL?.appending(
    component: "default.store",
    directoryHint: .notDirectory
  ) {
    return try LocalStore(url: url)
  }
  return try LocalStore()
}

private func makeRemoteStore() -> RemoteStore<NetworkSession<URLSession>> {
  let session = NetworkSession(urlSession: URLSession.shared)
  return RemoteStore(session: session)
}

/// The guide's local store; it notes what has been done.
private struct NotedLocalStore: PersistentSessionLocalStore {
  let base: LocalStore
  let notes = Transcript<String>()

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    let quakes = try await self.base.fetchLocalQuakesQuery()
    self.notes.append("fetch")
    return quakes
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    try await self.base.didFetchRemoteQuakesMutation(
      inserted: inserted,
      updated: updated,
      deleted: deleted
    )
    let ids = (inserted + updated + deleted).map(\.id).sorted()
    self.notes.append((["save"] + ids).joined(separator: " "))
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.base.deleteLocalQuakeMutation(quakeId: quakeId)
    self.notes.append("delete \(quakeId)")
  }

  func deleteLocalQuakesMutation() async throws {
    try await self.base.deleteLocalQuakesMutation()
    self.notes.append("delete all")
  }
}

/// Answers every request with the same feed.
private struct FeedSession: RemoteStoreNetworkSession {
  let addresses = Transcript<String>()

  static func address(_ name: String) -> String {
    "https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/\(name).geojson"
  }

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    self.addresses.append(request.url?.absoluteString ?? "")
    return try decoder.decode(T.self, from: Data(Self.feed.utf8))
  }

  private static func feature(_ id: String, _ magnitude: String, _ place: String) -> String {
    #"{"properties": {"mag": \#(magnitude), "place": "\#(place)", "time": 1000, "updated": 2000}, "#
      + #""geometry": {"coordinates": [-175.5, -21.5]}, "id": "\#(id)"}"#
  }

  private static var feed: String {
    let features = [
      self.feature("us1", "4.5", "Tonga"), self.feature("us2", "3.25", "Tonga"),
      self.feature("us3", "null", "Nowhere"),
    ]
    return #"{"features": [\#(features.joined(separator: ", "))]}"#
  }
}
