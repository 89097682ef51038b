import Foundation
import Testing

@testable import FeedScanning

struct FeedScannerTests {
  private static let feature =
    #"{"id":"a","properties":{"mag":1.5,"place":"Castaic","time":1000,"updated":2000,"x":[{}]},"#
    + #""geometry":{"coordinates":[-118.5,34.25,null]}}"#
  private static let expected = ScannedFeature.make()

  @Test func `a feature is read regardless of its other fields`() throws {
    let (features, skipped) = try Self.scan("{\"type\":1,\"features\":[\(Self.feature)]}")

    #expect(features == [Self.expected])
    #expect(skipped == 0)
  }

  @Test func `an unreadable feature is counted, and the others are read`() throws {
    let others = [
      "null", "[]", #"{"id":"b"}"#, Self.feature.replacing("1.5", with: "1e999"),
      Self.feature.replacing("34.25", with: "[34.25]"), Self.feature.replacing("2000", with: "{}"),
    ]
    let text = (others + [Self.feature]).joined(separator: ",")

    let (features, skipped) = try Self.scan("{\"features\":[\(text)]}")

    #expect(features == [Self.expected])
    #expect(skipped == others.count)
  }

  @Test func `a magnitude may be missing, and values are not validated`() throws {
    let text = Self.feature.replacing("1.5", with: "null").replacing("-118.5", with: "5e3")

    let (features, _) = try Self.scan("{\"features\":[\(text)]}")

    #expect(features == [.make(magnitude: nil, longitude: 5_000)])
  }

  @Test(
    arguments: [("12", 12), ("0", 0), ("null", nil), (#""many""#, nil), ("[1]", nil)]
      as [(String, Double?)])
  func `the felt count is read, and an invalid one is ignored`(
    text: String,
    felt: Double?
  ) throws {
    let feature = Self.feature.replacing(#""mag""#, with: #""felt":\#(text),"mag""#)

    let (features, _) = try Self.scan("{\"features\":[\(feature)]}")

    #expect(features.map(\.properties.felt) == [felt])
  }

  @Test func `a feed truncated anywhere is an error`() {
    let text = "{\"features\":[\(Self.feature)]}"

    for count in 0..<text.utf8.count {
      #expect(throws: DecodingError.self) { try Self.scan(String(text.prefix(count))) }
    }
  }

  @Test(arguments: ["[]", "1", "{}", #"{"features":{}}"#, #"{"features":[]} 1"#])
  func `a feed without features is an error`(text: String) {
    #expect(throws: DecodingError.self) { try Self.scan(text) }
  }

  private static func scan(_ text: String) throws -> (features: [ScannedFeature], skipped: Int) {
    let (features, skipped, _) = try Self.scan(text, after: nil)
    let new = features.compactMap { feature -> ScannedFeature? in
      guard case .new(let feature) = feature else { return nil }
      return feature
    }
    return (new, skipped)
  }

  private static func scan(
    _ text: String,
    after last: FeedBytes?
  ) throws -> (features: [FeedScanner.Feature], skipped: Int, bytes: FeedBytes) {
    var scanner = FeedScanner(Data(text.utf8), after: last)
    var features: [FeedScanner.Feature] = []
    let (skipped, bytes) = try scanner.features { features.append($0) }
    return (features, skipped, bytes)
  }
}

// Reading a feed by its difference from the one before. That the result is the same is checked with
// generated feeds too (`FeedFuzzTests`).
extension FeedScannerTests {
  private static func json(_ id: String, _ magnitude: Double = 1.5) -> String {
    Self.feature.replacing(#""a""#, with: "\"\(id)\"").replacing("1.5", with: "\(magnitude)")
  }

  private static func feed(_ features: String...) -> String {
    "{\"features\":[\(features.joined(separator: ","))]}"
  }

  private static let before = Self.feed(
    Self.json("a"), "{}", Self.json("b"), Self.json("c"), Self.json("d"))

  private static let changes: [(String, [FeedScanner.Feature])] = [
    // One is new, and one has changed.
    (
      Self.feed(
        Self.json("x"), Self.json("a"), Self.json("b", 2.5), Self.json("c"), Self.json("d")),
      [.new(.make("x")), .known(0), .new(.make("b", magnitude: 2.5)), .known(2), .known(3)]
    ),
    // Behind a gap, one feature is decoded to find its place.
    (
      Self.feed(Self.json("a"), Self.json("c"), Self.json("d")),
      [.known(0), .new(.make("c")), .known(3)]
    ),
    // One has moved.
    (
      Self.feed(Self.json("d"), Self.json("a"), Self.json("b"), Self.json("c")),
      [.new(.make("d")), .new(.make("a")), .known(1), .known(2)]
    ),
    // White space between features is not a part of them, but within them it is.
    (
      Self.feed("\n \(Self.json("a"))\t", Self.json("b").replacing(",", with: ", ")),
      [.known(0), .new(.make("b"))]
    ),
    // A feature is there twice.
    (Self.feed(Self.json("a"), Self.json("a")), [.known(0), .new(.make("a"))]),
  ]

  @Test(arguments: Self.changes)
  func `only features that have changed or moved are decoded again`(
    feed: String,
    expected: [FeedScanner.Feature]
  ) throws {
    let last = try Self.scan(Self.before, after: nil)

    let next = try Self.scan(feed, after: last.bytes)

    #expect(last.skipped == 1)
    #expect(next.features == expected)
    #expect(next.skipped == 0)
  }

  @Test func `each feed is read after the one before, however that was read`() throws {
    let first = try Self.scan(Self.before, after: nil)
    let feed = Self.feed(Self.json("x"), " \(Self.json("a")) ", Self.json("b"))

    let second = try Self.scan(feed, after: first.bytes)
    let third = try Self.scan(feed, after: second.bytes)

    #expect(second.features == [.new(.make("x")), .known(0), .known(1)])
    #expect(third.features == [.known(0), .known(1), .known(2)])
  }

  @Test func `a feed truncated behind known features is an error`() throws {
    let bytes = try Self.scan(Self.before, after: nil).bytes

    for count in 0..<Self.before.utf8.count {
      #expect(throws: DecodingError.self) {
        try Self.scan(String(Self.before.prefix(count)), after: bytes)
      }
    }
    #expect(throws: DecodingError.self) {
      try Self.scan(Self.before.replacing("},{}", with: "}x,{}"), after: bytes)
    }
  }
}

extension ScannedFeature {
  fileprivate static func make(
    _ id: String = "a",
    magnitude: Double? = 1.5,
    longitude: Double = -118.5
  ) -> Self {
    Self(
      properties: Properties(
        mag: magnitude,
        place: "Castaic",
        time: Date(timeIntervalSince1970: 1),
        updated: Date(timeIntervalSince1970: 2),
        felt: nil,
        ids: nil
      ),
      geometry: Geometry(coordinates: [longitude, 34.25]),
      id: id
    )
  }
}
