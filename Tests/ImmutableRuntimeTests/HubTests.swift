import Fixture
import HTMLTemplates
import ImmutableData
import Synchronization
import Testing

@testable import ImmutableRuntime
@testable import ImmutableUI

/// A stream that can be stopped, and keeps what it is sent as text.
private final class TextSink: StreamSink {
  var isWritable = true
  var text = ""
  var isClosed = false
  var sentBytes: Int { self.text.utf8.count }
  var unsentBytes = 0
  /// Is called after each write.
  var didWrite: () -> Void = {}

  func write(_ event: StreamEvent) {
    self.text += String(decoding: event.bytes, as: UTF8.self)
    self.didWrite()
  }

  func close() { self.isClosed = true }
  func abort() { self.isClosed = true }

  func take() -> String {
    defer { self.text = "" }
    return self.text
  }
}

/// A page that says a title of its own only while it is early.
private struct Titled: Root {
  typealias State = FixtureState

  @ImmutableUI.Selector(outputSelector: { (state: FixtureState) in state.ticks }) var ticks

  init(_ local: NoLocalState) {}

  var title: String? { self.ticks < 2 ? "Tick \(self.ticks)" : nil }

  var body: some Component { EmptyPresenter() }
}

private struct EmptyPresenter: ImmutableUI.Presenter {
  static let template = Template<Self>(
    named: "Fixture/ItemDetail",
    [
      .optional("item", [.text("name") { $0 }]) { _ in String?.none }
    ])
}

/// One hub with streams whose readers the test controls.
@MainActor private final class HubFixture {
  let store: Store<FixtureState, FixtureAction>
  let windows: WindowGroup
  var outdated: [(window: Identifier, tags: [String: String])] = []
  private let commands = CommandQueue()
  private(set) var hub: Hub!
  let session = Identifier()
  /// A store that is unrelated to the first.
  let otherStore = Store(
    initialState: FixtureState(items: .make("Ant", "Bee")), reducer: FixtureReducer.reduce)

  init(_ items: [Item] = .make("Ant", "Bee"), transition: Transition? = nil) async throws {
    let store = Store(
      initialState: FixtureState(items: items),
      reducer: Reducer(FixtureReducer.reduce).transition { action in
        if case .ui(.onTapTickButton) = action { transition } else { nil }
      }
    )
    self.store = store
    let otherStore = self.otherStore
    self.windows = try WindowGroup(templates: .fixture) {
      Provider(store) {
        FixtureContent.page
        Page(Titled.self, at: "/titled", title: "Titled").unlisted()
      }
      Provider(otherStore) { FixtureContent.page(at: "/other") }
    }
    let commands = self.commands
    self.windows.connect { commands.append($0) }
    self.hub = Hub { [unowned self] window, tags in
      MainActor.assumeIsolated { self.outdated.append((window, tags)) }
    }
  }

  func open() async throws -> (Identifier, TextSink) {
    let (id, sink) = (Identifier(), TextSink())
    sink.write(try self.windows.openStream(id, session: self.session))
    self.hub.open(id, sink)
    return (id, sink)
  }

  func join(
    _ stream: Identifier,
    _ url: String = "/fixture",
    tags: [String: String] = [:]
  ) async throws -> Identifier {
    let window = try await self.windows.join(
      stream: stream,
      session: self.session,
      at: url,
      navigation: 1,
      tags: tags
    )
    self.deliver()
    return window
  }

  func tick() async throws {
    try self.store.dispatch(action: .ui(.onTapTickButton))
    await self.frame()
  }

  func rename(_ id: String, _ name: String) async throws {
    try self.store.dispatch(action: .data(.didRename(id: id, name: name)))
    await self.frame()
  }

  /// Posts the form of a window that deletes an item; its frame is still to come.
  func delete(
    _ id: String, from window: Identifier, at path: String = "/fixture"
  ) async throws {
    let fields = Query([
      QueryItem(name: FormField.form, value: "delete"), QueryItem(name: "id", value: id),
    ])
    _ = try await self.windows.submit(
      FormFields(fields),
      to: path,
      session: self.session,
      window: window
    )
  }

  func frame() async {
    await self.windows.frame()
    self.deliver()
  }

