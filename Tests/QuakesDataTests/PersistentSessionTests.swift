import Foundation
import ImmutableData
import Synchronization
import TestSupport
import Testing

@testable import QuakesData

private typealias Session = PersistentSession<LocalStoreDouble, RemoteStoreDouble>

/// A store that keeps a transcript of what is dispatched, and a session with stores.
@MainActor private struct Recording<RemoteStore: PersistentSessionRemoteStore> {
  let store: QuakesStore
  let session: PersistentSession<LocalStoreDouble, RemoteStore>
  private let transcript: Transcript<QuakesAction>

  init(_ state: QuakesState, local: LocalStoreDouble, remote: RemoteStore) {
    let transcript = Transcript<QuakesAction>()
    self.transcript = transcript
    self.session = PersistentSession(localStore: local, remoteStore: remote)
    self.store = Store(initialState: state) { state, action in
      transcript.append(action)
      return try QuakesReducer.reduce(state: state, action: action)
    }
  }

  var actions: [QuakesAction] { self.transcript.entries }
}

/// A thunk of the session, and all that it should do.
private struct Operation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What a store is asked.
  let call: StoreCall
  /// What is dispatched when the store has done it.
  let success: [QuakesAction]
  /// What is dispatched when the store has refused, for this reason.
  let failure: @Sendable (String) -> [QuakesAction]
  let run: @MainActor @Sendable (Session, QuakesStore) async throws -> Void
}

private let operations = [
  Operation(
    testDescription: "fetchLocalQuakesQuery",
    call: .fetchLocal,
    success: [.didFetchLocal([.a, .b])],
    failure: { [.localStore(.didFetchQuakes(result: .failure(error: $0)))] },
    run: { try await $1.dispatch(thunk: $0.fetchLocalQuakesQuery()) }
  ),
  Operation(
    testDescription: "fetchLocalQuakesAgainQuery",
    call: .fetchLocal,
    success: [.didFetchAgain([.a, .b], after: "Locked")],
    failure: {
      [.localStore(.didFetchQuakesAgain(error: "Locked", result: .failure(error: $0)))]
    },
    run: { try await $1.dispatch(thunk: $0.fetchLocalQuakesAgainQuery(after: "Locked")) }
  ),
  Operation(
    testDescription: "fetchRemoteQuakesQuery",
    call: .fetchRemote(.allWeek),
    success: [.didFetchRemote([.c])],
    failure: { [.remoteStore(.didFetchQuakes(result: .failure(error: $0)))] },
    run: { try await $1.dispatch(thunk: $0.fetchRemoteQuakesQuery(range: .allWeek)) }
  ),
  Operation(
    testDescription: "didFetchRemoteQuakesMutation",
    call: .save(inserted: [.c], updated: [.b], deleted: [.a]),
    success: [],
    failure: { _ in [] },
    run: { session, store in
      try await store.dispatch(
        thunk: session.didFetchRemoteQuakesMutation(inserted: [.c], updated: [.b], deleted: [.a])
      )
    }
  ),
  Operation(
    testDescription: "saveMutation",
    call: .save(inserted: [.c], updated: [.b], deleted: [.a]),
    success: [],
    failure: { [.localStore(.didFailToSaveQuakes(error: $0))] },
    run: { session, store in
      let changes = QuakesState.Quakes.Changes(inserted: [.c], updated: [.b], deleted: [.a])
      try await store.dispatch(
        thunk: session.saveMutation(changes, ids: changes.ids, isReported: true))
    }
  ),
  Operation(
    testDescription: "deleteLocalQuakeMutation",
    call: .delete(quakeId: "a"),
    success: [],
    failure: { _ in [] },
    run: { try await $1.dispatch(thunk: $0.deleteLocalQuakeMutation(quakeId: "a")) }
  ),
  Operation(
    testDescription: "deleteLocalQuakeMutation, reported",
    call: .delete(quakeId: "a"),
    success: [],
    failure: { [.localStore(.didFailToDeleteQuakes(error: $0))] },
    run: {
      try await $1.dispatch(thunk: $0.deleteLocalQuakeMutation(quakeId: "a", isReported: true))
    }
  ),
  Operation(
    testDescription: "deleteLocalQuakesMutation",
    call: .deleteAll,
    success: [],
    failure: { _ in [] },
    run: { try await $1.dispatch(thunk: $0.deleteLocalQuakesMutation()) }
  ),
  Operation(
    testDescription: "deleteLocalQuakesMutation, reported",
    call: .deleteAll,
    success: [],
    failure: { [.localStore(.didFailToDeleteQuakes(error: $0))] },
    run: { try await $1.dispatch(thunk: $0.deleteLocalQuakesMutation(isReported: true)) }
  ),
]

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct PersistentSessionTests {
  @Test(arguments: operations)
  private func `a thunk calls a store once and dispatches only news`(
    operation: Operation
  ) async throws {
    let local = LocalStoreDouble([.a, .b])
    let recording = Recording(
      .make(), local: local, remote: RemoteStoreDouble([.c], transcript: local.transcript))

    try await operation.run(recording.session, recording.store)

    #expect(local.transcript.calls == [operation.call])
    #expect(recording.actions == operation.success)
  }

  @Test(arguments: operations)
  private func `a thunk throws a store's error, and dispatches it if it reports it`(
    operation: Operation
  ) async throws {
    let local = LocalStoreDouble([.a, .b]).refusing { _ in true }
    let recording = Recording(
      .make(), local: local, remote: RemoteStoreDouble(transcript: local.transcript))
    let refusal = StoreError(call: operation.call)

    await #expect(throws: refusal) {
      try await operation.run(recording.session, recording.store)
    }

    #expect(local.transcript.calls == [operation.call])
    #expect(recording.actions == operation.failure(refusal.localizedDescription))
  }

  @Test func `skipped features are dispatched before the quakes of a feed`() async throws {
    let recording = Recording(
      .make(status: .waiting),
      local: LocalStoreDouble(),
      remote: FeedStoreDouble(feed: QuakesFeed(quakes: [.a], skipped: 3))
    )

    try await recording.store.dispatch(
      thunk: recording.session.fetchRemoteQuakesQuery(range: .allDay)
    )

    #expect(
      recording.actions == [.remoteStore(.didSkipFeatures(count: 3)), .didFetchRemote([.a])]
    )
    #expect(recording.store.state == .make([.a], status: .success, skipped: 3))
  }

  @Test func `a feed that skipped nothing dispatches the same as in the guide`() async throws {
    let recording = Recording(
      .make(status: .waiting),
      local: LocalStoreDouble(),
      remote: FeedStoreDouble(feed: QuakesFeed(quakes: [.a], skipped: 0))
    )

    try await recording.store.dispatch(
      thunk: recording.session.fetchRemoteQuakesQuery(range: .allDay)
    )

    #expect(recording.actions == [.didFetchRemote([.a])])
  }
}

