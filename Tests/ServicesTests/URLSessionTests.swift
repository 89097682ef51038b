import AnsweringServer
import Foundation
import Synchronization
import Testing

@testable import Services

/// Against a server that is real, but for its manners.
@Suite(.timeLimit(.minutes(20))) struct URLSessionTests {
  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

  @Test func `a value arrives`() async throws {
    try await withServer(answer: Self.head + "Content-Length: 3\r\n\r\n[7]") { url in
      let value: [Int] = try await Self.session().json(
        for: URLRequest(url: url),
        from: JSONDecoder()
      )

      #expect(value == [7])
    }
  }

  @Test func `a server that does not answer times out`() async throws {
    try await withServer(answer: nil) { url in
      let error = await Self.failure(url, Self.session(timeout: 1))

      #expect(error?.code == .connectionError)
      #expect(error?.localizedDescription.contains("did not answer in time") == true)
    }
  }

  /// It would go on for a quarter of an hour.
  @Test(
    .timeLimit(.minutes(5)),
    arguments: [head + "Content-Length: 9000\r\n\r\n", head + "\r\n", head + "X: "]
  )
  func `a response that trickles times out`(answer: String) async throws {
    let trickle = { @Sendable (_: String) -> Answer in .trickle(answer) }
    try await AnsweringServer.withServer(answer: trickle) { url in
      let error = await Self.failure(url, Self.session(timeout: 1, total: 2))

      #expect(error?.code == .connectionError)
      #expect(error?.localizedDescription.contains("did not answer in time") == true)
    }
  }

  @Test func `endless redirects are given up`() async throws {
    let count = Mutex(0)
    let answer = { @Sendable (_: String) -> Answer in
      count.withLock { $0 += 1 }
      return .response("302 Found", type: nil, fields: ["Location: /"])
    }
    try await AnsweringServer.withServer(answer: answer) { url in
      let error = await Self.failure(url, Self.session())

      #expect(error?.localizedDescription.hasSuffix("too many HTTP redirects.") == true)
    }
    #expect(count.withLock(\.self) < 50)
  }

  @Test func `the error for an unreachable server says that nothing listens there`() async throws {
    var closed: URL?
    try await withServer(answer: nil) { closed = $0 }

    let error = await Self.failure(try #require(closed), Self.session())

    #expect(error?.code == .connectionError)
    #expect(error?.localizedDescription.hasSuffix("nothing listens there.") == true)
  }

  @Test(arguments: [
    head + "Content-Length: 9000\r\n\r\n" + String(repeating: " ", count: 9_000),
    head + "Connection: close\r\n\r\n" + String(repeating: " ", count: 9_000),
  ])
  func `an oversized body is not read to its end`(answer: String) async throws {
    try await withServer(answer: answer) { url in
      let error = await Self.failure(url, Self.session(bodyLimit: 5_000))

      #expect(error?.code == .bodyLimitError)
    }
  }

  /// Each took a thread, until none was left for the others.
  @Test func `many oversized bodies at once all end`() async throws {
    let body = String(repeating: " ", count: 4_000_000)
    try await withServer(answer: Self.head + "Connection: close\r\n\r\n" + body) { url in
      await withTaskGroup { group in
        for _ in 0..<32 {
          group.addTask { await Self.failure(url, Self.session(timeout: 60, bodyLimit: 5_000)) }
        }
        for await error in group { #expect(error?.code == .bodyLimitError) }
      }
    }
  }

  /// The server decides what its answer is, and comparing this took minutes.
  @Test(arguments: [
    ("[{\"\(marks)\": 1}]", [], 200), ("{\"\(marks)\": 1}", [], 500),
    ("[7]", ["X-Note: \(marks)"], 200),
  ])
  func `thousands of accents on one letter are an error`(
    body: String,
    fields: [String],
    status: Int
  ) async throws {
    let answer = Answer.response("\(status) Answer", fields: fields, body: body)
    let failure = { @Sendable url in await Self.failure(url, Self.session(timeout: 60)) }
    let error = try await AnsweringServer.withServer(answer: { _ in answer }, failure)

    #expect(error != nil)
    #expect(error?.message.utf8.count ?? 0 < 200)
  }

  private static let marks = String(repeating: "\u{301}\u{323}", count: 16_000)

  @Test func `a token goes to no other server`() async throws {
    let heads = Mutex<[String]>([])
    let record = { @Sendable (head: String) -> Answer in
      heads.withLock { $0.append(head) }
      return .response(body: "[7]")
    }
    try await AnsweringServer.withServer(answer: record) { other in
      let redirect = { @Sendable (_: String) -> Answer in
        .response("302 Found", type: nil, fields: ["Location: \(other)"])
      }
      try await AnsweringServer.withServer(answer: redirect) { url in
        var request = URLRequest(url: url)
        request.setValue("Bearer secret", forHTTPHeaderField: "Authorization")
        let value: [Int] = try await Self.session().json(for: request, from: JSONDecoder())

        #expect(value == [7])
      }
    }
    let received = heads.withLock(\.self)
    #expect(received.count == 1)
    #expect(received.first?.contains("secret") == false)
    #expect(received.first?.contains("User-Agent: ImmutableDataWeb") == true)
  }

  /// Some servers name the encoding of the body that they do not send.
  @Test func `an answer without a body may have an encoding`() async throws {
    let answer = { @Sendable (_: String) -> Answer in
      .response("304 Not Modified", type: nil, fields: ["ETag: \"1\"", "Content-Encoding: gzip"])
    }
    try await AnsweringServer.withServer(answer: answer) { url in
      let known = Validators(entityTag: "\"1\"", lastModified: nil)
      let response: ConditionalResponse<[Int]> = try await Self.session().json(
        for: URLRequest(url: url), from: JSONDecoder(), unless: known)

      #expect(response == .notModified)
    }
  }

  @Test func `a response that is not HTTP is an error`() async throws {
    try await withServer(answer: "SSH-2.0-OpenSSH\r\n\r\n", closes: true) { url in
      let error = await Self.failure(url, Self.session())

      #expect(error != nil)
    }
  }

  /// They ended the process.
  @Test(arguments: [
    "HTTP/1.1 000 Zero\r\nContent-Type: application/json\r\nContent-Length: 3\r\n\r\n[7]",
    "HTTP/1.1 099 Early\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n[7]\r\n0\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 001 One\r\nContent-Length: 3\r\n\r\n[7]",
    "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:65536/\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 303 See Other\r\nLocation: //127.0.0.1:99999\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 307 Elsewhere\r\nLocation: http://[::1]:70000/a\r\nContent-Length: 0\r\n\r\n",
  ])
  func `an answer without a valid status or with an impossible port is an error`(
    answer: String
  ) async throws {
    try await withServer(answer: answer, closes: true) { url in
      let error = await Self.failure(url, Self.session())

      #expect(error?.code == .connectionError)
      #expect(error?.localizedDescription.hasSuffix("its answer is not HTTP.") == true)
    }
  }

  @Test(arguments: ["http://127.0.0.1:65536/", "http://[::1]:99999", "ftp://127.0.0.1/"])
  func `an address that no server can have is an error`(address: String) async throws {
    let error = await Self.failure(try #require(URL(string: address)), Self.session())

    #expect(error?.localizedDescription.hasSuffix("its address is not an HTTP address.") == true)
  }

  @Test func `a truncated body is an error`() async throws {
    let answer = Self.head + "Content-Length: 900\r\n\r\n[1,"
    try await withServer(answer: answer, closes: true) { url in
      let error = await Self.failure(url, Self.session())

      #expect(error != nil)
    }
  }

  @Test func `a cancelled task throws a cancellation error`() async throws {
    try await withServer(answer: nil) { url in
      let task = Task {
        let _: [Int] = try await Self.session(timeout: 50).json(
          for: URLRequest(url: url),
          from: JSONDecoder()
        )
      }

      task.cancel()

      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test func `a request is conditional on known validators`() async throws {
    let requests = Mutex<[String]>([])
    let answer = { @Sendable (request: String) -> Answer in
      requests.withLock { $0.append(request) }
      return request.contains("If-None-Match: W/\"1\"")
        ? .response("304 Not Modified", type: nil, fields: ["ETag: W/\"1\""])
        : .response(
          fields: ["ETag: W/\"1\"", "Last-Modified: Wed, 07 Feb 2018 01:49:14 GMT"], body: "[7]")
    }
    try await AnsweringServer.withServer(answer: answer) { url in
      let request = URLRequest(url: url)

      let first: ConditionalResponse<[Int]> = try await Self.session().json(
        for: request, from: JSONDecoder(), unless: nil)
      guard case .value(let value, let validators) = first else {
        Issue.record("There was no value, but \(first).")
        return
      }
      let second: ConditionalResponse<[Int]> = try await Self.session().json(
        for: request, from: JSONDecoder(), unless: validators)

      #expect(value == [7])
      #expect(second == .notModified)
    }
    let heads = requests.withLock(\.self)
    #expect(heads.map { $0.contains("If-") } == [false, true])
    #expect(heads.last?.contains("If-Modified-Since: Wed, 07 Feb 2018 01:49:14 GMT") == true)
  }

  private static func session(
    timeout: TimeInterval = 10,
    total: TimeInterval? = nil,
    bodyLimit: Int = 1_000_000
  ) -> NetworkSession<URLSession> {
    NetworkSession(
      urlSession: URLSession.withTimeouts(idle: timeout, total: total),
      bodyLimit: bodyLimit
    )
  }

  private static func failure(
    _ url: URL,
    _ session: NetworkSession<URLSession>
  ) async -> NetworkSessionError? {
    do {
      let _: [Int] = try await session.json(for: URLRequest(url: url), from: JSONDecoder())
      return nil
    } catch {
      return error as? NetworkSessionError
    }
  }
}

/// Answers whatever comes with the same.
private func withServer(
  answer: String?,
  closes: Bool = false,
  _ work: (URL) async throws -> Void
) async throws {
  try await AnsweringServer.withServer(
    answer: { _ in
      guard let answer else { return .silence }
      return closes || answer.contains("Connection: close") ? .last(answer) : .text(answer)
    },
    work
  )
}
