import Foundation
import ImmutableData
import Synchronization
import Testing

@testable import QuakesData

/// What the guide's session and listener ask of doubles of stores, and in which order.
@MainActor struct GuideDoublesTests {
  @Test(arguments: [nil, PlainError()])
  func `queries ask their store once and dispatch once`(error: PlainError?) async throws {
    let log = CallLog()
    func session() -> PersistentSession<CountedLocalStore, CountedRemoteStore> {
      PersistentSession(
        localStore: CountedLocalStore(log: log, error: error),
        remoteStore: CountedRemoteStore(log: log, error: error)
      )
    }
    let dispatcher = CountedDispatcher()
    // Of two sessions, because after a failed local read a refresh reads the local store first.
    let local: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void =
      session().fetchLocalQuakesQuery()
    let remote: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void =
      session().fetchRemoteQuakesQuery(range: .allWeek)

    for thunk in [local, remote] {
      do {
        try await thunk(dispatcher, CountedSelector())
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

  @Test func `mutations ask the local store once and dispatch nothing`() async throws {
    let log = CallLog()
    let session = PersistentSession(
      localStore: CountedLocalStore(log: log), remoteStore: CountedRemoteStore(log: log))
    let dispatcher = CountedDispatcher()
    let write: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void =
      session.didFetchRemoteQuakesMutation(
        inserted: [.counted("1")], updated: [.counted("2")], deleted: [.counted("3")])
    let delete: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void =
      session.deleteLocalQuakeMutation(quakeId: "1")
    let deleteAll: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void =
      session.deleteLocalQuakesMutation()

    for thunk in [write, delete, deleteAll] {
      try await thunk(dispatcher, CountedSelector())
    }

    #expect(
      log.entries == [#"write ["1"] ["2"] ["3"]"#, "delete 1", "delete all"])
    #expect(dispatcher.actions == [])
  }

  @Test func `failed mutations throw what their store threw`() async throws {
    let log = CallLog()
    let error = PlainError()
    let session = PersistentSession(
      localStore: CountedLocalStore(log: log, error: error),
      remoteStore: CountedRemoteStore(log: log))
    let delete: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void =
      session.deleteLocalQuakeMutation(quakeId: "1")

    let thrown = await #expect(throws: PlainError.self) {
      try await delete(CountedDispatcher(), CountedSelector())
    }

    #expect(thrown === error)
  }

  @Test(arguments: Self.listenerCases)
  func `a listener selects and dispatches as often as the guide's`(
    listenerCase: ListenerCase
  ) async {
    let log = CallLog()
    let store = CountedStore(state: listenerCase.state)
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
    } + [
      ListenerCase(
        action: .ui(.quakeList(.onTapDeleteSelectedQuakeButton(quakeId: "1"))),
        oldState: QuakesState(), state: QuakesState(), log: ["thunk"], calls: ["delete 1"]),
      ListenerCase(
        action: .ui(.quakeList(.onTapDeleteAllQuakesButton)),
        oldState: QuakesState(), state: QuakesState(), log: ["thunk"], calls: ["delete all"]),
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
      ListenerCase(
        action: .data(
          .persistentSession(.remoteStore(.didFetchQuakes(result: .success(quakes: []))))),
        oldState: QuakesState(), state: QuakesState(), log: ["thunk"], calls: ["write [] [] []"]),
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
  fileprivate static func counted(
    _ id: String, magnitude: Double = 2, time: Date = Date(timeIntervalSince1970: 0),
    name: String = "Here"
  ) -> Self {
    Self(
      quakeId: id, magnitude: magnitude, time: time, updated: time, name: name, longitude: 1,
      latitude: 2)
  }
}

final class PlainError: Error {}

private final class CallLog: Sendable {
  private let log = Mutex<[String]>([])

  var entries: [String] { self.log.withLock { $0 } }

  func append(_ entry: String) {
    self.log.withLock { $0.append(entry) }
  }
}

private struct CountedLocalStore: PersistentSessionLocalStore {
  let log: CallLog
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
  let log: CallLog
  var error: PlainError?

  func fetchRemoteQuakesQuery(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> [Quake] {
    self.log.append("remote \(range)")
    if let error = self.error { throw error }
    return [.counted("remote")]
  }
}

@MainActor private final class CountedDispatcher: ImmutableData.Dispatcher {
  typealias State = QuakesState

  var actions: [QuakesAction] = []

  func dispatch(action: QuakesAction) throws {
    self.actions.append(action)
  }

  func dispatch(thunk: @Sendable (CountedDispatcher, CountedSelector) throws -> Void) rethrows {
    Issue.record("A session dispatches actions alone.")
  }

  func dispatch(
    thunk: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void
  ) async rethrows {
    Issue.record("A session dispatches actions alone.")
  }
}

private struct CountedSelector: ImmutableData.Selector {
  func select<T>(_ selector: @Sendable (QuakesState) -> T) -> T where T: Sendable {
    Issue.record("The guide's sessions select nothing.")
    return selector(QuakesState())
  }
}

/// Runs thunks against dispatchers of its own, so that its log holds what the listener asks.
@MainActor private final class CountedStore: Dispatcher, Selector, Streamer {
  typealias State = QuakesState
  typealias Action = QuakesAction
  typealias Element = (oldState: QuakesState, action: QuakesAction)

  var log: [String] = []
  let continuation: AsyncStream<Element>.Continuation
  private let state: QuakesState
  private let stream: AsyncStream<Element>
  private let ends: AsyncStream<Void>
  private let end: AsyncStream<Void>.Continuation

  init(state: QuakesState) {
    self.state = state
    (self.stream, self.continuation) = AsyncStream.makeStream()
    (self.ends, self.end) = AsyncStream.makeStream()
  }

  /// Returns when the listener has read the end of its stream.
  func finished() async {
    for await _ in self.ends {}
  }

  func dispatch(action: QuakesAction) throws {
    self.log.append("action")
  }

  func dispatch(thunk: @Sendable (CountedDispatcher, CountedSelector) throws -> Void) rethrows {
    self.log.append("synchronous thunk")
  }

  func dispatch(
    thunk: @Sendable (CountedDispatcher, CountedSelector) async throws -> Void
  ) async rethrows {
    self.log.append("thunk")
    try await thunk(CountedDispatcher(), CountedSelector())
  }

  func select<T>(_ selector: @Sendable (QuakesState) -> T) -> T where T: Sendable {
    self.log.append("select")
    return selector(self.state)
  }

  func makeStream() -> Reported {
    self.log.append("stream")
    return Reported(stream: self.stream, end: self.end)
  }

  /// A stream that tells when its end has been read.
  struct Reported: AsyncSequence, Sendable {
    let stream: AsyncStream<Element>
    let end: AsyncStream<Void>.Continuation

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(iterator: self.stream.makeAsyncIterator(), end: self.end)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
      var iterator: AsyncStream<Element>.Iterator
      let end: AsyncStream<Void>.Continuation

      mutating func next() async throws -> Element? {
        let element = await self.iterator.next()
        if element == nil { self.end.finish() }
        return element
      }
    }
  }
}
