import Dispatch
import Fixture
import HTMLTemplates
import ImmutableData
import Logging
import Synchronization
import TestSupport
import Testing
import WindowTesting

@testable import ImmutableRuntime
@testable import ImmutableUI

private struct Products: Sendable {
  var left = FixtureState(items: [])
  var right = FixtureState(items: [])
}

/// The products of a store that leaves out actions which change nothing.
private struct ComparedProducts: Equatable, Sendable {
  var left = FixtureState(items: [])

  static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.left.items == rhs.left.items && lhs.left.ticks == rhs.left.ticks
  }
}

private enum ProductsAction: Sendable {
  case left(FixtureAction)
  case right(FixtureAction)
}

/// Two products on one store.
@MainActor private struct ProductsFixture {
  let store: Store<Products, ProductsAction>
  let left: Store<FixtureState, FixtureAction>
  let right: Store<FixtureState, FixtureAction>

  init() {
    self.store = Store(initialState: Products()) { state, action in
      var state = state
      switch action {
      case .left(let action):
        state.left = try FixtureReducer.reduce(state: state.left, action: action)
      case .right(let action):
        state.right = try FixtureReducer.reduce(state: state.right, action: action)
      }
      return state
    }
    self.left = self.store.scope(
      state: { $0.left },
      action: { .left($0) },
      extract: { if case .left(let action) = $0 { action } else { nil } }
    )
    self.right = self.store.scope(
      state: { $0.right },
      action: { .right($0) },
      extract: { if case .right(let action) = $0 { action } else { nil } }
    )
  }

  func windows(_ configuration: WindowGroup.Configuration) throws -> WindowGroup {
    let (left, right) = (self.left, self.right)
    return try WindowGroup(templates: .fixture, configuration: configuration) {
      Provider(left) { FixtureContent.page(at: "/left") }
      Provider(right) { FixtureContent.page(at: "/right") }
    }
  }
}

/// Hands on the commands that change what windows show, as they come.
private func frames(of windows: WindowGroup) async -> AsyncStream<HubCommand.Frame> {
  let (stream, continuation) = AsyncStream.makeStream(of: HubCommand.Frame.self)
  windows.connect { commands in
    for case .frame(let frame) in commands { continuation.yield(frame) }
  }
  return stream
}

/// A page whose render waits at a gate.
private struct Slow: Root {
  typealias State = FixtureState

  static let gate = Gate()

  @ImmutableUI.Selector(outputSelector: { (state: FixtureState) in state.ticks }) var ticks

  init(_ local: NoLocalState) {}

  var body: some Component {
    let ticks = self.ticks
    Self.gate.pass()
    return TicksPresenter(ticks: ticks)
  }
}

private struct Quick: Root {
  typealias State = FixtureState

  @ImmutableUI.Selector(outputSelector: { (state: FixtureState) in state.ticks }) var ticks

  init(_ local: NoLocalState) {}

  var body: some Component {
    TicksPresenter(ticks: self.ticks)
  }
}

private struct TicksPresenter: Presenter {
  let ticks: Int

  static let template = Template<Self>(named: "Ticks", [.text("ticks") { $0.ticks }])
}

/// Lets nobody pass while it is closed.
private final class Gate: Sendable {
  private let closed = Mutex<DispatchSemaphore?>(nil)
  private let waiting = AsyncStream.makeStream(of: Void.self)

  func close() {
    self.closed.withLock { $0 = DispatchSemaphore(value: 0) }
  }

  func open() {
    self.closed.withLock { gate in
      gate?.signal()
      gate = nil
    }
  }

  func pass() {
    guard let gate = self.closed.withLock({ $0 }) else { return }
    self.waiting.continuation.yield()
    gate.wait()
  }

  func someoneWaits() async {
    for await _ in self.waiting.stream { return }
  }
}

extension WindowGroup {
  /// The size of the renders that windows show.
  fileprivate var usedBytes: Int {
    get async {
      var bytes = 0
      for product in self.allProducts {
        for size in await product.size.caches where size.name == "used_renders" {
          bytes += size.bytes
        }
      }
      return bytes
    }
  }

