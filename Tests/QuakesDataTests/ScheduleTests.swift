import AnsweringServer
import Foundation
import HashTreeCollections
public import ImmutableData
public import Services
import Synchronization
import TestSupport
import Testing

@testable public import QuakesData

extension NetworkSessionError: PostponingError {}

/// A listener that refreshes on a schedule of five minutes, by a clock of the test's.
@MainActor private struct Fixture<Remote: PersistentSessionRemoteStore> {
  let store: QuakesStore
  let local: LocalStoreDouble
  let clock = ManualClock()
  let lanes = EffectLanes()
  let actions = Transcript<QuakesAction>()
  private let listener: Listener<LocalStoreDouble, Remote>
  private let observing: Subscription

  init(
    _ state: QuakesState = .fetched,
    local: LocalStoreDouble = LocalStoreDouble([.a, .b, .c]),
    remote: Remote,
    now: @escaping @Sendable () -> Date = { .day + 1 },
    random: @escaping @Sendable () -> Double = { 0.5 },
    reducer: @escaping @Sendable (QuakesState, QuakesAction) throws -> QuakesState =
      QuakesReducer.reduce
  ) {
    self.store = Store(initialState: state, reducer: reducer)
    self.local = local
    self.observing = self.store.observe { [actions] _, action, _ in actions.append(action) }
    self.listener = Listener(
      localStore: local,
      remoteStore: remote,
      lanes: self.lanes,
      schedule: Schedule(every: .seconds(300), clock: self.clock, random: random),
      now: now
    )
    self.listener.listen(to: self.store)
  }

  /// Lets so many refreshes begin and end.
  func refresh(_ count: Int = 1) async {
    for _ in 0..<count {
      // Whoever sleeps may have begun to before.
      let slept = self.clock.sleeps.entries.count
      if slept == 0 { await self.clock.sleeps.wait { $0.isEmpty == false } }
      let before = max(slept, 1)
      self.clock.advance(by: .seconds(86_400))
      await self.clock.sleeps.wait { $0.count > before }
    }
  }
}

/// What a feed answers to each request, and the requests.
private final class Script: Sendable {
  let heads = Transcript<String>()
  private let answers: [Answer]

  init(_ answers: [Answer]) {
    self.answers = answers
  }

  func answer(_ head: String) -> Answer {
    let index = self.heads.entries.count
    self.heads.append(head)
    return index < self.answers.count ? self.answers[index] : .silence
  }

  /// A field of each request.
  func fields(_ name: String) -> [String?] {
    self.heads.entries.map { head in
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
        .map { String($0.dropFirst(name.count + 2)) }
    }
  }
}

private func feed(_ ids: String..., magnitude: String = "1.5") -> String {
  Feed.text(ids.map { Feed.feature(id: "\"\($0)\"", mag: magnitude) })
}

private func ok(_ body: String, _ fields: String...) -> Answer {
  .response(fields: fields, body: body)
}

private let notModified = Answer.text("HTTP/1.1 304 Not Modified\r\n\r\n")

extension NetworkSession: RemoteStoreNetworkSession {}