// A local store that could not be read.
extension PersistentSessionTests {
  @Test(arguments: [false, true])
  func `a refresh after a failed read reads again first`(feedFails: Bool) async throws {
    let isLocked = Mutex(true)
    let local = LocalStoreDouble([.a, .b]).refusing { _ in isLocked.withLock { $0 } }
    let remote = feedFails ? RemoteStoreDouble() : RemoteStoreDouble([.c])
    let recording = Recording(.make(), local: local, remote: remote)
    let session = recording.session
    let store = recording.store

    await #expect(throws: StoreError(call: .fetchLocal)) {
      try await store.dispatch(thunk: session.fetchLocalQuakesQuery())
    }
    isLocked.withLock { $0 = false }
    for _ in 0..<2 {
      try? await store.dispatch(thunk: session.fetchRemoteQuakesQuery(range: .allDay))
    }

    let reason = StoreError(call: .fetchRemote(.allDay)).localizedDescription
    let end: QuakesAction =
      feedFails
      ? .remoteStore(.didFetchQuakes(result: .failure(error: reason))) : .didFetchRemote([.c])
    #expect(recording.actions.dropFirst() == [.didFetchAgain([.a, .b], after: nil), end, end])
  }

  @Test func `a failed reread shows when the refresh ends`() async throws {
    let local = LocalStoreDouble([.a]).refusing { _ in true }
    let recording = Recording(.make(), local: local, remote: RemoteStoreDouble([.c]))
    let reason = StoreError(call: .fetchLocal).localizedDescription

    try? await recording.store.dispatch(thunk: recording.session.fetchLocalQuakesQuery())
    try recording.store.dispatch(action: .onTapRefresh)
    try await recording.store.dispatch(
      thunk: recording.session.fetchRemoteQuakesQuery(range: .allDay))

    #expect(recording.store.state == .make([.c], status: .failure(error: reason)))
  }
}

