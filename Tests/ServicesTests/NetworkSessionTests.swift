import Foundation
import Testing

@testable import Services

struct NetworkSessionTests {
  private static let request = URLRequest(url: URL(string: "http://example.com:81/a?secret=1")!)

  @Test(arguments: [
    "application/json", "application/json; charset=utf-8", "Application/JSON",
    "application/geo+json", "application/problem+json",
  ])
  func `JSON is decoded`(type: String) async throws {
    let session = NetworkSession(urlSession: URLSessionDouble(type: type, body: "[1, 2]"))

    let value: [Int] = try await session.json(for: Self.request, from: JSONDecoder())

    #expect(value == [1, 2])
  }

  @Test(arguments: [
    (500, "", "The server answered 500 "),
    (404, "<p>no</p>", "The server answered 404 "),
    (301, "", "The server answered 301 "),
    (422, #"{"error": "Too small."}"#, "The server answered 422: Too small."),
    (422, #"{"error": {"message": "Too small."}}"#, "The server answered 422: Too small."),
    (422, #"{"message": "Too small."}"#, "The server answered 422: Too small."),
    (422, #"{"error": ""}"#, "The server answered 422 "),
  ])
  func `an unsuccessful status is an error`(
    status: Int,
    body: String,
    message: String
  ) async throws {
    let error = await Self.failure(URLSessionDouble(status: status, body: body))

    #expect(error?.code == .statusCodeError)
    #expect(error?.statusCode == status)
    #expect(error?.localizedDescription.hasPrefix(message) == true)
  }

  @Test(arguments: [
    ("text/html", "HTML"), ("text/plain; charset=utf-8", "plain text"),
    ("application/jsonp", "application/jsonp"), (nil, "something without a type"),
  ])
  func `a content type other than JSON is an error`(type: String?, name: String) async throws {
    let error = await Self.failure(URLSessionDouble(type: type, body: "[1]"))

    #expect(error?.code == .mimeTypeError)
    #expect(
      error?.localizedDescription
        == "The server example.com:81 answered \(name) instead of JSON. Check its address."
    )
  }

  @Test(arguments: ["", "[1, 2", #"{"a": 1}"#, #"["a"]"#, "[null]"])
  func `a body that does not decode is an error`(body: String) async throws {
    let error = await Self.failure(URLSessionDouble(body: body))

    #expect(error?.code == .decodingError)
    #expect(
      error?.localizedDescription
        .hasPrefix("The answer of the server example.com:81 is not what was expected: ") == true
    )
  }

  @Test func `an oversized body is an error`() async throws {
    let session = NetworkSession(urlSession: URLSessionDouble(body: "[1, 2]"), bodyLimit: 5)

    let error = await Self.failure(session)

    #expect(error?.code == .bodyLimitError)
  }

  @Test(arguments: [
    (URLError(.timedOut), "The server example.com:81 did not answer in time. Try again later."),
    (
      URLError(.cannotConnectToHost),
      "The server example.com:81 could not be reached: nothing listens there."
    ),
  ])
  func `a connection failure is an error`(cause: URLError, message: String) async throws {
    let error = await Self.failure(URLSessionDouble(error: cause))

    #expect(error?.code == .connectionError)
    #expect(error?.localizedDescription == message)
  }

  @Test(arguments: [
    (URLSessionDouble(error: URLError(.timedOut)), "did not answer in time."),
    (URLSessionDouble(error: URLError(.cannotConnectToHost)), "could not be reached."),
    (
      URLSessionDouble(status: 422, body: #"{"error": "Call us."}"#),
      "answered with an error (422)."
    ),
    (URLSessionDouble(type: "text/html"), "answered with something that cannot be used."),
    (URLSessionDouble(body: "?"), "answered with something that cannot be used."),
  ])
  fileprivate func `visitors read neither addresses nor the words of the server`(
    session: URLSessionDouble,
    words: String
  ) async throws {
    let error = await Self.failure(session)

    #expect(error?.visitorMessage(from: "The catalog") == "The catalog \(words)")
  }

  @Test func `a cancelled request is not reported as a server error`() async throws {
    let session = NetworkSession(urlSession: URLSessionDouble(error: URLError(.cancelled)))

    await #expect(throws: CancellationError.self) {
      let _: [Int] = try await session.json(for: Self.request, from: JSONDecoder())
    }
  }

  @Test(arguments: [
    ([:], nil),
    (["ETag": "\"a\""], Validators(entityTag: "\"a\"", lastModified: nil)),
    (["etag": "W/\"a\""], Validators(entityTag: "W/\"a\"", lastModified: nil)),
    (["Last-Modified": "today"], Validators(entityTag: nil, lastModified: "today")),
    (
      ["ETag": "\"a\"", "Last-Modified": "today"],
      Validators(entityTag: "\"a\"", lastModified: "today")
    ),
    // What could not be sent back, or would cost too much.
    (["ETag": ""], nil),
    (["ETag": "a\u{1}b"], nil),
    (["ETag": String(repeating: "x", count: 1_025)], nil),
  ])
  func `a response may bring validators`(
    fields: [String: String],
    expected: Validators?
  ) async throws {
    let session = NetworkSession(urlSession: URLSessionDouble(body: "[1]", fields: fields))

    let response: ConditionalResponse<[Int]> = try await session.json(
      for: Self.request, from: JSONDecoder(), unless: nil)

    #expect(response == .value([1], expected))
  }

  @Test func `a 304 is accepted only for a conditional request`() async throws {
    let session = NetworkSession(urlSession: URLSessionDouble(status: 304))
    let validators = Validators(entityTag: "\"a\"", lastModified: nil)

    let known: ConditionalResponse<[Int]> = try await session.json(
      for: Self.request, from: JSONDecoder(), unless: validators)

    #expect(known == .notModified)
    await #expect {
      let _: ConditionalResponse<[Int]> = try await session.json(
        for: Self.request, from: JSONDecoder(), unless: nil)
    } throws: { error in
      (error as? NetworkSessionError)?.statusCode == 304
    }
  }

  private static func failure(_ urlSession: URLSessionDouble) async -> NetworkSessionError? {
    await Self.failure(NetworkSession(urlSession: urlSession))
  }

  private static func failure(
    _ session: NetworkSession<URLSessionDouble>
  ) async -> NetworkSessionError? {
    do {
      let _: [Int] = try await session.json(for: Self.request, from: JSONDecoder())
      return nil
    } catch {
      return error as? NetworkSessionError
    }
  }
}

/// Gives one answer.
private struct URLSessionDouble: NetworkSessionURLSession {
  var status = 200
  var type: String? = "application/json"
  var body = ""
  var fields: [String: String] = [:]
  var error: URLError?

  func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    if let error = self.error { throw error }
    let response = HTTPURLResponse(
      url: try #require(request.url),
      statusCode: self.status,
      httpVersion: "HTTP/1.1",
      headerFields: self.fields.merging(self.type.map { ["Content-Type": $0] } ?? [:]) { $1 }
    )
    return (Data(self.body.utf8), try #require(response))
  }
}

struct RetryAfterTests {
  private static let now = Date(timeIntervalSince1970: 784_111_777)

  @Test(
    arguments: [
      ("120", .seconds(120)), (" 0 ", .zero), ("99999999999999999999", .seconds(Int32.max)),
      ("Sun, 06 Nov 1994 08:51:37 GMT", .seconds(120)),
      ("Sun, 06 Nov 1994 08:00:00 GMT", .zero),
      ("Fri, 31 Dec 9999 23:59:59 GMT", .seconds(Int32.max)),
    ] as [(String, Duration)])
  func `Retry-After is a number of seconds or a date`(text: String, expected: Duration) {
    #expect(NetworkSessionError.duration(text, now: Self.now) == expected)
  }

  @Test(arguments: ["", "-1", "1.5", "soon", "1e9", String(repeating: "9", count: 50), "１２"])
  func `any other Retry-After value is ignored`(text: String) {
    #expect(NetworkSessionError.duration(text, now: Self.now) == nil)
  }
}