@Suite(.timeLimit(.minutes(2))) @MainActor struct ScheduleTests {
  private func withFeed<Value: Sendable>(
    _ script: Script,
    _ work: @escaping @MainActor @Sendable (URL) async throws -> Value
  ) async throws -> Value {
    try await withServer(answer: script.answer, work)
  }

  /// The actions, the pauses and the requests of a script of answers, after a first refresh without
  /// quakes.
  private func play(
    _ state: QuakesState = .fetched,
    _ answers: Answer...
  ) async throws -> (
    actions: [QuakesAction], pauses: [Duration], script: Script, state: QuakesState
  ) {
    let script = Script([ok(feed())] + answers)
    return try await self.withFeed(script) { url in
      let remote = RemoteStore(
        session: NetworkSession(urlSession: URLSession.withTimeouts()),
        location: try #require(FeedLocation(url.absoluteString))
      )
      let fixture = Fixture(state, remote: remote)
      await fixture.refresh(1 + answers.count)
      return (
        fixture.actions.entries, Array(fixture.clock.sleeps.entries.dropFirst()), script,
        fixture.store.state
      )
    }
  }

  @Test func `the feed is polled for the past month, and then for the past day`() async throws {
    let played = try await self.play(.fetched, ok(feed("x")), ok(feed("x", "y")))

    #expect(
      played.actions == [
        .didFetchRemote([.ofFeature("x")]), .didFetchRemote([.ofFeature("y")]),
      ])
    #expect(played.pauses == [.seconds(300), .seconds(300), .seconds(300)])
    #expect(
      played.script.heads.entries.map { $0.split(separator: " ")[1] }
        == ["/all_month.geojson", "/all_day.geojson", "/all_day.geojson"])
  }

  @Test func `an unchanged feed is not sent again and changes nothing`()
    async throws
  {
    let played = try await self.play(
      .fetched,
      ok(feed("x"), "ETag: \"1\"", "Last-Modified: Wed, 07 Feb 2018 00:00:00 GMT"),
      notModified, notModified, ok(feed("x", "y"), "ETag: \"2\""), notModified
    )

    #expect(
      played.actions == [
        .didFetchRemote([.ofFeature("x")]), .didFetchRemote([.ofFeature("y")]),
      ])
    #expect(
      played.script.fields("If-None-Match") == [nil, nil, "\"1\"", "\"1\"", "\"1\"", "\"2\""])
    #expect(
      played.script.fields("If-Modified-Since")
        == [nil, nil] + Array(repeating: "Wed, 07 Feb 2018 00:00:00 GMT", count: 3) + [nil])
  }

  @Test func `a failure shows once, until a refresh succeeds even without news`()
    async throws
  {
    let played = try await self.play(
      .fetched,
      ok(feed("x"), "ETag: \"1\""), .response("500 Oh no", body: "{}"),
      .response("502 Oh no", body: "{}"), .response(type: "text/html", body: "?"), notModified
    )

    try #require(played.actions.count == 3)
    #expect(played.actions[0] == .didFetchRemote([.ofFeature("x")]))
    #expect(ActionKind(of: played.actions[1]) == .didFetchRemoteFailure)
    #expect(played.actions[2] == .didFetchRemote([]))
    #expect(played.state.quakes.status == .success)
  }

  @Test func `a success without news ends the failure of a requested refresh`() async throws {
    let failed = QuakesState.make([.a, .ofFeature("x")], status: .failure(error: "Down"))

    let played = try await self.play(failed, ok(feed("x"), "ETag: \"1\""), notModified)

    #expect(played.actions == [.didFetchRemote([])])
    #expect(played.state.quakes.status == .success)
  }

  @Test func `real earthquakes are not mixed with the sample`() async {
    let sample = QuakesState.make([.make("sm1")], status: .success)
    let fixture = Fixture(sample, remote: RemoteStoreDouble([.d]))

    await fixture.refresh(2)

    #expect(fixture.actions.entries == [])
    #expect(fixture.store.state == sample)
  }

  @Test func `pauses grow after failures and return to normal after a success`()
    async throws
  {
    let failure = Answer.response("500 Oh no", body: "{}")

    let played = try await self.play(
      .fetched, failure, failure, failure, failure, failure, ok(feed("x")), failure)

    // Half of the most that each may be.
    #expect(
      played.pauses
        == [300, 150, 300, 600, 1_200, 1_800, 300, 150].map { .seconds($0) })
  }

  @Test(arguments: ["503 Busy", "429 Too Many Requests"])
  func `Retry-After lengthens the pause but never shortens it`(status: String) async throws {
    let played = try await self.play(
      .fetched, .response(status, fields: ["Retry-After: 7200"], body: "{}"),
      .response(status, fields: ["Retry-After: 1"], body: "{}"))

    #expect(played.pauses == [.seconds(300), .seconds(7_200), .seconds(300)])
  }

  @Test func `a deleted quake stays deleted when the feed updates it`() async throws {
    let script = Script([
      ok(feed("x", "y"), "ETag: \"1\""), ok(feed("x", "y", "z"), "ETag: \"2\""),
      ok(feed("x", "y", "z", magnitude: "2"), "ETag: \"3\""),
    ])
    try await self.withFeed(script) { url in
      let remote = RemoteStore(
        session: NetworkSession(urlSession: URLSession.withTimeouts()),
        location: try #require(FeedLocation(url.absoluteString))
      )
      let fixture = Fixture(remote: remote)
      await fixture.refresh()

      try fixture.store.dispatch(action: .onTapDelete("x"))
      await fixture.refresh()
      await fixture.refresh()

      #expect(Set(fixture.store.state.quakes.data.keys) == ["a", "b", "c", "y", "z"])
      #expect(fixture.store.state.quakes.data["z"] == .ofFeature("z", magnitude: 2))
    }
  }

  @Test(arguments: [QuakesAction.onTapDelete("d"), .onTapDeleteAll])
  func `a deleted quake stays deleted after a restart`(delete: QuakesAction) async throws {
    let local = LocalStoreDouble([.a, .d])
    let remote = RemoteStoreDouble([.c, .d])
    let before = Fixture(.make([.a, .d], status: .success), local: local, remote: remote)
    try before.store.dispatch(action: delete)
    await local.transcript.wait {
      $0.last.map { if case .ended = $0 { true } else { false } } ?? false
    }

    let after = Fixture(QuakesState(), local: local, remote: remote)
    await after.refresh()

    #expect(after.store.state.quakes.data["d"] == nil)
    #expect(after.store.state.quakes.data["c"] == .c)
  }

  @Test func `a manual refresh brings back deleted quakes`() async throws {
    let local = LocalStoreDouble([.d])
    let fixture = Fixture(
      .make([.d], status: .success), local: local, remote: RemoteStoreDouble([.d]))
    try fixture.store.dispatch(action: .onTapDelete("d"))

    try fixture.store.dispatch(action: .onTapRefresh)
    await local.transcript.wait { $0.contains(.ended(.save(inserted: [.d]))) }
    await fixture.refresh()

    #expect(fixture.store.state.quakes.data["d"] == .d)
    #expect(try await local.fetchDeletedQuakesQuery() == [])
  }

  @Test func `a quake being deleted does not come back`() async throws {
    let gate = Gate()
    var local = LocalStoreDouble([.a, .d])
    local.willDo = { call in if case .delete = call { await gate.wait() } }
    let fixture = Fixture(
      .make([.a, .d], status: .success), local: local, remote: RemoteStoreDouble([.d]))

    try fixture.store.dispatch(action: .onTapDelete("d"))
    await fixture.refresh()
    gate.open()

    #expect(fixture.store.state.quakes.data["d"] == nil)
  }

  @Test func `the local store is read first if nothing was fetched yet`() async {
    let local = LocalStoreDouble([.a, .b])
    let fixture = Fixture(
      QuakesState(), local: local, remote: RemoteStoreDouble([.d], transcript: local.transcript))

    await fixture.refresh()
    await local.transcript.wait { $0.contains(.ended(.save(inserted: [.d]))) }

    #expect(
      local.transcript.calls == [.fetchLocal, .fetchRemote(.allMonth), .save(inserted: [.d])])
    #expect(fixture.store.state == .make([.a, .b, .d], status: .success))
  }

  @Test func `a failed refresh still shows the local store's quakes`() async {
    let fixture = Fixture(QuakesState(), remote: RemoteStoreDouble())

    await fixture.refresh()

    #expect(Set(fixture.store.state.quakes.data.keys) == ["a", "b", "c"])
    #expect(fixture.store.state.quakes.status?.error != nil)
  }

  @Test(
    arguments: [
      (nil, .allMonth), (1, .allDay), (19, .allDay), (30, .allWeek), (143, .allWeek),
      (145, .allMonth), (-5, .allMonth),
    ] as [(Int?, RefreshRange)])
  func `a refresh asks as far back as quakes may be missing`(hours: Int?, range: RefreshRange) {
    let time = hours.map { Date.day + -$0 }

    #expect(RefreshRange.since(time, now: .day) == range)
  }

  @Test func `a feed that does not go back far enough leaves no gap`() async throws {
    let now = Mutex(Date.day)
    let local = LocalStoreDouble()
    // It is no measure that one quake is new, or in the future.
    let remote = RemoteStoreDouble([.make("x", time: .day + 1_000)], transcript: local.transcript)
    let fixture = Fixture(
      .make(status: .success), local: local, remote: remote, now: { now.withLock { $0 } })
    await fixture.refresh()

    now.withLock { $0 = .day + 72 }
    try fixture.store.dispatch(
      action: .ui(.quakeList(.onTapRefreshQuakesButton(range: .allHour))))
    await local.transcript.wait { $0.contains(.ended(.fetchRemote(.allHour))) }
    await fixture.actions.wait { $0.count == 3 }
    await fixture.refresh(2)

    let ranges = local.transcript.calls.compactMap {
      if case .fetchRemote(let range) = $0 { range } else { nil }
    }
    #expect(ranges == [.allMonth, .allHour, .allWeek, .allDay])
  }

  @Test func `a shared state tells the next leader what it need not fetch again`() async throws {
    let remote = RemoteStoreDouble([.a])
    func lead(_ state: QuakesState, _ hours: Int) async -> (QuakesState, [QuakesAction]) {
      let fixture = Fixture(state, remote: remote, now: { .day + hours })
      await fixture.refresh()
      return (fixture.store.state, fixture.actions.entries)
    }
    var state = QuakesState(remembersDeleted: true)
    state.quakes.status = .success

    let (first, actions) = await lead(state, 1)
    let (second, none) = await lead(first, 1)
    let (_, later) = await lead(second, 3)

    let ranges = remote.transcript.calls.compactMap {
      if case .fetchRemote(let range) = $0 { range } else { nil }
    }
    #expect(ranges == [.allMonth, .allDay, .allDay])
    func note(_ hours: Int) -> QuakesAction {
      .remoteStore(.didFetchEverything(until: .day + hours))
    }
    #expect(actions == [.didFetchRemote([.a]), note(1)])
    #expect(none == [] && later == [note(3)])
  }

  @Test func `only a feed that goes back to the one before leaves no gap`() {
    var seen = SeenFeeds()
    let fetched: [(RefreshRange, hours: Int)] = [
      (.allDay, 0), (.allMonth, 0), (.allHour, 1), (.allDay, 2), (.allDay, 72), (.allMonth, 73),
    ]

    let complete = fetched.map { range, hours -> Date? in
      seen.didFetch(range, at: .day + hours)
      return seen.completeUntil
    }

    let expected: [Int?] = [nil, 0, 0, 2, 2, 73]
    #expect(complete == expected.map { hours in hours.map { .day + $0 } })
  }

  @Test func `a failed refresh is not repeated within the minimum interval`() async {
    let fixture = Fixture(remote: RemoteStoreDouble(), random: { 0.1 })

    await fixture.refresh()

    #expect(fixture.clock.sleeps.entries == [.milliseconds(500), .seconds(60)])
  }

  @Test(arguments: [false, true])
  func `an older feed does not bring older values back`(isManual: Bool) async throws {
    let corrected = Quake.make("a", magnitude: 3, updated: .day + 2)
    let fixture = Fixture(
      .make([corrected], status: .success), local: LocalStoreDouble([corrected]),
      remote: FeedStoreDouble(feed: QuakesFeed(quakes: [.a, .d], skipped: 0)))

    if isManual {
      try fixture.store.dispatch(action: .onTapRefresh)
    } else {
      await fixture.refresh()
    }
    await fixture.actions.wait { $0.contains(.didFetchRemote([.d])) }

    #expect(fixture.store.state.quakes.data["a"] == corrected)
  }

  @Test(arguments: [false, true])
  func `a quake with a new id replaces the one with the old id`(isManual: Bool) async throws {
    let local = LocalStoreDouble([.a, .b])
    let feed = QuakesFeed(quakes: [.d], skipped: 0, otherIDs: ["d": ["a", "elsewhere"]])
    let fixture = Fixture(
      .make([.a, .b], status: .success), local: local, remote: FeedStoreDouble(feed: feed))

    if isManual {
      try fixture.store.dispatch(action: .onTapRefresh)
    } else {
      await fixture.refresh()
    }
    await local.transcript.wait { $0.count == 2 }

    #expect(fixture.store.state.quakes.data == ["b": .b, "d": .d])
    #expect(local.quakes == ["b": .b, "d": .d])
    #expect(try await local.fetchDeletedQuakesQuery() == [])
  }

  @Test(arguments: [
    Quake.make("d", time: .day + 1), .make("d", latitude: 40), .make("d", longitude: 10),
    .make("d", updated: .day + -1),
  ])
  func `a quake of another time or place, or an older one, replaces none`(
    other: Quake
  ) async throws {
    let feed = QuakesFeed(quakes: [other], skipped: 0, otherIDs: ["d": ["a"]])
    let fixture = Fixture(
      .make([.a], status: .success), local: LocalStoreDouble([.a]),
      remote: FeedStoreDouble(feed: feed))

    await fixture.refresh()

    #expect(fixture.store.state.quakes.data == ["a": .a, "d": other])
  }

  @Test func `an undone deletion is not repeated by a new id`() async throws {
    let remote = FeedStoreDouble(
      feed: QuakesFeed(quakes: [.d], skipped: 0, otherIDs: ["d": ["a"]]))
    let fixture = Fixture(
      .make([.a], status: .success), local: LocalStoreDouble([.a]), remote: remote)
    try fixture.store.dispatch(action: .onTapDelete("a"))
    await fixture.refresh()

    try fixture.store.dispatch(action: .ui(.quakeList(.onTapRestoreQuakeButton(.a))))
    remote.feed = QuakesFeed(quakes: [.c, .d], skipped: 0, otherIDs: ["d": ["a"]])
    await fixture.refresh()

    #expect(fixture.store.state.quakes.data == ["a": .a, "c": .c])
  }

  @Test func `a deleted quake stays deleted when it gets a new id`() async throws {
    let local = LocalStoreDouble([.a, .b])
    let feed = QuakesFeed(quakes: [.c, .d], skipped: 0, otherIDs: ["d": ["a"]])
    let fixture = Fixture(
      .make([.a, .b], status: .success), local: local, remote: FeedStoreDouble(feed: feed))
    try fixture.store.dispatch(action: .onTapDelete("a"))

    await fixture.refresh()

    #expect(fixture.store.state.quakes.data == ["b": .b, "c": .c])
  }

  @Test(arguments: [QuakesAction.onTapDelete("a"), .onTapDeleteAll])
  func `a quake deleted during a refresh does not come back with a new id`(
    delete: QuakesAction
  ) async throws {
    let (began, gate) = (Gate(), Gate())
    let local = LocalStoreDouble([.a])
    let remote = FeedStoreDouble(
      feed: QuakesFeed(quakes: [.c, .d], skipped: 0, otherIDs: ["d": ["a"]])
    ) {
      began.open()
      await gate.wait()
    }
    let fixture = Fixture(.make([.a], status: .success), local: local, remote: remote)

    try fixture.store.dispatch(action: .onTapRefresh)
    await began.wait()
    try fixture.store.dispatch(action: delete)
    gate.open()
    await fixture.actions.wait { $0.contains { ActionKind(of: $0) == .didFetchRemote } }

    #expect(fixture.store.state.quakes.data == ["c": .c])
  }

  @Test func `deleted quakes that were never saved stay deleted`() async throws {
    let local = LocalStoreDouble([.a]).refusing { call in
      if case .save = call { true } else { false }
    }
    let fixture = Fixture(
      .make([.a], status: .success), local: local, remote: RemoteStoreDouble([.a, .d]))
    try fixture.store.dispatch(action: .onTapRefresh)
    await fixture.actions.wait { $0.contains { ActionKind(of: $0) == .didFailToSave } }

    try fixture.store.dispatch(action: .onTapDeleteAll)
    await local.transcript.wait { $0.contains(.ended(.delete(quakeId: "d"))) }

    let after = Fixture(QuakesState(), local: local, remote: RemoteStoreDouble([.a, .d]))
    await after.refresh()

    #expect(after.store.state.quakes.data == [:])
  }
}

