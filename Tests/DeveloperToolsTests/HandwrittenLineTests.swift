import Foundation
import ImmutableData
import ImmutableUI
import Testing

@testable import DeveloperTools
@testable import ImmutableRuntime

/// Law: a line that is written by hand is that of `JSONEncoder` with sorted keys.
struct HandwrittenLineTests {
  private enum Action: Codable, Sendable {
    case put(name: String, numbers: [String: Int])
    case remove
  }

  private static let text = "“é” 🐕 \\ \"quoted\" a/b\n\t\r \u{7F}\u{2028} {\"tag\":\"x\"}"
  private static let environment = WindowEnvironment(
    timeZone: TimeZone(identifier: "Europe/Berlin")!,
    date: Date(timeIntervalSinceReferenceDate: 785_000_000.25),
    visitor: Visitor(rawValue: Self.text))
  /// Their numbers have a fraction, an exponent, or neither.
  private static let dates = [785_000_000.123_456_7, 0, -1, 1e18, 1e-9]
    .map { Date(timeIntervalSinceReferenceDate: $0) }

  private static func expectSame(_ line: some HandwrittenLine & Encodable) throws {
    let encoded = try RecordingFormat.encode(line)

    #expect(String(decoding: line.line, as: UTF8.self) == String(decoding: encoded, as: UTF8.self))
  }

  @Test(arguments: [
    RecordedPage(
      place: 1, version: 2, begins: RecordedPage.Beginning("/a?b=\(Self.text)", Self.environment),
      tags: ["root": "x", Self.text: nil, "B": "y", "a": Self.text]),
    RecordedPage(
      place: 1, version: 2,
      begins: RecordedPage.Beginning("/", WindowEnvironment(timeZone: .gmt)), tags: [:]),
    RecordedPage(place: .max, version: .max, tags: nil),
  ])
  func `the line of a page`(page: RecordedPage) throws {
    try Self.expectSame(page)
  }

  @Test func `the line of a piece`() throws {
    let tag = TagHasher().finalize()
    try Self.expectSame(RecordedPiece(tag, html: Self.text.utf8))
    try Self.expectSame(RecordedPiece(tag, parts: []))
    try Self.expectSame(RecordedPiece(tag, parts: ["a", Self.text]))
  }

  @Test(
    arguments: [
      Visit.Event.opens, .joins, .navigates, .posts(form: Self.text, refusal: nil),
      .posts(form: "save", refusal: "no"),
    ], Self.dates)
  func `the line of a visit`(event: Visit.Event, time: Date) throws {
    let window = if case .opens = event { nil as Identifier? } else { Identifier() }
    let visit = Visit(
      product: nil, session: Identifier(), window: window, url: "", environment: Self.environment,
      version: 3, event: event)
    let recorded = RecordedVisit(
      visit, url: "/x?\(Self.text)", environment: visit.environment, time: time,
      names: RecordedNames())

    try Self.expectSame(VisitLine(visit: recorded))
  }

  @Test(arguments: Self.dates)
  func `the line of an action`(time: Date) throws {
    let accepted = Action.put(name: Self.text, numbers: ["b": 1, "a": 2])
    try Self.expectSame(accepted, .success(2), time)
    try Self.expectSame(.remove, .failure(Refusal(.conflict, Self.text)), time)
  }

  private static func expectSame(
    _ action: Action,
    _ result: Result<Int, any Error>,
    _ time: Date
  ) throws {
    let origin = ActionOrigin.form(name: Self.text, path: "/a", window: nil)
    let recorded = RecordedAction(
      Dispatch(
        action: action, origin: origin, oldState: 1, result: result, version: .max,
        duration: .zero),
      digest: "d", time: time)

    let line = recorded.line(try RecordingFormat.json(action), nil)

    let encoded = try RecordingFormat.encode(recorded)
    #expect(String(decoding: line, as: UTF8.self) == String(decoding: encoded, as: UTF8.self))
  }
}
