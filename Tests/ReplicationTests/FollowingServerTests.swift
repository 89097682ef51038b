import AsyncHTTPClient
import CounterData
import CounterUI
import Foundation
import HTMLTemplates
import ImmutableData
import ImmutableRuntime
import ImmutableServer
import ImmutableUI
import NIOCore
import Replication
import TestSupport
import Testing

/// A server of a product of one's own, which follows a replica.
@MainActor struct FollowingServerTests {
  private let client = HTTPClient(eventLoopGroupProvider: .singleton)
  private let log = FlakyLog()

  private func join() async throws -> Replica<CounterState, CounterAction> {
    var configuration = ReplicaConfiguration<CounterState>(product: "counter", reducer: 1)
    // It is never taken for cut off because the machine is busy.
    configuration.lease = .seconds(600)
    return try await .join(
      self.log, configuration,
      initialState: CounterState(), reducer: Reducer(CounterReducer.reduce))
  }

  private func withServer(_ body: (String) async throws -> Void) async throws {
    let replica = try await self.join()
    var configuration = WebServerConfiguration()
    configuration.port = 0
    configuration.eventLoops = 1
    configuration.obstacles = { ["There is no coffee."] }
    try await configuration.follow(replica)
    let templates = TemplateLibrary(directory: "Templates")
    let windows = try WindowGroup(templates: templates) {
      Provider(replica.store) { Content.page() }
    }
    let server = try await WebServer(
      windows: windows, templates: templates, configuration: configuration)
    let (addresses, continuation) = AsyncStream.makeStream(of: String.self)
    let running = Task { try await server.run { continuation.yield($0) } }
    var iterator = addresses.makeAsyncIterator()
    let address = await iterator.next(isolation: #isolation)
    let result: Result<Void, any Error>
    do { result = .success(try await body(try #require(address))) } catch {
      result = .failure(error)
    }
    running.cancel()
    _ = await running.result
    try await self.client.shutdown()
    try result.get()
  }

  private func waitUntilCutOff(_ address: String) async throws {
    while try await self.ask(address + "/readyz").1.contains("The log cannot be reached.")
      == false
    { await letOthersGoOn() }
  }

  private func ask(_ url: String, body: String? = nil) async throws -> (Int, String) {
    var request = HTTPClientRequest(url: url)
    request.headers.add(name: "Sec-Fetch-Site", value: "none")
    if let body {
      request.method = .POST
      request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
      request.body = .bytes(ByteBuffer(string: body))
    }
    let answer = try await self.client.execute(request, timeout: .seconds(30))
    let content = try await answer.body.collect(upTo: 1 << 20)
    return (Int(answer.status.code), String(buffer: content))
  }

  @Test func `while its log is away, a server says so and refuses posts for now`() async throws {
    try await self.withServer { address in
      #expect(try await self.ask(address + "/readyz").1.contains("log_lag_entries 0"))
      self.log.set { .away }
      try await self.waitUntilCutOff(address)

      let (status, page) = try await self.ask(address + "/counter", body: "_form=increment")

      #expect(status == 503)
      #expect(page.contains("Nothing is lost: try again in a moment."))
      #expect(page.contains("This page may be out of date"))
      #expect(try await self.ask(address + "/readyz").1.contains("There is no coffee."))
    }
  }

  @Test func `a stream ends when its server is cut off, and none opens until the log is back`()
    async throws
  {
    try await self.withServer { address in
      let url = address + "/_/stream?at=/counter"
      let stream = try await self.client.execute(
        HTTPClientRequest(url: url), timeout: .seconds(30))
      self.log.set { .away }
      try await self.waitUntilCutOff(address)

      let events = String(buffer: try await stream.body.collect(upTo: 1 << 20))
      let refused = try await self.ask(url)
      self.log.set { .none }
      var status = 503
      while status == 503 {
        await letOthersGoOn()
        let again = try await self.client.execute(
          HTTPClientRequest(url: url), timeout: .seconds(30))
        status = Int(again.status.code)
      }

      #expect(events.contains("event: goodbye"))
      #expect(refused.0 == 503)
      #expect(status == 200)
    }
  }

  @Test func `a stream whose request arrives while its server is cut off is refused`()
    async throws
  {
    try await self.withServer { address in
      let (body, continuation) = AsyncStream.makeStream(of: ByteBuffer.self)
      let start = #"{"at":"/counter","#
      let end = #""navigation":1}"#
      var request = HTTPClientRequest(url: address + "/_/stream")
      request.method = .POST
      request.headers.add(name: "Sec-Fetch-Site", value: "none")
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .stream(body, length: .known(Int64(start.utf8.count + end.utf8.count)))
      continuation.yield(ByteBuffer(string: start))
      async let answer = self.client.execute(request, timeout: .seconds(30))
      self.log.set { .away }
      try await self.waitUntilCutOff(address)

      continuation.yield(ByteBuffer(string: end))
      continuation.finish()

      let status = try await answer.status
      #expect(status == .serviceUnavailable)
    }
  }

  @Test func `all servers of a log share the key of sessions`() async throws {
    var (one, two) = (WebServerConfiguration(), WebServerConfiguration())
    try await one.follow(self.join())
    try await two.follow(self.join())
    try await self.client.shutdown()

    #expect(one.sessionKey?.count == 16)
    #expect(one.sessionKey == two.sessionKey)
  }
}
