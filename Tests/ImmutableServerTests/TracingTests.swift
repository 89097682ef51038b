import AsyncHTTPClient
import Fixture
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import InMemoryTracing
import NIOCore
import NIOHTTP1
import Testing
import Tracing

/// What a tracer is told of the way of an action.
@MainActor struct TracingTests {
  /// Of the whole process, as in a program: event loops have no other.
  private static let tracer: InMemoryTracer = {
    let tracer = InMemoryTracer()
    InstrumentationSystem.bootstrap(tracer)
    return tracer
  }()

  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration()
    // Else it has spans of its own, and says in its requests that they are the parents.
    configuration.tracing.tracer = nil
    return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }()

  private let templates = TemplateLibrary(directories: ["Templates", "Tests/Fixture/Templates"])
  private let store = Store(initialState: FixtureState(items: []), reducer: FixtureReducer.reduce)

  private func makeWindows() throws -> WindowGroup {
    let store = self.store
    return try WindowGroup(templates: self.templates) { Provider(store) { FixtureContent.page } }
  }

  /// Runs a server on a free port while the body runs.
  private func withServer(
    proxies: TrustedProxies = TrustedProxies(),
    _ body: (String) async throws -> Void
  ) async throws {
    var configuration = WebServerConfiguration()
    configuration.trustedProxies = proxies
    configuration.port = 0
    configuration.eventLoops = 1
    let server = try await WebServer(
      windows: try self.makeWindows(),
      templates: self.templates,
      configuration: configuration
    )
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let running = Task { try await server.run { continuation.yield($0) } }
    defer { running.cancel() }
    var iterator = addresses.makeAsyncIterator()
    let address = await iterator.next(isolation: #isolation)
    try await body(try #require(address))
  }

  private func request(
    _ method: HTTPMethod,
    _ url: String,
    _ headers: HTTPHeaders = [:],
    _ body: String? = nil
  ) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: url)
    request.method = method
    request.headers = headers
    if let body { request.body = .bytes(ByteBuffer(string: body)) }
    return try await Self.client.execute(request, timeout: .seconds(30))
  }

  @Test(arguments: [
    "/metrics", "/metrics/:selected?", "/pictures/:selected?", "/_/:selected?", "/public/a",
  ])
  func `a page at a path of the server itself stops the start`(path: String) async throws {
    let store = self.store
    let windows = try WindowGroup(templates: self.templates) {
      Provider(store) { FixtureContent.page(at: path) }
    }

    let error = await #expect(throws: StartError.self) {
      try await WebServer(windows: windows, templates: self.templates)
    }

    #expect(error?.code == .reservedPath)
  }

  @Test func `a page whose path begins with a parameter does not stop the start`() async throws {
    let store = self.store
    let windows = try WindowGroup(templates: self.templates) {
      Provider(store) { FixtureContent.page(at: "/:selected?") }
    }

    _ = try await WebServer(windows: windows, templates: self.templates)
  }

  @Test(arguments: [
    "/report", "/report/:selected?", "/previews", "/previews/a", "/developer/past",
    "/developer/:selected?",
  ])
  func `a page at a path of the developer pages or of reports stops the start`(
    path: String
  ) async throws {
    let store = self.store
    let windows = try WindowGroup(templates: self.templates) {
      Provider(store) { FixtureContent.page(at: path) }
    }
    var configuration = WebServerConfiguration()
    configuration.reports = ReportPages(
      path: "/report",
      page: { _, _, _ in throw CancellationError() },
      submit: { _, _ in "" }
    )
    configuration.developer = DeveloperPages(
      root: "/developer",
      areLocal: false,
      picker: { DeveloperPages.Picker(url: $0, assets: []) },
      past: "/developer/past",
      page: { _, _ in nil },
      previews: "/previews",
      preview: { _, _ in nil }
    )

    let error = await #expect(throws: StartError.self) {
      try await WebServer(
        windows: windows, templates: self.templates, configuration: configuration)
    }

    #expect(error?.code == .reservedPath)
  }

  @Test(arguments: [-1, 65_536]) func `a port that does not exist stops the start`(
    port: Int
  ) async throws {
    var configuration = WebServerConfiguration()
    configuration.port = port

    let error = await #expect(throws: StartError.self) {
      try await WebServer(
        windows: try self.makeWindows(), templates: self.templates, configuration: configuration)
    }

    #expect(error?.description == "The port has to be between 0 and 65535, not \(port).")
  }

  @Test func `the spans of a post lead from the request to the windows`() async throws {
    let tracer = Self.tracer
    try await self.withServer { address in
      let page = try await self.request(.GET, address + "/fixture")
      let cookie = try #require(page.headers.first(name: "Set-Cookie")?.split(separator: ";").first)
      let stream = try await self.request(
        .GET, address + "/_/stream?at=/fixture", ["Cookie": String(cookie)])
      var events = stream.body.makeAsyncIterator()
      var received = ""

      // The push of the first is over when the second arrives.
      for version in 1...2 {
        let post = try await self.request(
          .POST, address + "/fixture",
          [
            "Cookie": String(cookie), "Accept": "application/json",
            "Content-Type": "application/x-www-form-urlencoded",
          ],
          "_form=tick")
        #expect(post.status == .ok)
        while received.contains("id: \(version)\n") == false {
          let buffer = try #require(try await events.next(), "the stream has ended")
          received += String(buffer: buffer)
        }
      }
    }

    let spans = tracer.finishedSpans
    // Requests of other tests to other servers have spans, too.
    let post = try #require(spans.first { $0.operationName == "POST" && $0.kind == .server })
    #expect(post.attributes.get("url.path") == "/fixture")
    #expect(post.attributes.get("http.response.status_code") == 200)
    let trace = spans.filter { $0.traceID == post.traceID }
    let names = trace.sorted {
      $0.startInstant.nanosecondsSinceEpoch < $1.startInstant.nanosecondsSinceEpoch
    }
    .map(\.operationName)
    #expect(names == ["POST", "reduce", "frame", "push"])
    let reduce = try #require(trace.first { $0.operationName == "reduce" })
    let frame = try #require(trace.first { $0.operationName == "frame" })
    let push = try #require(trace.first { $0.operationName == "push" })
    #expect(reduce.parentSpanID == post.spanID)
    #expect(frame.parentSpanID == reduce.spanID)
    #expect(push.parentSpanID == frame.spanID)
    #expect(reduce.attributes.get("action.version") == 1)
    #expect(frame.attributes.get("frame.version") == 1)
    #expect(frame.attributes.get("frame.product") == "FixtureState")
  }

  @Test(arguments: ["127.0.0.1", "192.0.2.1"])
  func `a trace continues from a trusted proxy only`(proxy: String) async throws {
    let tracer = Self.tracer
    let trace = "trace-of-\(proxy)"
    let fields: HTTPHeaders = [
      InMemoryTracer.traceIDKey: trace, InMemoryTracer.spanIDKey: "span-of-the-proxy",
    ]

    try await self.withServer(proxies: try #require(TrustedProxies(proxy))) { address in
      _ = try await self.request(.GET, address + "/fixture", fields)
    }

    let spans = tracer.finishedSpans.filter { $0.traceID == trace }
    #expect(spans.map(\.operationName) == (proxy == "127.0.0.1" ? ["GET"] : []))
    #expect(spans.allSatisfy { $0.parentSpanID == "span-of-the-proxy" })
  }

  @Test func `a frame that shows several actions is linked with each`() async throws {
    let (windows, store) = (try self.makeWindows(), self.store)
    let tracer = InMemoryTracer()

    try await withTracer(tracer) {
      for name in ["one", "two"] {
        try withSpan(name) { _ in try store.dispatch(action: .ui(.onTapTickButton)) }
      }
      await windows.frame()
      // What nobody traces has no spans.
      try store.dispatch(action: .ui(.onTapTickButton))
      await windows.frame()
    }

    let spans = tracer.finishedSpans
    let reductions = spans.filter { $0.operationName == "reduce" }
    let frames = spans.filter { $0.operationName == "frame" }
    #expect(reductions.map { $0.attributes.get("action.version") } == [1, 2])
    #expect(frames.map(\.parentSpanID) == [reductions[0].spanID])
    #expect(
      frames[0].links.map { $0.context.inMemorySpanContext?.spanID } == [reductions[1].spanID])
    #expect(tracer.activeSpans.isEmpty)
  }

  @Test func `a refused action is an error of its span`() throws {
    let store = Store<Int, Bool>(initialState: 0) { state, isAllowed in
      guard isAllowed else { throw Refusal(.conflict, "No.") }
      return state + 1
    }
    let tracer = InMemoryTracer()

    withTracer(tracer) {
      try? withSpan("post") { _ in try store.dispatch(action: false) }
    }

    let reduce = try #require(tracer.finishedSpans.first { $0.operationName == "reduce" })
    #expect(reduce.errors.map { $0.error as? Refusal } == [Refusal(.conflict, "No.")])
    #expect(reduce.attributes.get("action.version") == nil)
  }
}