  /// A window deletes the ant while its stream accepts nothing, and a toast says so. Then the stream
  /// catches up.
  ///
  /// - Returns: The toast.
  @discardableResult
  func catchUpAfterDeletingAnt(
    from window: Identifier, of stream: Identifier, _ sink: TextSink
  ) async throws -> StreamEvent {
    _ = sink.take()
    sink.isWritable = false
    let content = ToastContent(message: "Ant deleted.", submission: nil, url: "/fixture")
    let toast = EventWriter.toast(content, window: window, version: 1)
    try await self.delete("ant", from: window)
    await self.frame()
    self.hub.perform([.tell(stream: stream, toast)], now: .now)
    sink.isWritable = true
    self.hub.catchUp(stream)
    return toast
  }

  func deliver(now: ContinuousClock.Instant = .now) {
    self.hub.perform(self.commands.take(), now: now)
  }
}

private final class CommandQueue: Sendable {
  private let commands = Mutex<[HubCommand]>([])

  func append(_ new: [HubCommand]) { self.commands.withLock { $0 += new } }

  func take() -> [HubCommand] {
    self.commands.withLock { commands in
      defer { commands = [] }
      return commands
    }
  }
}

extension String {
  /// The names of the events in a transcript.
  fileprivate var events: [String] {
    self.matches(of: #/(?:event: (.*)\n)?id: .*\ndata: /#).map { String($0.output.1 ?? "frame") }
  }
}

private func version(_ version: UInt64, of window: Identifier) -> String {
  "event: version\nid: \(version)\ndata: {\"window\":\"\(window.text)\"}\n\n"
}

@MainActor struct HubTests {
  @Test func `a stream's transcript follows the protocol`() async throws {
    let fixture = try await HubFixture([Item(id: "1", name: "A<B")])
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream, "/fixture?selected=1")
    _ = sink.take()

    try await fixture.rename("1", "C")

