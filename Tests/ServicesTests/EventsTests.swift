import AnsweringServer
import Foundation
import Services
import Synchronization
import Testing

/// What a server of events begins with.
private let head =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nConnection: close\r\n\r\n"

/// The events of a server, and why there are no more.
private func events(
  _ answer: @escaping @Sendable (String) -> Answer,
  timeout: TimeInterval = 60,
  until isLast: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in false }
) async throws -> (events: [ServerSentEvent], error: (any Error)?) {
  try await withServer(answer: answer) { url in
    let session = NetworkSession(urlSession: URLSession.withTimeouts())
    let request = URLRequest(url: url, timeoutInterval: timeout)
    let received = Mutex<[ServerSentEvent]>([])
    do {
      try await session.events(for: request) { event in
        received.withLock { $0.append(event) }
        if isLast(event) { throw Enough() }
      }
      return (received.withLock { $0 }, nil)
    } catch {
      return (received.withLock { $0 }, error)
    }
  }
}

private struct Enough: Error {}

@Suite(.timeLimit(.minutes(20))) struct EventsTests {
  @Test func `events are delivered until the server ends the stream, which is an error`()
    async throws
  {
    let (events, error) = try await events { _ in
      .last(head + "id: 1\ndata: one\n\nevent: two\ndata: 2\n\n")
    }

    #expect(
      events == [
        ServerSentEvent(name: "message", id: "1", data: "one"),
        ServerSentEvent(name: "two", id: "1", data: "2"),
      ])
    #expect(error?.localizedDescription.hasSuffix("has ended the stream of events.") == true)
  }

  @Test(arguments: [
    ("200 OK", "text/event-stream", 1), ("404 Not Found", "text/event-stream", 0),
    ("200 OK", "text/html", 0),
  ])
  func `a stream without events says that they are followed`(
    status: String, type: String, count: Int
  ) async throws {
    let calls = Mutex(0)

    try await withServer { _ in
      .response(status, type: type, body: "")
    } _: { url in
      await #expect(throws: NetworkSessionError.self) {
        try await NetworkSession(urlSession: URLSession.withTimeouts()).events(
          for: URLRequest(url: url)
        ) {
          calls.withLock { $0 += 1 }
        } _: { _ in
        }
      }
    }

    #expect(calls.withLock { $0 } == count)
  }

  @Test func `an event is delivered while the stream is still open`() async throws {
    let (events, error) = try await events { _ in
      .trickle(head + "data: one\n\n")
    } until: { _ in
      true
    }

    #expect(events.map(\.data) == ["one"])
    #expect(error is Enough)
  }

  @Test(arguments: [
    ("404 Not Found", "text/event-stream", "404"), ("503 Service Unavailable", nil, "503"),
    ("204 No Content", "text/event-stream", "204"),
    ("200 OK", "text/html", "instead of server-sent events"),
    ("200 OK", nil, "instead of server-sent events"),
  ])
  func `a response that is not an event stream is an error`(
    status: String, type: String?, message: String
  ) async throws {
    let (events, error) = try await events { _ in
      .response(status, type: type, body: status.hasPrefix("204") ? "" : "data: one\n\n")
    }

    #expect(events == [])
    #expect(error?.localizedDescription.contains(message) == true)
  }

  @Test func `a silent event stream times out`() async throws {
    let (events, error) = try await events({ _ in .text(head + "data: one\n\n") }, timeout: 1)

    #expect(events.map(\.data) == ["one"])
    #expect(error?.localizedDescription.contains("did not answer in time") == true)
  }

  @Test func `an oversized event is an error`() async throws {
    let (events, error) = try await events { _ in
      .text(head + "data: " + String(repeating: "x", count: 1 << 20) + "\n\n")
    }

    #expect(events == [])
    #expect(error?.localizedDescription.contains("larger than") == true)
  }

  @Test func `a token is not sent to another server`() async throws {
    let heads = Mutex<[String]>([])

    try await withServer { request in
      heads.withLock { $0.append(request) }
      return .last(head + "data: one\n\n")
    } _: { other in
      let (events, error) = try await events { _ in
        .response("302 Found", type: nil, fields: ["Location: \(other)"])
      }

      #expect(events == [])
      #expect(error?.localizedDescription.contains("answered 302") == true)
    }

    #expect(heads.withLock(\.self) == [])
  }

  @Test func `following ends when its task is cancelled`() async throws {
    try await withServer { _ in
      .trickle(head + "data: one\n\n")
    } _: { url in
      let (told, continuation) = AsyncStream<Void>.makeStream()
      let following = Task {
        try await NetworkSession(urlSession: URLSession.withTimeouts()).events(
          for: URLRequest(url: url)
        ) { _ in continuation.yield() }
      }
      _ = await told.first { true }

      following.cancel()

      await #expect(throws: CancellationError.self) { try await following.value }
    }
  }
}
