import AnsweringServer
import Foundation
import Services
import Synchronization
import Testing

@testable import QuakesData

private typealias Range = QuakesAction.UI.QuakeList.RefreshQuakesRange

private let ranges: [(Range, String)] = [
  (.allHour, "all_hour.geojson"), (.allDay, "all_day.geojson"), (.allWeek, "all_week.geojson"),
  (.allMonth, "all_month.geojson"),
]

/// With sessions that are no network.
struct RemoteStoreTests {
  @Test(arguments: ranges)
  func `each range has its address`(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    name: String
  ) async throws {
    let session = SessionDouble(answers: [Feed.text([Feed.feature()])])

    let quakes = try await RemoteStore(session: session).fetchRemoteQuakesQuery(range: range)

    #expect(quakes == [.ofFeature()])
    #expect(
      session.requests.map { $0.url?.absoluteString }
        == ["https://earthquake.usgs.gov/earthquakes/feed/v1.0/summary/\(name)"]
    )
    // As in the guide.
    #expect(session.requests.first?.httpMethod == "GET")
    #expect(session.requests.first?.allHTTPHeaderFields ?? [:] == [:])
  }

  @Test(arguments: [
    ("https://example.com/feeds", "https://example.com/feeds/all_day.geojson"),
    ("http://example.com:81/feeds/", "http://example.com:81/feeds/all_day.geojson"),
    ("HTTP://[::1]:81", "HTTP://[::1]:81/all_day.geojson"),
    ("http://example.com/feeds?key=1", "http://example.com/feeds/all_day.geojson?key=1"),
  ])
  func `a custom address can be given`(base: String, expected: String) async throws {
    let session = SessionDouble(answers: [Feed.text([])])
    let location = try #require(FeedLocation(base))

    _ = try await RemoteStore(session: session, location: location)
      .fetchRemoteQuakesQuery(range: .allDay)

    #expect(session.requests.map { $0.url?.absoluteString } == [expected])
  }

  @Test(arguments: [
    "", "ftp://example.com", "http://", "http:///feeds", "mailto:/x",
    "http://127.0.0.1:65536/feeds",
  ])
  func `an invalid location is refused`(text: String) {
    #expect(FeedLocation(text) == nil)
  }

  @Test func `unreadable features are counted`() async throws {
    let session = SessionDouble(answers: [Feed.text(["{}", Feed.feature(), "null"])])

    let feed = try await RemoteStore(session: session).fetchRemoteQuakesFeed(range: .allDay)

    #expect(feed == QuakesFeed(quakes: [.ofFeature()], skipped: 2))
  }

  @Test func `an unknown magnitude is 0 in the guide's query, and is left out of the feed`()
    async throws
  {
    let answer = Feed.text([
      Feed.feature(id: #""a""#, mag: "null"), Feed.feature(id: #""b""#),
      Feed.feature(id: #""c""#, mag: "null"), Feed.feature(id: #""d""#, mag: "null"),
      Feed.feature(id: #""e""#),
    ])
    let store = RemoteStore(session: SessionDouble(answers: [answer, answer]))

    let quakes = try await store.fetchRemoteQuakesQuery(range: .allDay)
    let feed = try await store.fetchRemoteQuakesFeed(range: .allDay)

    #expect(quakes.map(\.id) == ["a", "b", "c", "d", "e"])
    #expect(quakes.map(\.magnitude) == [0, 1.5, 0, 0, 1.5])
    #expect(feed.quakes.map(\.id) == ["b", "e"])
    #expect(feed.skipped == 3)
  }

  @Test func `a feed is decoded by its difference from the last one of its range`() async throws {
    let features = ["a", "b", "c"].map { Feed.feature(id: "\"\($0)\"") }
    let changed = [Feed.feature(mag: "2"), "1"] + features[1...]
    let session = SessionDouble(answers: [Feed.text(features), Feed.text([]), Feed.text(changed)])
    let store = RemoteStore(session: session)

    let first = try await store.fetchRemoteQuakesFeed(range: .allMonth)
    _ = try await store.fetchRemoteQuakesFeed(range: .allDay)
    let next = try await store.fetchRemoteQuakesFeed(range: .allMonth)

    #expect(first.quakes == [.ofFeature("a"), .ofFeature("b"), .ofFeature("c")])
    #expect(next.quakes == [.ofFeature("a", magnitude: 2), .ofFeature("b"), .ofFeature("c")])
    #expect(next.skipped == 1)
    #expect(session.decoders.map { $0.last?.features.count } == [nil, nil, 3])
  }

  @Test func `the sample needs no network`() async throws {
    let store = RemoteStore(session: SessionDouble(), location: .sample())

    let quakes = try await store.fetchRemoteQuakesQuery(range: .allDay)

    #expect(quakes.count > 200)
    #expect(FeedLocation("sample") == .sample())
  }

  @Test func `every error is a sentence`() {
    let codes: [RemoteStoreError.Code] = [
      .urlError, .responseError, .fileError, .fileLimitError, .decodingError,
    ]

    let messages = codes.map { RemoteStore<SessionDouble>.Error(code: $0).localizedDescription }

    #expect(messages.filter { $0.hasSuffix(".") == false } == [])
    #expect(Set(messages).count == codes.count)
  }
}

/// With files.
struct RemoteStoreFileTests {
  @Test(arguments: ranges)
  func `each range has its file`(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    name: String
  ) async throws {
    try await withFeedFolder { folder in
      try Data(Feed.text([Feed.feature()]).utf8).write(to: folder.appending(path: name))

      for location in [folder.path, folder.absoluteString, "file://\(folder.path)"] {
        let quakes = try await Self.store(location).fetchRemoteQuakesQuery(range: range)
        #expect(quakes == [.ofFeature()])
      }
    }
  }

  @Test func `a file is read again when it has changed`() async throws {
    try await withFeedFolder { folder in
      let file = folder.appending(path: "all_day.geojson")
      try Data(Feed.text([Feed.feature()]).utf8).write(to: file)
      let store = try Self.store(folder.path)

      let first = try await store.fetchRemoteQuakesQuery(range: .allDay)
      let same = try await store.fetchRemoteQuakesQuery(range: .allDay)
      try Data(Feed.text([Feed.feature(mag: "2")]).utf8).write(to: file, options: .atomic)
      let second = try await store.fetchRemoteQuakesQuery(range: .allDay)

      #expect([first, same] == [[.ofFeature()], [.ofFeature()]])
      #expect(second == [.ofFeature(magnitude: 2)])
    }
  }

  @Test func `a missing file is named in the error`() async throws {
    try await withFeedFolder { folder in
      let error = await Self.failure(try Self.store(folder.path))

      #expect(error?.code == .fileError)
      #expect(
        error?.message
          == "There is no file \(folder.path)/all_day.geojson. Choose another folder of "
          + "feeds, or put it there."
      )
    }
  }

  @Test func `a folder or a pipe in place of a file is an error, not a hang`() async throws {
    try await withFeedFolder { folder in
      let file = folder.appending(path: "all_day.geojson")
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      let first = await Self.failure(try Self.store(folder.path))
      try FileManager.default.removeItem(at: file)
      mkfifo(file.path, 0o600)
      let second = await Self.failure(try Self.store(folder.path))

      #expect([first?.code, second?.code] == [.fileError, .fileError])
    }
  }

  @Test func `an oversized file is not read`() async throws {
    try await withFeedFolder { folder in
      let file = folder.appending(path: "all_day.geojson")
      try Data().write(to: file)
      truncate(file.path, 1 << 40)

      let error = await Self.failure(try Self.store(folder.path))

      #expect(error?.code == .fileLimitError)
    }
  }

  @Test(arguments: ["", "{", "<html>", #"{"features":1}"#])
  func `a file that is not a feed is an error every time`(
    text: String
  ) async throws {
    try await withFeedFolder { folder in
      let file = folder.appending(path: "all_day.geojson")
      try Data(text.utf8).write(to: file)
      let store = try Self.store(folder.path)

      let error = await Self.failure(store)
      let again = await Self.failure(store)

      #expect([error?.code, again?.code] == [.decodingError, .decodingError])
      #expect(error?.message.contains(file.path) == true)
    }
  }

  private static func store(_ location: String) throws -> RemoteStore<SessionDouble> {
    RemoteStore(session: SessionDouble(), location: try #require(FeedLocation(location)))
  }

  private static func failure(_ store: RemoteStore<SessionDouble>) async -> RemoteStoreError? {
    do {
      _ = try await store.fetchRemoteQuakesQuery(range: .allDay)
      return nil
    } catch {
      return error as? RemoteStoreError
    }
  }
}

/// With a server that is real, but for its manners.
@Suite(.timeLimit(.minutes(20))) struct RemoteStoreServerTests {
  @Test func `a feed without news is not sent again`() async throws {
    let etags = Mutex<[String?]>([])
    let answer = { @Sendable (request: String) -> Answer in
      let known = request.split(separator: "\r\n").first { $0.hasPrefix("If-None-Match: ") }
      etags.withLock { $0.append(known.map { String($0.dropFirst(15)) }) }
      let path = request.split(separator: " ")[1]
      return known?.hasSuffix("\"\(path)\"") == true
        ? .response("304 Not Modified", type: nil, fields: ["ETag: \"\(path)\""])
        : .response(
          fields: ["ETag: \"\(path)\""],
          body: Feed.text([Feed.feature(id: "\"\(path)\"")]))
    }
    try await withServer(answer: answer) { url in
      let store = Self.store(url)

      let day = try await store.fetchRemoteQuakesQuery(range: .allDay)
      let sameDay = try await store.fetchRemoteQuakesQuery(range: .allDay)
      let week = try await store.fetchRemoteQuakesQuery(range: .allWeek)

      #expect(day == [.ofFeature("/all_day.geojson")])
      #expect(sameDay == day)
      #expect(week == [.ofFeature("/all_week.geojson")])
    }
    #expect(etags.withLock(\.self) == [nil, "\"/all_day.geojson\"", nil])
  }

  @Test func `a bad feed is requested again without validators`() async throws {
    let count = Mutex(0)
    let answer = { @Sendable (request: String) -> Answer in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      guard request.contains("If-None-Match") == false else { return .response("400 Bad Request") }
      return .response(
        fields: ["ETag: \"1\""], body: isFirst ? "{" : Feed.text([Feed.feature()]))
    }
    try await withServer(answer: answer) { url in
      let store = Self.store(url)

      await #expect(throws: NetworkSessionError.self) {
        try await store.fetchRemoteQuakesQuery(range: .allDay)
      }
      let quakes = try await store.fetchRemoteQuakesQuery(range: .allDay)
      #expect(quakes == [.ofFeature()])
    }
  }

  @Test(arguments: [
    (Answer.response("404 Not Found", type: "text/html"), "answered 404"),
    (.response("500 Internal Server Error"), "answered 500"),
    (.response("304 Not Modified", type: nil), "answered 304"),
    (.response(type: "text/html", body: "<html></html>"), "answered HTML instead of JSON"),
    (.response(type: nil, body: #"{"features":[]}"#), "something without a type"),
    (.response(body: #"{"features":["#), "not JSON, or incomplete"),
    (.response(body: "{}"), "no “features”"),
    (.response(body: #"{"features":null}"#), "features has an unexpected type"),
    (.response(body: "[]"), "it has an unexpected type"),
    (
      .response(body: #"{"features":[]}"# + String(repeating: " ", count: 100_000)),
      "larger than 50000 bytes"
    ),
    (
      .last("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n{"),
      ""
    ),
    (.last("SSH-2.0\r\n\r\n"), ""),
    (.silence, "did not answer in time"),
  ])
  func `the error for a bad feed is a sentence`(answer: Answer, mention: String) async throws {
    let answerAll = { @Sendable (_: String) in answer }
    try await withServer(answer: answerAll) { url in
      do {
        _ = try await Self.store(url).fetchRemoteQuakesQuery(range: .allDay)
        Issue.record("There was a feed.")
      } catch {
        let sentence = error.localizedDescription
        #expect(sentence.contains(mention) || mention.isEmpty)
        #expect(sentence.hasSuffix("."))
      }
    }
  }

  @Test func `a real feed is read completely`() async throws {
    let text = String(decoding: Feed.real, as: UTF8.self)
    let answer = { @Sendable (_: String) in Answer.response(body: text) }
    try await withServer(answer: answer) { url in
      let store = RemoteStore(
        session: RealSession(bodyLimit: Feed.real.count),
        location: try #require(FeedLocation("\(url)")))

      let feed = try await store.fetchRemoteQuakesFeed(range: .allWeek)

      #expect(feed.quakes.count == 1_707)
    }
  }

  private static func store(_ url: URL) -> RemoteStore<RealSession> {
    RemoteStore(session: RealSession(bodyLimit: 50_000), location: FeedLocation("\(url)") ?? .usgs)
  }
}

/// A session that networks for real.
private struct RealSession: RemoteStoreNetworkSession {
  private let session: NetworkSession<URLSession>

  init(bodyLimit: Int) {
    self.session = NetworkSession(urlSession: .withTimeouts(idle: 2), bodyLimit: bodyLimit)
  }

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    try await self.session.json(for: request, from: decoder)
  }

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder,
    unless validators: Validators?
  ) async throws -> ConditionalResponse<T> where T: Decodable {
    try await self.session.json(for: request, from: decoder, unless: validators)
  }
}

/// Gives answers in their order, as in the guide's tests; throws when there is none.
private final class SessionDouble: RemoteStoreNetworkSession {
  private let answers: Mutex<[String]>
  private let received = Mutex<[URLRequest]>([])
  private let used = Mutex<[FeedDecoder]>([])

  init(answers: [String] = []) {
    self.answers = Mutex(answers)
  }

  var requests: [URLRequest] {
    self.received.withLock { $0 }
  }

  /// One for each request.
  var decoders: [FeedDecoder] {
    self.used.withLock { $0 }
  }

  func json<T>(
    for request: URLRequest,
    from decoder: JSONDecoder
  ) async throws -> T where T: Decodable {
    self.received.withLock { $0.append(request) }
    if let decoder = decoder as? FeedDecoder { self.used.withLock { $0.append(decoder) } }
    let answer = self.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw URLError(.notConnectedToInternet) }
    return try decoder.decode(T.self, from: Data(answer.utf8))
  }
}