    let tags = try await fixture.windows.tags
    #expect(
      sink.take() == """
        id: 1
        data: {"place":1,"regions":[["list","\(tags["list"] ?? "")",null,{"items":[["set","1",\
        "<li data-key=\\"1\\"><a data-set=\\"selected=1\\">C</a> \
        <form method=\\"post\\" data-form=\\"delete\\" data-policy=\\"once\\">\
        <input type=\\"hidden\\" name=\\"_form\\" value=\\"delete\\" autocomplete=\\"off\\">\
        <input type=\\"hidden\\" name=\\"id\\" value=\\"1\\" autocomplete=\\"off\\">\
        <button>Delete C</button><p data-error role=\\"alert\\"></p></form></li>"]]}],\
        ["detail","\(tags["detail"] ?? "")",[[0,"C"]]]]}


        """
    )
  }

  @Test func `a stream that was behind gets the title from a frame that it missed`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream, "/titled")
    sink.isWritable = false
    try await fixture.tick()
    try await fixture.tick()
    _ = sink.take()

    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take().contains(#""title":"Titled""#))
  }

  @Test func `a frame names the transition of its newest action that has one`() async throws {
    let fixture = try await HubFixture(transition: Transition("tick"))
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = sink.take()

    try fixture.store.dispatch(action: .ui(.onTapTickButton))
    try await fixture.rename("ant", "Asp")
    #expect(sink.take().contains(#""place":1,"as":"tick","regions""#))

    try await fixture.rename("ant", "Ape")
    #expect(sink.take().contains(#""as":"#) == false)
  }

  @Test func `two windows of a stream at one place are sent one event`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(stream)
    _ = sink.take()

    try await fixture.tick()

    #expect(sink.take().events == ["frame"])
  }

  @Test func `a stopped reader holds no queue and gets the newest when it reads`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let (other, reader) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(other)
    _ = (sink.take(), reader.take())

    sink.isWritable = false
    for _ in 0..<50 {
      try await fixture.tick()
    }
    #expect(sink.take() == "")
    #expect(reader.take().events == Array(repeating: "frame", count: 50))
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    let caughtUp = sink.take()
    #expect(caughtUp.events == ["frame"])
    #expect(caughtUp.contains("Ticks: 50"))
    try await fixture.tick()
    #expect(sink.take().contains("Ticks: 51"))
  }

  @Test func `a reader stopped for a moment gets only the difference`() async throws {
    let fixture = try await HubFixture((0..<50).map { Item(id: "\($0)", name: "Item \($0)") })
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = sink.take()

    sink.isWritable = false
    for name in ["Ant", "Bee", "Cat"] {
      try await fixture.rename("7", name)
    }
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    let caughtUp = sink.take()
    #expect(caughtUp.contains("[\"set\",\"7\""))
    #expect(caughtUp.contains("<h1>") == false)
  }

  @Test func `a reader stopped for long gets everything once, and is dropped later`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = sink.take()
    let start = ContinuousClock.now
    sink.isWritable = false
    try await fixture.tick()

    #expect(fixture.hub.tick(now: start + .seconds(6)) == [])
    sink.isWritable = true
    fixture.hub.catchUp(stream)
    #expect(sink.take().contains("<h1>"))
    sink.isWritable = false
    try await fixture.tick()
    #expect(fixture.hub.tick(now: .now + .seconds(11)) == [stream])

    #expect(sink.isClosed)
    #expect(fixture.hub.streamCount == 0)
  }

  @Test func `a window that moves while its reader is stopped is shown again in full`() async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?selected=ant")
    _ = sink.take()
    sink.isWritable = false

    try fixture.store.dispatch(action: .ui(.onTapDeleteButton(id: "ant")))
    await fixture.frame()
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(fixture.outdated.map(\.window) == [window])
    await fixture.windows.showAgain(window, tags: fixture.outdated[0].tags)
    fixture.deliver()
    let text = sink.take()
    #expect(text.events == ["show"])
    #expect(text.contains("\"url\":\"/fixture\""))
    #expect(text.contains("Select an item"))
  }

  @Test func `a window that is shown again before a frame has its local state normalized`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?selected=ant")
    let (otherStream, other) = try await fixture.open()
    _ = try await fixture.join(otherStream, "/fixture?selected=ant")
    _ = (sink.take(), other.take())

    try fixture.store.dispatch(action: .ui(.onTapDeleteButton(id: "ant")))
    await fixture.windows.showAgain(window, tags: [:])
    fixture.deliver()

    #expect(sink.take().contains("\"url\":\"/fixture\""))
    #expect(other.take().events == ["move"])
    await fixture.frame()
    #expect(sink.take() == "")
  }

  @Test func `a goodbye ends every stream`() async throws {
    let fixture = try await HubFixture()
    let (_, sink) = try await fixture.open()
    _ = sink.take()

    fixture.windows.closeStreams(retry: 700)
    fixture.deliver()

    #expect(sink.take() == "event: goodbye\nid: 0\ndata: {\"retry\":700}\n\n")
    #expect(sink.isClosed)
  }

  @Test func `a stream opened after a goodbye that is not the last goes on`() async throws {
    let fixture = try await HubFixture()
    let (_, old) = try await fixture.open()
    fixture.windows.closeStreams(retry: 1_000, isLast: false)
    fixture.deliver()

    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)

    #expect(old.isClosed)
    #expect(sink.isClosed == false)
    #expect(sink.take().events == ["open", "show"])
  }

  @Test func `a stream opened after the goodbye gets one and ends`() async throws {
    let fixture = try await HubFixture()
    fixture.windows.closeStreams(retry: 700)
    fixture.deliver()

    let (_, sink) = try await fixture.open()

    #expect(sink.take().events == ["open", "goodbye"])
    #expect(sink.isClosed)
    #expect(fixture.hub.streamCount == 0)
  }

  @Test func `a version that could not be written is sent once the stream is writable`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?search=Ant")
    _ = sink.take()
    sink.isWritable = false

    try await fixture.delete("bee", from: window)
    await fixture.frame()
    #expect(sink.take() == "")
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take() == version(1, of: window))
  }

  @Test func `of several versions that could not be written the highest is sent`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?search=Ant")
    _ = sink.take()
    sink.isWritable = false

    let versions = ([1, 3, 2] as [UInt64]).map { number in
      HubCommand.version(number, stream: stream, window: window)
    }
    fixture.hub.perform(versions, now: .now)
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take() == version(3, of: window))
  }

  @Test func `a window that has left before it was sent a version is sent none`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?search=Ant")
    _ = sink.take()
    sink.isWritable = false
    try await fixture.delete("bee", from: window)
    await fixture.frame()

    try await fixture.windows.leave(window, session: fixture.session)
    fixture.deliver()
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take() == "")
  }

  @Test func `a window gets the version of a post that was refused`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?search=Ant")
    _ = sink.take()
    try await fixture.rename("bee", "Bumblebee")
    #expect(sink.take() == "")

    let answer = try await fixture.windows.submit(
      FormFields(Query([QueryItem(name: FormField.form, value: "nothing")])),
      to: "/fixture",
      session: fixture.session,
      window: window
    )
    fixture.deliver()

    #expect(answer.refusal?.kind == .unknown)
    #expect(sink.take() == version(1, of: window))
  }

  @Test func `a version is sent even if another window at the place already got it`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let (other, _) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?search=Ant")
    try await fixture.delete("bee", from: window)
    _ = try await fixture.join(other, "/fixture?search=Ant")
    _ = sink.take()

    await fixture.frame()

    #expect(sink.take() == version(1, of: window))
  }

  @Test func `a window gets its version even if another tab's product is at a higher version`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    let window = try await fixture.join(stream, "/other?search=Ant")
    for _ in 0..<9 { try await fixture.tick() }
    _ = sink.take()

    try await fixture.delete("bee", from: window, at: "/other")
    await fixture.frame()

    #expect(sink.take() == version(1, of: window))
  }

  @Test func `a stream is cut without a last event, and others go on`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let (other, reader) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(other)
    _ = (sink.take(), reader.take())

    fixture.hub.perform([.cut(streams: [stream, Identifier()])], now: .now)
    try await fixture.tick()

    #expect(sink.isClosed)
    #expect(sink.take() == "")
    #expect(reader.take().events == ["frame"])
    #expect(fixture.hub.streamCount == 1)
  }

  @Test func `a report has each stream's sent bytes and how long it has been behind`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let (slow, stopped) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(slow)
    stopped.isWritable = false
    let now = ContinuousClock.now
    try fixture.store.dispatch(action: .ui(.onTapTickButton))
    await fixture.windows.frame()
    fixture.deliver(now: now)

    let reports = fixture.hub.reports(now: now + .seconds(3))

    #expect(
      reports == [
        stream: StreamReport(sentBytes: sink.text.utf8.count, behind: nil),
        slow: StreamReport(sentBytes: stopped.text.utf8.count, behind: .seconds(3)),
      ])
  }

  @Test func `a stream that ends while it is being written leaves nothing behind`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let (other, reader) = try await fixture.open()
    _ = try await fixture.join(other)
    _ = reader.take()
    sink.didWrite = { fixture.hub.remove(stream) }

    _ = try await fixture.join(stream)
    sink.didWrite = {}
    _ = sink.take()
    try await fixture.tick()

    #expect(sink.take() == "")
    #expect(reader.take().events == ["frame"])
    #expect(fixture.hub.streamCount == 1)
  }

  @Test func `a reader that becomes writable while catching up is sent nothing twice`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(stream, "/fixture?order=reverse")
    _ = sink.take()
    sink.isWritable = false
    try await fixture.tick()
    sink.isWritable = true
    sink.didWrite = { fixture.hub.catchUp(stream) }

    fixture.hub.catchUp(stream)

    #expect(sink.take().events == ["frame", "frame"])
  }

  @Test func `a reader that catches up gets the next place only after taking the one before`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    for order in ["", "?order=reverse", "?selected=ant"] {
      _ = try await fixture.join(stream, "/fixture" + order)
    }
    _ = sink.take()
    sink.isWritable = false
    try await fixture.tick()
    sink.didWrite = { sink.isWritable = false }

    var sent: [[String]] = []
    for _ in 0..<3 {
      sink.isWritable = true
      fixture.hub.catchUp(stream)
      sent.append(sink.take().events)
      // What is current already misses this one.
      if sent.count == 2 { try await fixture.tick() }
    }
    sink.didWrite = {}
    sink.isWritable = true
    fixture.hub.catchUp(stream)
    let rest = sink.take()
    try await fixture.tick()

    #expect(sent == [["frame"], ["frame"], ["frame"]])
    #expect(rest.events == ["frame", "frame"])
    #expect(rest.contains("Ticks: 2"))
    #expect(sink.take().events == ["frame", "frame", "frame"])
  }

  @Test func `a reader that keeps reading is not dropped while it catches up`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(stream, "/fixture?order=reverse")
    let start = ContinuousClock.now
    sink.isWritable = false
    try await fixture.tick()
    sink.didWrite = { sink.isWritable = false }
    sink.isWritable = true

    #expect(fixture.hub.tick(now: start + .seconds(9)) == [])
    #expect(fixture.hub.tick(now: start + .seconds(18)) == [])
    #expect(fixture.hub.tick(now: start + .seconds(20)) == [stream])
  }

  @Test func `a toast waits for a stream that is behind`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream)
    _ = sink.take()
    sink.isWritable = false
    let content = ToastContent(message: "Ant deleted.", submission: nil, url: "/animals")
    let toast = EventWriter.toast(content, window: window, version: 1)

    fixture.hub.perform([.tell(stream: stream, toast)], now: .now)
    try await fixture.tick()
    #expect(sink.take() == "")
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take().events == ["frame", "toast"])
    fixture.hub.catchUp(stream)
    #expect(sink.take() == "")
  }

  @Test func `toasts and versions wait until a window that moved is shown again`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?selected=ant")
    let toast = try await fixture.catchUpAfterDeletingAnt(from: window, of: stream, sink)
    fixture.hub.perform([.tell(stream: stream, toast)], now: .now)
    #expect(sink.take() == "")
    await fixture.windows.showAgain(window, tags: fixture.outdated[0].tags)
    fixture.deliver()

    #expect(sink.take().events == ["show", "toast", "toast"])
  }

  @Test func `a toast comes after a show that filled the socket`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream, "/fixture?selected=ant")
    try await fixture.catchUpAfterDeletingAnt(from: window, of: stream, sink)

    sink.didWrite = { sink.isWritable = false }
    await fixture.windows.showAgain(window, tags: fixture.outdated[0].tags)
    fixture.deliver()
    sink.didWrite = {}
    #expect(sink.take().events == ["show"])
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take().events == ["toast"])
  }

  @Test func `toasts wait no longer for a window that leaves before it is shown again`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream)
    let moving = try await fixture.join(stream, "/fixture?selected=ant")
    try await fixture.catchUpAfterDeletingAnt(from: window, of: stream, sink)
    #expect(sink.take().events == ["frame"])
    try await fixture.windows.leave(moving, session: fixture.session)
    fixture.deliver()

    #expect(sink.take().events == ["toast"])
  }

  @Test func `the oldest waiting toasts are dropped`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = sink.take()
    sink.isWritable = false

    for number in 0..<100 {
      let text = "event: toast\ndata: \(number) \(String(repeating: "-", count: 1_000))\n\n"
      let toast = StreamEvent(Array(text.utf8))
      fixture.hub.perform([.tell(stream: stream, toast)], now: .now)
    }
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    let text = sink.take()
    #expect(text.contains("data: 99 "))
    #expect((1...16 << 10).contains(text.utf8.count))
  }

  @Test func `a stream that was behind gets the number of windows at its page`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    let (other, _) = try await fixture.open()
    await fixture.windows.tick(now: .now)
    fixture.deliver()
    _ = sink.take()
    sink.isWritable = false

    _ = try await fixture.join(other)
    await fixture.windows.tick(now: .now)
    fixture.deliver()
    #expect(sink.take() == "")
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(sink.take().events == ["presence"])
  }

  @Test func `a reader that stopped is dropped even when nothing new comes`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    sink.isWritable = false
    let start = ContinuousClock.now

    #expect(fixture.hub.tick(now: start) == [])
    #expect(fixture.hub.tick(now: start + .seconds(11)) == [stream])

    #expect(sink.isClosed)
  }

  @Test func `a reader that takes a long event piece by piece is not dropped`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    (sink.isWritable, sink.unsentBytes) = (false, 300)
    let start = ContinuousClock.now

    #expect(fixture.hub.tick(now: start) == [])
    sink.unsentBytes = 200
    #expect(fixture.hub.tick(now: start + .seconds(9)) == [])
    sink.unsentBytes = 100
    #expect(fixture.hub.tick(now: start + .seconds(18)) == [])
    #expect(fixture.hub.tick(now: start + .seconds(29)) == [stream])
  }

  @Test func `a window that navigates while its reader is stopped is shown from its own tags`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream)
    let tags = try await fixture.windows.tags
    try await fixture.tick()
    sink.isWritable = false

    try await fixture.windows.navigate(
      window,
      session: fixture.session,
      to: "/fixture?order=reverse",
      navigation: 2,
      tags: tags
    )
    fixture.deliver()
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(fixture.outdated.map(\.window) == [window])
    #expect(fixture.outdated.map(\.tags) == [tags])
  }

  /// A client can send any text of any size, which a stream that is behind would keep.
  @Test func `what is no tag of a region is not kept`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    let window = try await fixture.join(stream)
    sink.isWritable = false
    let tags = ["root": String(repeating: "a", count: 100_000), "elsewhere": "a"]

    try await fixture.windows.navigate(
      window, session: fixture.session, to: "/fixture?order=reverse", navigation: 2, tags: tags)
    fixture.deliver()
    sink.isWritable = true
    fixture.hub.catchUp(stream)

    #expect(fixture.outdated.map(\.window) == [window])
    #expect(fixture.outdated.map(\.tags) == [[:]])
  }

  @Test func `a window that joins with its tags is sent only the difference`() async throws {
    let fixture = try await HubFixture()
    let (stream, sink) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = sink.take()
    let tags = try await fixture.windows.tags
    try await fixture.rename("ant", "Aphid")
    _ = sink.take()

    _ = try await fixture.join(stream, tags: tags)
    let late = sink.take()
    _ = try await fixture.join(stream, tags: try await fixture.windows.tags)
    let current = sink.take()

    #expect(late.contains(#",null,{"items":[["set","ant","#))
    #expect(current.contains("\"regions\":[]"))
  }

  @Test func `a window that comes back on another stream is sent only the difference`()
    async throws
  {
    let fixture = try await HubFixture()
    let (stream, _) = try await fixture.open()
    _ = try await fixture.join(stream)
    let tags = try await fixture.windows.tags
    await fixture.windows.closeStream(stream)
    try await fixture.rename("ant", "Aphid")

    let (next, sink) = try await fixture.open()
    _ = sink.take()
    _ = try await fixture.join(next, tags: tags)

    #expect(sink.take().contains(#",null,{"items":[["set","ant","#))
  }

  @Test func `a window of another session is unknown`() async throws {
    let fixture = try await HubFixture()
    let (stream, _) = try await fixture.open()
    let window = try await fixture.join(stream)
    let stranger = Identifier()

    let error = await #expect(throws: WindowError.self) {
      try await fixture.windows.leave(window, session: stranger)
    }

    #expect(error?.code == .unknownWindow)
  }

  @Test func `closing a stream removes its windows`() async throws {
    let fixture = try await HubFixture()
    let (stream, _) = try await fixture.open()
    _ = try await fixture.join(stream)
    _ = try await fixture.join(stream, "/fixture?order=reverse")

    await fixture.windows.closeStream(stream)

    #expect(fixture.windows.windowCount == 0)
    #expect(fixture.windows.streamCount == 0)
    #expect(try await fixture.windows.placeCount == 0)
  }
}

extension WindowGroup {
  private var product: Product<FixtureState> {
    get throws { try #require(self.allProducts.first as? Product<FixtureState>) }
  }

  fileprivate var placeCount: Int {
    get async throws { try await self.product.size.places }
  }

  /// The tags of what the windows at the only place show.
  fileprivate var tags: [String: String] {
    get async throws { try await self.product.shownTags }
  }
}

extension Product {
  fileprivate var shownTags: [String: String] {
    self.places.all.first?.composition.tags ?? [:]
  }
}
