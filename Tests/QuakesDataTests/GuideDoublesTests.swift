import Foundation
import ImmutableData
import TestSupport
import Testing

@testable import QuakesData

/// What the guide's session and listener ask of doubles of stores, and in which order.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GuideDoublesTests {
  private typealias Thunk =
    @Sendable (
      CountedDispatcher<QuakesState, QuakesAction>, CountedSelector<QuakesState>
    ) async throws -> Void

  @Test(arguments: [nil, PlainError()])
  func `queries ask their store once and dispatch once`(error: PlainError?) async throws {
    let log = Transcript<String>()
    func session() -> PersistentSession<CountedLocalStore, CountedRemoteStore> {
      PersistentSession(
        localStore: CountedLocalStore(log: log, error: error),
        remoteStore: CountedRemoteStore(log: log, error: error)
      )
    }
    let dispatcher = CountedDispatcher<QuakesState, QuakesAction>()
    // Of two sessions, because after a failed local read a refresh reads the local store first.
    let local: Thunk = session().fetchLocalQuakesQuery()
    let remote: Thunk = session().fetchRemoteQuakesQuery(range: .allWeek)

    for thunk in [local, remote] {
      do {
        try await thunk(dispatcher, CountedSelector(QuakesState()))
        #expect(error == nil)
      } catch let thrown {
        #expect((thrown as? PlainError) === error)
      }
    }

    #expect(log.entries == ["fetch", "remote allWeek"])
    #expect(
      dispatcher.actions
        == [
          .data(
            .persistentSession(
              .localStore(
                .didFetchQuakes(
                  result: error.map { .failure(error: $0.localizedDescription) }
                    ?? .success(quakes: [.counted("local")]))))),
          .data(
            .persistentSession(
              .remoteStore(
                .didFetchQuakes(
                  result: error.map { .failure(error: $0.localizedDescription) }
                    ?? .success(quakes: [.counted("remote")]))))),
        ])
  }

  @Test func `what a local store answers is dispatched as it is, whatever its values are`()
    async throws
  {
    let quake = Quake(
      quakeId: "", magnitude: 99, time: .distantPast, updated: .distantPast, name: "",
      longitude: 1000, latitude: 1000)
    let log = Transcript<String>()
    let session = PersistentSession(
      localStore: CountedLocalStore(log: log, quakes: [quake]),
      remoteStore: CountedRemoteStore(log: log))
    let dispatcher = CountedDispatcher<QuakesState, QuakesAction>()
    let fetch: Thunk = session.fetchLocalQuakesQuery()

    try await fetch(dispatcher, CountedSelector(QuakesState()))

    #expect(
      dispatcher.actions == [
        .data(.persistentSession(.localStore(.didFetchQuakes(result: .success(quakes: [quake])))))
      ])
  }

  @Test func `mutations ask the local store once and dispatch nothing`() async throws {
    let log = Transcript<String>()
    let session = PersistentSession(
      localStore: CountedLocalStore(log: log), remoteStore: CountedRemoteStore(log: log))
    let dispatcher = CountedDispatcher<QuakesState, QuakesAction>()
    let write: Thunk = session.didFetchRemoteQuakesMutation(
      inserted: [.counted("1")], updated: [.counted("2")], deleted: [.counted("3")])
    let delete: Thunk = session.deleteLocalQuakeMutation(quakeId: "1")
    let deleteAll: Thunk = session.deleteLocalQuakesMutation()

    for thunk in [write, delete, deleteAll] {
      try await thunk(dispatcher, CountedSelector(QuakesState()))
    }

    #expect(
      log.entries == [#"write ["1"] ["2"] ["3"]"#, "delete 1", "delete all"])
    #expect(dispatcher.actions == [])
  }

  @Test func `failed mutations throw what their store threw, and dispatch nothing`() async throws {
    let log = Transcript<String>()
    let error = PlainError()
    let session = PersistentSession(
      localStore: CountedLocalStore(log: log, error: error),
      remoteStore: CountedRemoteStore(log: log))
    let dispatcher = CountedDispatcher<QuakesState, QuakesAction>()
    let write: Thunk = session.didFetchRemoteQuakesMutation(
      inserted: [.counted("1")], updated: [], deleted: [])
    let delete: Thunk = session.deleteLocalQuakeMutation(quakeId: "1")
    let deleteAll: Thunk = session.deleteLocalQuakesMutation()

    for thunk in [write, delete, deleteAll] {
      let thrown = await #expect(throws: PlainError.self) {
        try await thunk(dispatcher, CountedSelector(QuakesState()))
      }
      #expect(thrown === error)
    }

    #expect(log.entries == [#"write ["1"] [] []"#, "delete 1", "delete all"])
    #expect(dispatcher.actions == [])
  }

  @Test(arguments: Self.listenerCases)
  func `a listener selects and dispatches as often as the guide's`(
    listenerCase: ListenerCase
  ) async {
    let log = Transcript<String>()
    let store = CountedStore<QuakesState, QuakesAction>(state: listenerCase.state)
    let listener = Listener(
      localStore: CountedLocalStore(log: log), remoteStore: CountedRemoteStore(log: log))
    listener.listen(to: store)
    listener.listen(to: store)

    store.continuation.yield((oldState: listenerCase.oldState, action: listenerCase.action))
    store.continuation.finish()
    await store.finished()

    #expect(store.log == ["stream"] + listenerCase.log)
    #expect(log.entries == listenerCase.calls)
    withExtendedLifetime(listener) {}
  }

  struct ListenerCase: Sendable {
    let action: QuakesAction
    let oldState: QuakesState
    let state: QuakesState
    let log: [String]
    let calls: [String]
  }

  nonisolated private static let statuses: [Status?] = [
    nil, .empty, .waiting, .success, .failure(error: "failed"),
  ]

  nonisolated private static let listenerCases: [ListenerCase] =
    statuses.flatMap { old in
      statuses.flatMap { new in
        let fetchesLocally = old == nil && new == .waiting
        let fetchesRemotely = old != .waiting && new == .waiting
        return [
          ListenerCase(
            action: .ui(.quakeList(.onAppear)),
            oldState: QuakesState(quakes: QuakesState.Quakes(status: old)),
            state: QuakesState(quakes: QuakesState.Quakes(status: new)),
            log: old != nil ? [] : fetchesLocally ? ["select", "thunk"] : ["select"],
            calls: fetchesLocally ? ["fetch"] : []
          ),
          ListenerCase(
            action: .ui(.quakeList(.onTapRefreshQuakesButton(range: .allMonth))),
            oldState: QuakesState(
              quakes: QuakesState.Quakes(data: ["1": .counted("1")], status: old)),
            state: QuakesState(quakes: QuakesState.Quakes(data: ["1": .counted("1")], status: new)),
            log: old == .waiting ? [] : fetchesRemotely ? ["select", "thunk"] : ["select"],
            calls: fetchesRemotely ? ["remote allMonth"] : []
          ),
        ]
      }
    }
    + [QuakesState(), QuakesState(quakes: QuakesState.Quakes(data: ["1": .counted("1")]))].flatMap {
      state in
      [
        ListenerCase(
          action: .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "1"))),
          oldState: state, state: state, log: ["thunk"], calls: ["delete 1"]),
        ListenerCase(
          action: .ui(.quakeList(.onTapDeleteAllQuakesButton)),
          oldState: state, state: state, log: ["thunk"], calls: ["delete all"]),
        ListenerCase(
          action: .data(
            .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: []))))),
          oldState: state, state: state, log: ["thunk"], calls: ["write [] [] []"]),
      ]
    }
    + [
      ListenerCase(
        action: .data(
          .persistentSession(
            .localStore(.didFetchQuakes(result: .success(quakes: [.counted("1")]))))),
        oldState: QuakesState(), state: QuakesState(), log: [], calls: []),
      ListenerCase(
        action: .data(
          .persistentSession(.localStore(.didFetchQuakes(result: .failure(error: "e"))))),
        oldState: QuakesState(), state: QuakesState(), log: [], calls: []),
      ListenerCase(
        action: .data(
          .persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: "e"))))),
        oldState: QuakesState(), state: QuakesState(), log: [], calls: []),
      // One question for each quake that is new, two for each that was known.
      ListenerCase(
        action: .data(
          .persistentSession(
            .remoteStore(
              .didFetchQuakes(
                result: .success(
                  quakes: ["new", "kept", "changed", "gone", "never"].map { .counted($0) }))))),
        oldState: QuakesState(
          quakes: QuakesState.Quakes(data: [
            "kept": .counted("kept"), "changed": .counted("changed"), "gone": .counted("gone"),
            "other": .counted("other"),
          ])),
        state: QuakesState(
          quakes: QuakesState.Quakes(data: [
            "kept": .counted("kept"), "changed": .counted("changed", magnitude: 9),
            "new": .counted("new"),
          ])),
        log: Array(repeating: "select", count: 8) + ["thunk"],
        calls: [#"write ["new"] ["changed"] ["gone"]"#]
      ),
    ]
}

extension Quake {
  fileprivate static func counted(_ id: String, magnitude: Double = 2) -> Self {
    let time = Date(timeIntervalSince1970: 0)
    return Self(
      quakeId: id, magnitude: magnitude, time: time, updated: time, name: "Here", longitude: 1,
      latitude: 2)
  }
}

private struct CountedLocalStore: PersistentSessionLocalStore {
  let log: Transcript<String>
  var error: PlainError?
  var quakes: [Quake] = [.counted("local")]

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    try self.called("fetch")
    return self.quakes
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) async throws {
    try self.called("write \(inserted.map(\.id)) \(updated.map(\.id)) \(deleted.map(\.id))")
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try self.called("delete \(quakeId)")
  }

  func deleteLocalQuakesMutation() async throws {
    try self.called("delete all")
  }

  private func called(_ call: String) throws {
    self.log.append(call)
    if let error = self.error { throw error }
  }
}

private struct CountedRemoteStore: PersistentSessionRemoteStore {
  let log: Transcript<String>
  var error: PlainError?

  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    self.log.append("remote \(range)")
    if let error = self.error { throw error }
    return [.counted("remote")]
  }
}
