import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableUI
import TestSupport
import Testing
import WindowTesting

@testable import DeveloperTools

/// The developer pages beside a counter.
@MainActor struct DeveloperTests {
  private func makeApp(
    _ value: Int = 0
  ) async throws -> (app: TestApp, developer: Developer) {
    let store = ImmutableData.Store(
      initialState: CounterState(value),
      reducer: CounterReducer.reduceOrRefuse
    )
    return try await Developer.beside(store) { CounterUI.Content.page() }
  }

  /// Waits until so many actions have been recorded.
  private func entries(_ count: Int, of developer: Developer) async -> [Entry] {
    let state = await developer.wait { $0.newest >= count }
    return Array(state.entries(of: nil)).reversed()
  }

  @Test func `an action's reported causes match the frame's counters`() async throws {
    let app = try await self.makeApp()
    let window = try await app.app.open("/counter")
    let before = app.app.windows.counts
    try await window.submit("increment")
    try await app.app.frame()
    let counts = app.app.windows.counts - before
    let entry = try #require(await self.entries(1, of: app.developer).first)

    let causes = try #require(
      app.app.windows.causes(
        "/counter", of: entry.recorded, environment: WindowEnvironment(timeZone: .gmt)))

    #expect(causes.map(\.name) == ["root", "number"])
    #expect(causes.map(\.change) == [.none, .changed])
    #expect(causes.map(\.component) == ["Content", "CounterNumber"])
    #expect(causes.count { $0.duration != nil } == counts.regionRenders)
    let selectors = causes.flatMap(\.selectors)
    #expect(selectors.map(\.outcome) == [.changed])
    #expect(counts.outputRuns == 1)
    #expect(app.app.windows.causes("/nowhere", of: entry.recorded, environment: .init()) == nil)
  }

  @Test(arguments: [("&at=1", SelectorCause.Outcome.sameDependencies), ("", .changed)])
  func `a state is inspected again only if it is another one`(
    query: String,
    outcome: SelectorCause.Outcome
  ) async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await fixture.submit("increment", to: window)
    let old = fixture.state
    try await fixture.submit("increment", to: window)

    let causes = fixture.app.windows.causes(
      "/developer/state?product=Counter\(query)",
      of: ProductDispatch(
        product: DeveloperState.name,
        dispatch: Dispatch(
          action: DeveloperAction.recorder(.didRecord([])), origin: nil, oldState: old,
          result: .success(fixture.state), version: 1, duration: .zero)),
      environment: WindowEnvironment(timeZone: .gmt)
    )

    let part = try #require(causes?.first { $0.name == "part" })
    #expect(part.selectors.map(\.outcome) == [outcome])
  }

  @Test func `of the dispatches by hand that have ended, only the newest is remembered`()
    async throws
  {
    let fixture = try await DeveloperFixture()
    let action = try JSONEncoder().encode(CounterAction.didTapIncrementButton)
    let json = String(decoding: action, as: UTF8.self)

    for id in ["a", "b", "c"] {
      try fixture.developer.store.dispatch(
        action: .ui(.onTapDispatchButton(id: id, product: "Counter", json: json)))
      await fixture.wait { $0.dispatches[id] == .success }
    }

    #expect(fixture.store.state.counter.value == 3)
    #expect(fixture.state.dispatches == ["c": .success])
  }

  @Test func `an action is recorded with its origin and its changes`() async throws {
    let app = try await self.makeApp(4)
    let window = try await app.app.open("/counter")

    try await window.submit("increment")
    let entries = await self.entries(1, of: app.developer)

    let entry = try #require(entries.first)
    #expect(entries.count == 1)
    #expect(entry.name == "didTapIncrementButton")
    #expect(entry.product == "Counter")
    guard case .form(name: "increment", path: "/counter", window: _?) = entry.dispatch.origin else {
      Issue.record("\(String(describing: entry.dispatch.origin))")
      return
    }
    #expect(
      StateDifference(from: entry.oldState, to: entry.state).changes
        == [StateDifference.Change(path: "/value", old: "4", new: "5")])
  }

  @Test func `a refusal is recorded without changes`() async throws {
    let app = try await self.makeApp(.max)
    let window = try await app.app.open("/counter")

    _ = try? await window.submit("increment")
    let entry = try #require(await self.entries(1, of: app.developer).first)

    #expect(entry.refusal?.contains("overflow") == true)
    #expect(StateDifference(from: entry.oldState, to: entry.state).changes.isEmpty)
  }

  @Test func `a page of the past shows old content while windows stay live`() async throws {
    let app = try await self.makeApp()
    let window = try await app.app.open("/counter")
    let values = [1, 2, 1, 2]
    for (form, value) in zip(["increment", "increment", "decrement", "increment"], values) {
      try await window.submit(form)
      try await window.expect("Value: \(value)")
    }
    let entries = await self.entries(4, of: app.developer)

    for (entry, value) in zip(entries, values) {
      let query = Query([
        QueryItem(name: "url", value: "/counter"), QueryItem(name: "at", value: "\(entry.id)"),
      ])
      let page = try #require(await app.developer.pages.page(query, WindowEnvironment()))
      let html = String(decoding: page.html, as: UTF8.self)
      #expect(html.contains("Value: \(value)<"), "after \(entry.id)")
    }
    try await window.submit("increment")
    try await window.expect("Value: 3")
  }

  @Test func `there is no page of the past for developer pages or unknown pages`()
    async throws
  {
    let app = try await self.makeApp()
    for url in ["/developer", "/nowhere", ""] {
      let query = Query([QueryItem(name: "url", value: url), QueryItem(name: "at", value: "1")])
      #expect(await app.developer.pages.page(query, WindowEnvironment()) == nil)
    }
  }

  @Test func `the log follows the products live, and does not record itself`() async throws {
    let app = try await self.makeApp()
    let window = try await app.app.open("/counter")
    let log = try await app.app.open("/developer")

    try await window.submit("increment")
    _ = await self.entries(1, of: app.developer)
    try await log.expect("didTapIncrementButton")
    try await log.submit("pause")
    try await window.submit("increment")
    try await log.expect("Paused")
    try await log.submit("resume")
    try await window.submit("decrement")
    let entries = await self.entries(2, of: app.developer)

    #expect(entries.map(\.name) == ["didTapIncrementButton", "didTapDecrementButton"])
  }

  @Test func `the windows page lists each window's URL`() async throws {
    let app = try await self.makeApp()
    _ = try await app.app.open("/counter")
    _ = try await app.app.open("/counter")
    let page = try await app.app.open("/developer/windows")

    try await page.submit("refreshWindows")
    try await app.app.settle()
    while app.developer.store.snapshot().state.windows.isEmpty { await letOthersGoOn() }

    let urls = app.developer.store.snapshot().state.windows.map(\.url)
    #expect(urls == ["/counter", "/counter", "/developer/windows"])
  }

  @Test func `recorded actions are bounded in number and in bytes`() throws {
    var state = DeveloperState()
    for index in 0..<(DeveloperReducer.countLimit + 50) {
      state = try Self.recording("\(index)", in: state)
    }
    #expect(state.entries.count == DeveloperReducer.countLimit)
    #expect(state.oldest == 51)
    #expect(state.state(of: "Test", after: 50) as? String == "49")
    #expect(state.state(of: "Test", after: 49) == nil)
    #expect(state.state(of: "Test", after: 0) == nil)

    let large = String(repeating: "x", count: 1 << 20)
    for _ in 0..<200 { state = try Self.recording(large, in: state) }
    #expect(state.bytes <= DeveloperReducer.byteLimit)
    #expect(state.entries.count < 70)
    #expect(state.entries.count == state.newest - state.oldest + 1)
  }

  @Test func `the present state is known whatever is recorded`() throws {
    var state = try DeveloperReducer.reduce(
      state: DeveloperState(),
      action: .recorder(.didBegin(states: ["Test": "-1", "Other": "first"])))
    func texts(after id: Int?) -> [String?] {
      ["Other", "Test"].map { state.state(of: $0, after: id) as? String }
    }
    #expect(texts(after: nil) == ["first", "-1"])
    #expect(texts(after: 0) == ["first", "-1"])

    state = try Self.recording("loaded", of: "OtherState", in: state)
    for index in 0..<DeveloperReducer.countLimit {
      state = try Self.recording("\(index)", in: state)
    }
    #expect(texts(after: nil) == ["loaded", "999"])
    #expect(texts(after: 1) == ["loaded", "-1"])
    #expect(texts(after: 0) == [nil, nil])

    state = try DeveloperReducer.reduce(state: state, action: .ui(.onTapClearButton))
    #expect(texts(after: nil) == ["loaded", "999"])
    #expect(texts(after: state.newest) == ["loaded", "999"])
    #expect(texts(after: 1) == [nil, nil])

    state = try DeveloperReducer.reduce(state: state, action: .ui(.onTapPauseButton))
    state = try Self.recording("hidden", of: "OtherState", in: state)
    #expect(texts(after: nil) == ["hidden", "999"])
    #expect(state.entries.isEmpty)
  }

  @Test func `the newest page is the present one while nothing is recorded`() async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await fixture.submit("increment", to: window)
    let log = try await fixture.app.open("/developer")
    try await log.submit("pause")
    try await window.submit("increment")
    try await window.expect("Value: 2")
    await fixture.wait { $0.presents["Counter"]?.version == 2 }

    let time = try await fixture.app.open("/developer/time?url=/counter&region=number")

    #expect(time.html.contains("/developer/past?url=%2Fcounter&amp;at=&amp;seen="))
    #expect(time.html.contains("&amp;region=number&amp;version=2\""))
    #expect(time.text.contains("no action that is recorded"))
    #expect(await fixture.past(["url": "/counter"])?.contains("Value: 2<") == true)
    #expect(await fixture.past(["url": "/counter", "at": "1"])?.contains("Value: 1<") == true)
    #expect(await fixture.past(["url": "/counter", "at": "7"]) == nil)
  }

  @Test func `the newest page is the present one after actions that this server has not read`()
    async throws
  {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await window.submit("increment")
    fixture.store.skip(to: DeveloperFixture.Whole(counter: CounterState(7)), version: 9)

    let newest = try #require(await fixture.past(["url": "/counter"]))
    let recorded = try #require(await fixture.past(["url": "/counter", "at": "1"]))

    #expect(newest.contains("Value: 7<"))
    #expect(recorded.contains("Value: 1<"))
  }

  @Test func `a visit after actions that are not recorded leads to no past page`() async throws {
    let fixture = try await DeveloperFixture()
    let window = try await fixture.app.open("/counter")
    try await fixture.submit("increment", to: window)
    let log = try await fixture.app.open("/developer")
    try await log.submit("pause")
    try await window.submit("increment")
    await fixture.wait { $0.presents["Counter"]?.version == 2 }
    try await log.submit("resume")
    let count = fixture.state.visits.all.count
    _ = try await fixture.app.open("/counter")
    await fixture.wait { $0.visits.all.count > count }

    let visit = try #require(fixture.state.visits.all.last)

    #expect(await fixture.past(["url": visit.visit.url, "at": "\(visit.entry)"]) == nil)
    #expect(await fixture.past(["url": "/counter", "at": "1"])?.contains("Value: 1<") == true)
  }

  @Test func `actions that are not recorded hide only the states that follow them`() throws {
    var state = try Self.withMissingAction()
    state = try Self.recording("second", of: "OtherState", in: state)
    state = try Self.recording("2", in: state)

    let ids = state.entries(of: nil).map(\.id)
    #expect(ids == [4, 3, 1])
    #expect(ids.map { state.state(of: "Test", after: $0) as? String } == ["2", nil, "0"])
    #expect(
      ids.map { state.state(of: "Other", after: $0) as? String } == ["second", "second", "first"])
  }

  @Test func `actions that are not recorded hide states also when what surrounds them is gone`()
    throws
  {
    var state = try Self.withMissingAction()
    for _ in 0...DeveloperReducer.countLimit {
      state = try Self.recording("later", of: "OtherState", in: state)
    }

    let oldest = try #require(state.entries(of: nil).map(\.id).last)
    #expect(oldest > 2)
    #expect(state.state(of: "Test", after: oldest) == nil)
    #expect(state.state(of: "Other", after: oldest) as? String == "later")

    state = try Self.recording("2", in: state)
    let newest = try #require(state.entries(of: nil).map(\.id).first)
    #expect(state.state(of: "Test", after: newest) as? String == "2")
  }

  @Test func `the slider has few marks, which stay where they are`() throws {
    func marks(_ state: DeveloperState) -> [Int] {
      state.history(of: "Test", around: nil, limit: 12).marks
    }
    var state = DeveloperState()
    #expect(marks(state) == [])
    for count in 1...3 {
      state = try Self.recording("\(count)", in: state)
      #expect(marks(state) == Array(1...count))
    }
    for index in 0..<DeveloperReducer.countLimit {
      state = try Self.recording(
        "\(index)", of: index.isMultiple(of: 3) ? "Other" : "TestState", in: state)
    }
    let (old, ids) = (marks(state), state.entries(of: "Test").map(\.id))
    #expect(old == old.sorted() && Set(old).isSubset(of: ids))
    #expect((90...102).contains(old.count))
    #expect([old.first, old.last] == [ids.last, ids.first])

    for text in ["4", "5"] { state = try Self.recording(text, in: state) }

    #expect(Set(marks(state)).subtracting(old).count <= 2)
  }

  /// An action is recorded, and the next one is not.
  private static func withMissingAction() throws -> DeveloperState {
    var state = try DeveloperReducer.reduce(
      state: DeveloperState(),
      action: .recorder(.didBegin(states: ["Test": "-1", "Other": "first"])))
    state = try Self.recording("0", in: state)
    state = try DeveloperReducer.reduce(state: state, action: .ui(.onTapPauseButton))
    state = try Self.recording("1", in: state)
    return try DeveloperReducer.reduce(state: state, action: .ui(.onTapResumeButton))
  }

  private static func recording(
    _ text: String,
    of product: String = "TestState",
    in state: DeveloperState
  ) throws -> DeveloperState {
    let dispatch = Dispatch<any Sendable, any Sendable>.made(text)
    let recorded = Recorded(
      time: .now, dispatch: ProductDispatch(product: product, dispatch: dispatch))
    return try DeveloperReducer.reduce(
      state: state, action: .recorder(.didRecord([.action(recorded)])))
  }
}

extension Dispatch where State == any Sendable, Action == any Sendable {
  /// An action that made a text of another.
  fileprivate static func made(_ text: String) -> Self {
    Dispatch(
      action: text,
      origin: nil,
      oldState: "\((Int(text) ?? 0) - 1)",
      result: .success(text),
      version: 0,
      duration: .zero
    )
  }
}