  /// How many places each product has.
  fileprivate var placeCounts: [Int] {
    get async {
      var counts: [Int] = []
      for product in self.allProducts { counts.append(await product.size.places) }
      return counts
    }
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct ProductsTests {
  private let fixture = ProductsFixture()

  /// Frames that follow another are an hour apart: one that were not due at once would never come.
  private var patient: WindowGroup.Configuration {
    var configuration = WindowGroup.Configuration()
    configuration.frameInterval = .seconds(3_600)
    return configuration
  }

  private func join(
    _ windows: WindowGroup, _ path: String, from address: String? = nil
  ) async throws {
    let (stream, session) = (Identifier(), Identifier())
    _ = try windows.openStream(stream, session: session, network: address)
    _ = try await windows.join(
      stream: stream, session: session, at: path, navigation: 1, tags: [:])
  }

  @Test func `actions that change nothing shown do not delay a frame`() async throws {
    let windows = try self.fixture.windows(self.patient)
    var frames = await frames(of: windows).makeAsyncIterator()
    try await self.join(windows, "/left")
    let running = Task { await windows.run() }
    defer { running.cancel() }
    // Of another product, and of this one without a difference: neither is to be seen.
    try self.fixture.right.dispatch(action: .ui(.onTapTickButton))
    try self.fixture.left.dispatch(action: .data(.didLoad(items: [])))
    while await windows.framedVersion(of: ObjectIdentifier(self.fixture.left)) != 2 {
      await letOthersGoOn()
    }
    try self.fixture.left.dispatch(action: .ui(.onTapTickButton))

    #expect(await frames.next()?.version == 3)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a slow product delays neither others nor metrics`() async throws {
    let (left, right) = (self.fixture.left, self.fixture.right)
    let templates = TemplateLibrary(sources: ["Ticks": "<p>{{ticks}}</p>"])
    let windows = try WindowGroup(templates: templates) {
      Provider(left) { Page(Slow.self, at: "/left", title: "Slow") }
      Provider(right) { Page(Quick.self, at: "/right", title: "Quick") }
    }
    var frames = await frames(of: windows).makeAsyncIterator()
    try await self.join(windows, "/left")
    try await self.join(windows, "/right")
    let running = Task { await windows.run() }
    defer { running.cancel() }

    Slow.gate.close()
    defer { Slow.gate.open() }
    try left.dispatch(action: .ui(.onTapTickButton))
    await Slow.gate.someoneWaits()
    try right.dispatch(action: .ui(.onTapTickButton))

    // The frame of the left one is not made before the gate opens.
    #expect(await frames.next()?.version == 2)
    #expect(await windows.reportMetrics(within: .milliseconds(1)) == ["FixtureState"])
    #expect(await windows.reportMetrics(within: .milliseconds(1)) == ["FixtureState"])

    Slow.gate.open()
    #expect(await windows.reportMetrics(within: .seconds(60)) == [])
  }

  @Test func `a window that posts an action which changes nothing gets its version`() async throws {
    let reducer = Reducer<ComparedProducts, FixtureAction> { state, action in
      var state = state
      state.left = try FixtureReducer.reduce(state: state.left, action: action)
      return state
    }
    let store = Store(initialState: ComparedProducts(), lanes: EffectLanes(), reducer: reducer)
    let part = store.scope(state: { $0.left }, action: { $0 }, extract: { $0 })
    let app = try TestApp(templates: .fixture) {
      Provider(part) { FixtureContent.page(at: "/left") }
    }
    let window = try await app.open("/left")

    try await window.submit("delete", ["id": "gone"])

    #expect(try window.receive().map(\.event) == ["version"])
    try await app.finish()
  }

  @Test func `a store can be given to pages only once`() throws {
    let left = self.fixture.left

    #expect(throws: WindowError.self) {
      try WindowGroup(templates: .fixture) {
        Provider(left) { FixtureContent.page(at: "/left") }
        Provider(left) { FixtureContent.page(at: "/right") }
      }
    }
  }

  @Test func `a frame releases the actions that all have seen`() async throws {
    let windows = try self.fixture.windows(WindowGroup.Configuration())
    try await self.join(windows, "/left")
    try self.fixture.left.dispatch(action: .ui(.onTapTickButton))

    await windows.frame()

    #expect(self.fixture.store.snapshot().actions(since: 0) == nil)
  }

  @Test func `the render of a page that a window has just left is kept for 10 s`() async throws {
    let windows = try self.fixture.windows(WindowGroup.Configuration())
    let stream = Identifier()
    _ = try windows.openStream(stream, session: stream)
    _ = try await windows.join(
      stream: stream, session: stream, at: "/left", navigation: 1, tags: [:])
    let joined = ContinuousClock.now

    await windows.closeStream(stream)
    await windows.tick(now: joined + .seconds(10))

    #expect(await windows.cachedRegionCount > 0)
    await windows.tick(now: .now + .seconds(10))
    #expect(await windows.cachedRegionCount == 0)
  }

  @Test func `a window that goes from one product to another leaves nothing behind`() async throws {
    let windows = try self.fixture.windows(WindowGroup.Configuration())
    let (stream, session) = (Identifier(), Identifier())
    _ = try windows.openStream(stream, session: session)
    let window = try await windows.join(
      stream: stream, session: session, at: "/left", navigation: 1, tags: [:])

    // Clients may well say the same number twice.
    for path in ["/right", "/left", "/right"] {
      try await windows.navigate(
        window, session: session, to: path, navigation: 1, tags: nil)
    }
    while await windows.placeCounts != [0, 1] { await letOthersGoOn() }
    await windows.closeStream(stream)

    #expect(await windows.placeCounts == [0, 0])
  }

  @Test func `a product whose listener is behind does not refuse the posts of others`()
    async throws
  {
    var configuration = WindowGroup.Configuration()
    configuration.backlog = 4
    let windows = try self.fixture.windows(configuration)
    let unread = self.fixture.left.makeStream()
    try await self.tick(windows, "/left")
    let error = await #expect(throws: WindowError.self) { try await self.tick(windows, "/left") }
    #expect(error?.code == .overloaded)

    for _ in 0..<10 { try await self.tick(windows, "/right") }

    #expect(self.fixture.right.state.ticks == 10)
    withExtendedLifetime(unread) {}
  }

  private func tick(_ windows: WindowGroup, _ path: String) async throws {
    _ = try await windows.submit(
      FormFields(Query([QueryItem(name: FormField.form, value: "tick")])),
      to: path,
      session: Identifier(),
      window: nil
    )
  }

  @Test func `the number of places is limited by render memory`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 40_000
    let windows = try self.fixture.windows(configuration)
    var count = 0

    await #expect(throws: WindowError.self) {
      while count < 1_000 {
        try await self.join(windows, "/left?search=\(count)", from: "\(count)")
        count += 1
      }
    }