// Refreshes that overlap.
extension PersistentSessionTests {
  @Test(arguments: [true, false], [true, false])
  func `an overtaken refresh never overwrites the newer one`(
    olderEndsFirst: Bool,
    olderFails: Bool
  ) async throws {
    let older = Quake.make("a", magnitude: 1)
    let newer = Quake.make("a", magnitude: 5)
    let began = [RefreshRange.allMonth: Gate(), .allHour: Gate()]
    let gates = [RefreshRange.allMonth: Gate(), .allHour: Gate()]
    var remote = RemoteStoreDouble()
    remote.fetch = { range in
      began[range]?.open()
      await gates[range]?.wait()
      if range == .allHour { return [newer] }
      if olderFails { throw StoreError(call: .fetchRemote(range)) }
      return [older, .b]
    }
    let recording = Recording(
      .make([.c], status: .waiting), local: LocalStoreDouble(), remote: remote)
    let session = recording.session
    let store = recording.store

    let first = Task {
      try await store.dispatch(thunk: session.fetchRemoteQuakesQuery(range: .allMonth))
    }
    await began[.allMonth]?.wait()
    let second = Task {
      try await store.dispatch(thunk: session.fetchRemoteQuakesQuery(range: .allHour))
    }
    await began[.allHour]?.wait()
    let ends = [(RefreshRange.allMonth, first), (.allHour, second)]
    for (range, task) in olderEndsFirst ? ends : ends.reversed() {
      gates[range]?.open()
      _ = await task.result
    }

    #expect(recording.actions == [.didFetchRemote([newer])])
    #expect(store.state == .make([newer, .c], status: .success))
  }
}

// Saves that failed.
extension PersistentSessionTests {
  @Test func `the next refresh saves the current version of what could not be saved`() async throws
  {
    let transcript = StoreTranscript()
    let saves = Transcript<Void>()
    var local = LocalStoreDouble([.c, .make("d", magnitude: 9)], transcript: transcript)
    local.willDo = { call in
      saves.append(())
      if saves.entries.count == 1 { throw StoreError(call: call) }
    }
    let newer = Quake.make("b", magnitude: 5)
    let recording = Recording(
      .make([.a, newer], status: .success), local: local, remote: RemoteStoreDouble())
    let session = recording.session

    await #expect(throws: StoreError.self) {
      try await recording.store.dispatch(
        thunk: session.didFetchRemoteQuakesMutation(inserted: [.a], updated: [.b], deleted: [.c])
      )
    }
    try await recording.store.dispatch(
      thunk: session.didFetchRemoteQuakesMutation(inserted: [], updated: [.d], deleted: [])
    )
    try await recording.store.dispatch(
      thunk: session.didFetchRemoteQuakesMutation(inserted: [], updated: [], deleted: [])
    )

    #expect(await session.unsaved.isEmpty)
    #expect(local.quakes == ["a": .a, "b": newer, "d": .d])
    #expect(transcript.calls.last == .save())
  }

  @Test func `an update of a new quake that could not be saved saves it`() async throws {
    let isLocked = Mutex(true)
    let local = LocalStoreDouble().refusing { _ in isLocked.withLock { $0 } }
    let newer = Quake.make("a", magnitude: 5)
    let recording = Recording(
      .make([newer], status: .success), local: local, remote: RemoteStoreDouble())
    let session = recording.session
    try? await recording.store.dispatch(
      thunk: session.didFetchRemoteQuakesMutation(inserted: [.a], updated: [], deleted: []))
    isLocked.withLock { $0 = false }

    try await recording.store.dispatch(
      thunk: session.didFetchRemoteQuakesMutation(inserted: [], updated: [newer], deleted: []))

    #expect(local.quakes == ["a": newer])
  }
}