// Beside refreshes by hand.
extension ScheduleTests {
  @Test func `the schedule skips its turn during a manual refresh`() async throws {
    let (began, gate) = (Gate(), Gate())
    let local = LocalStoreDouble([.a, .b, .c])
    var remote = RemoteStoreDouble(transcript: local.transcript)
    remote.fetch = { _ in
      began.open()
      await gate.wait()
      return [.d]
    }
    let fixture = Fixture(local: local, remote: remote)

    try fixture.store.dispatch(action: .make(.onTapRefresh))
    await began.wait()
    await fixture.refresh(2)
    gate.open()
    await fixture.actions.wait { $0.contains(.didFetchRemote([.d])) }

    #expect(
      local.transcript.calls.filter { if case .fetchRemote = $0 { true } else { false } }.count == 1
    )
    #expect(fixture.store.state.quakes.status == .success)
  }

  @Test func `a manual refresh cancels a scheduled one, which then dispatches nothing`()
    async throws
  {
    let began = Gate()
    let cancelled = Gate()
    let count = Mutex(0)
    var remote = RemoteStoreDouble()
    remote.fetch = { _ in
      guard
        count.withLock({
          $0 += 1
          return $0
        }) == 1
      else { return [.d] }
      began.open()
      defer { cancelled.open() }
      // Until it is cancelled.
      try await Task.sleep(for: .seconds(3_600))
      return [.make("late")]
    }
    let fixture = Fixture(remote: remote)
    await fixture.clock.sleeps.wait { $0.isEmpty == false }
    fixture.clock.advance(by: .seconds(10))
    await began.wait()

    try fixture.store.dispatch(action: .make(.onTapRefresh))
    await cancelled.wait()
    await fixture.actions.wait { $0.contains(.didFetchRemote([.d])) }
    await fixture.clock.sleeps.wait { $0.count == 2 }

    #expect(fixture.actions.entries == [.make(.onTapRefresh), .didFetchRemote([.d])])
    // It was no failure.
    #expect(fixture.clock.sleeps.entries == [.milliseconds(2_500), .seconds(300)])
  }

  @Test func `news that were dropped with the lead come again with the next one`() async {
    let isDropping = Mutex(true)
    let feed = QuakesFeed(quakes: [.d], skipped: 0)
    let reducer: @Sendable (QuakesState, QuakesAction) throws -> QuakesState = { state, action in
      if action == .didFetchRemote([.d]), isDropping.withLock({ $0 }) { return state }
      return try QuakesReducer.reduce(state: state, action: action)
    }
    let fixture = Fixture(remote: FeedStoreDouble(feed: feed), reducer: reducer)
    await fixture.refresh()

    isDropping.withLock { $0 = false }
    fixture.lanes.lead(false)
    let slept = fixture.clock.sleeps.entries.count
    fixture.lanes.lead(true)
    await fixture.clock.sleeps.wait { $0.count > slept }
    fixture.clock.advance(by: .seconds(86_400))
    await fixture.actions.wait { $0.count > 1 }

    #expect(fixture.actions.entries == [.didFetchRemote([.d]), .didFetchRemote([.d])])
    #expect(fixture.store.state.quakes.data["d"] == .d)
  }

  @Test func `the schedule ends with the listener`() async {
    let ended = Gate()
    let began = Gate()
    var remote = RemoteStoreDouble()
    remote.fetch = { _ in
      began.open()
      defer { ended.open() }
      try await Task.sleep(for: .seconds(3_600))
      return []
    }
    var fixture: Fixture<RemoteStoreDouble>? = Fixture(remote: remote)
    let clock = fixture?.clock
    await clock?.sleeps.wait { $0.isEmpty == false }
    clock?.advance(by: .seconds(10))
    await began.wait()

    fixture = nil

    await ended.wait()
  }
}