    #expect(count > 0)
    #expect(windows.windowCount == count)
    // Those who come to what is shown already are let in.
    try await self.join(windows, "/left?search=0")
  }

  /// Joins windows at different places until one is refused.
  ///
  /// - Returns: The number of windows that have joined.
  private func fill(_ windows: WindowGroup, from address: String) async throws -> Int {
    var count = 0
    do {
      while count < 1_000 {
        try await self.join(windows, "/left?search=\(address)\(count)", from: address)
        count += 1
      }
    } catch let error as WindowError where error.code == .tooManyPlaces {}
    return count
  }

  @Test func `one client may have a quarter of render memory`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 200_000
    let windows = try self.fixture.windows(configuration)

    let greedy = try await self.fill(windows, from: "greedy")
    let other = try await self.fill(windows, from: "other")

    #expect(greedy > 0)
    #expect(abs(other - greedy) <= 1)
    #expect(await windows.usedBytes <= configuration.renderBytes / 2)
  }

  @Test func `a product that uses most of render memory does not close another to visitors`()
    async throws
  {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 200_000
    let windows = try self.fixture.windows(configuration)
    for address in 0..<5 { _ = try await self.fill(windows, from: "\(address)") }
    await #expect(throws: WindowError.self) {
      try await self.join(windows, "/left?search=another", from: "visitor")
    }

    try await self.join(windows, "/right?search=another", from: "visitor")

    #expect(await windows.usedBytes <= configuration.renderBytes)
  }

  @Test func `a product gets its share although another has grown to all of render memory`()
    async throws
  {
    let items = (0..<2_000).map { Item(id: "\($0)", name: "A long name of an item, \($0)") }
    try self.fixture.left.dispatch(action: .data(.didLoad(items: items)))
    let measured = try self.fixture.windows(WindowGroup.Configuration())
    try await self.join(measured, "/left")
    let left = await measured.usedBytes
    try await self.join(measured, "/right?search=0")
    let right = await measured.usedBytes - left
    try self.fixture.left.dispatch(action: .data(.didLoad(items: [])))
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = left + right / 2
    let windows = try self.fixture.windows(configuration)
    let cut = Transcript<Set<Identifier>>()
    windows.connect { commands in
      for case .cut(let streams) in commands { cut.append(streams) }
    }
    try await self.join(windows, "/left")
    try self.fixture.left.dispatch(action: .data(.didLoad(items: items)))
    await windows.frame()
    let free = configuration.renderBytes - (await windows.usedBytes)
    #expect(free >= 0 && free < right)
    #expect(cut.entries.isEmpty)

    for number in 0..<3 { try await self.join(windows, "/right?search=\(number)", from: "visitor") }
    await windows.tick(now: .now)

    #expect(cut.entries.count == 1)
    #expect(await windows.placeCounts == [0, 3])
    #expect(await windows.usedBytes <= configuration.renderBytes)
  }

  @Test func `whoever still shows a page pays for it`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 200_000
    let windows = try self.fixture.windows(configuration)
    let (stream, session) = (Identifier(), Identifier())
    _ = try windows.openStream(stream, session: session, network: "first")
    var count = 0
    do {
      while count < 1_000 {
        _ = try await windows.join(
          stream: stream, session: session, at: "/left?search=\(count)", navigation: 1, tags: [:])
        count += 1
      }
    } catch let error as WindowError where error.code == .tooManyPlaces {}
    for number in 0..<count {
      try await self.join(windows, "/left?search=\(number)", from: "second")
    }

    await windows.closeStream(stream)

    let first = try await self.fill(windows, from: "first")
    #expect(abs(first - count) <= 1)
    await #expect(throws: WindowError.self) {
      try await self.join(windows, "/left?search=another", from: "second")
    }
  }

  @Test func `streams of a client beyond its share are cut first`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 3_000_000
    let windows = try self.fixture.windows(configuration)
    let name = "abcdefghijklmnopqrstuvwxyz"
    for count in 1...name.count {
      try await self.join(windows, "/left?search=\(name.prefix(count))", from: "greedy")
    }
    let modest = Identifier()
    _ = try windows.openStream(modest, session: modest, network: "modest")
    for path in ["/left", "/left?search=b"] {
      _ = try await windows.join(
        stream: modest, session: modest, at: path, navigation: 1, tags: [:])
    }
    let cut = Transcript<Set<Identifier>>()
    windows.connect { commands in
      for case .cut(let streams) in commands { cut.append(streams) }
    }

    let items = (0..<200).map { Item(id: "\($0)", name: "\(name) \($0)") }
    try self.fixture.left.dispatch(action: .data(.didLoad(items: items)))
    await windows.frame()

    #expect(cut.entries.isEmpty == false)
    #expect(cut.entries.allSatisfy { $0.contains(modest) == false })
    #expect(await windows.usedBytes <= configuration.renderBytes)
  }

  /// Two products, of which the right one has outgrown render memory, with a window in each.
  ///
  /// - Returns: The streams of the windows, and the streams that are cut from now on.
  private func outgrown(
    _ windows: WindowGroup
  ) async throws -> (left: Identifier, right: [Identifier], cut: Transcript<Set<Identifier>>) {
    let streams = (0..<3).map { _ in Identifier() }
    for stream in streams { _ = try windows.openStream(stream, session: stream) }
    func join(_ stream: Identifier, _ path: String) async throws {
      _ = try await windows.join(
        stream: stream, session: stream, at: path, navigation: 1, tags: [:])
    }
    try await join(streams[0], "/left")
    try await join(streams[1], "/right")
    let cut = Transcript<Set<Identifier>>()
    windows.connect { commands in
      for case .cut(let streams) in commands { cut.append(streams) }
    }
    let items = (0..<2_000).map { Item(id: "\($0)", name: "A long name of an item, \($0)") }
    try self.fixture.right.dispatch(action: .data(.didLoad(items: items)))
    // Whoever comes brings the page up to date, before the next frame.
    try await join(streams[2], "/right")
    return (streams[0], Array(streams[1...]), cut)
  }

  @Test func `a product within its share does not pay for another that outgrows render memory`()
    async throws
  {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 100_000
    let windows = try self.fixture.windows(configuration)
    let (_, right, cut) = try await self.outgrown(windows)
    #expect(await windows.usedBytes > configuration.renderBytes)

    try self.fixture.left.dispatch(action: .data(.didLoad(items: [Item(id: "1", name: "One")])))
    await windows.frame()

    #expect(cut.entries == [Set(right)])
    #expect(await windows.placeCounts == [1, 0])
  }

  @Test func `a product that outgrows render memory makes room although nothing else happens`()
    async throws
  {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 100_000
    let windows = try self.fixture.windows(configuration)
    let (_, right, cut) = try await self.outgrown(windows)

    await windows.tick(now: .now)

    #expect(cut.entries == [Set(right)])
    #expect(await windows.usedBytes <= configuration.renderBytes)
  }

  @Test func `streams with most windows are cut if pages outgrow render memory`() async throws {
    var configuration = WindowGroup.Configuration()
    configuration.renderBytes = 800_000
    let windows = try self.fixture.windows(configuration)
    let (greedy, modest) = (Identifier(), Identifier())
    for stream in [greedy, modest] { _ = try windows.openStream(stream, session: stream) }
    // Each is small, and shows all items once there are some.
    let name = "abcdefghijklmnopqrstuvwxyz"
    for count in 1...name.count {
      _ = try await windows.join(
        stream: greedy, session: greedy, at: "/left?search=\(name.prefix(count))",
        navigation: 1, tags: [:])
    }
    _ = try await windows.join(
      stream: modest, session: modest, at: "/left", navigation: 1, tags: [:])
    let cut = Transcript<Set<Identifier>>()
    windows.connect { commands in
      for case .cut(let streams) in commands { cut.append(streams) }
    }

    let items = (0..<400).map { Item(id: "\($0)", name: "\(name) \($0)") }
    try self.fixture.left.dispatch(action: .data(.didLoad(items: items)))
    await windows.frame()

    #expect(cut.entries == [[greedy]])
    #expect(await windows.placeCounts == [1, 0])
    let used = await windows.usedBytes
    #expect(used > 0 && used <= configuration.renderBytes)
  }
}
