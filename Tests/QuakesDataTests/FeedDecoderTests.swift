import Foundation
import TestSupport
import Testing

@testable import QuakesData

struct FeedDecoderTests {
  @Test func `every feature of a real feed is read`() throws {
    let json = try #require(
      try JSONSerialization.jsonObject(with: Feed.real) as? [String: Any]
    )
    let features = try #require(json["features"] as? [[String: Any]])

    let feed = try Feed.decode(Feed.real)

    #expect(feed.skipped == 0)
    #expect(feed.quakes.count == 1_707)
    #expect(feed.quakes.map(\.id) == features.map { $0["id"] as? String })
  }

  @Test func `the decoder reads the same as JSONDecoder`() throws {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .millisecondsSince1970

    let response = try decoder.decode(RemoteResponse.self, from: Feed.real)

    #expect(try Feed.decode(Feed.real) == response.feed())
  }

  @Test(arguments: [
    (#"",a,us1,ci2,""#, ["a": ["us1", "ci2"]]), (#"",a,""#, [:]), ("null", [:]), ("[1]", [:]),
  ])
  func `the other ids of a quake are read`(ids: String, others: [String: [String]]) throws {
    let feed = try Feed.decode(Feed.text([Feed.feature(ids: ids)]))

    #expect(feed == QuakesFeed(quakes: [.ofFeature()], skipped: 0, otherIDs: others))
  }

  @Test func `a feature is decoded as a quake`() throws {
    #expect(
      try Feed.decode(Feed.text([Feed.feature()])) == QuakesFeed(quakes: [.ofFeature()], skipped: 0)
    )
  }

  @Test(arguments: [
    (Feed.feature(mag: "0"), Quake.ofFeature(magnitude: 0)),
    (Feed.feature(mag: "-1.25"), Quake.ofFeature(magnitude: -1.25)),
    (Feed.feature(mag: "1e0"), Quake.ofFeature(magnitude: 1)),
    (Feed.feature(mag: "0.1e+1"), Quake.ofFeature(magnitude: 1)),
    (
      Feed.feature(mag: "1.2345678901234567890123"),
      Quake.ofFeature(magnitude: 1.2345678901234567890123)
    ),
    (
      Feed.feature(place: #""San Jos\u00e9 \ud83c\udf0b \"\\\/""#),
      Quake.ofFeature(name: "San José 🌋 \"\\/")
    ),
    (Feed.feature(coordinates: "[-118.5,34.25]"), Quake.ofFeature()),
    (Feed.feature(coordinates: "[-118.5,34.25,null]"), Quake.ofFeature()),
    (Feed.feature(coordinates: "[ -118.5 ,\n34.25 , [[{}]] ]"), Quake.ofFeature()),
    (
      #"{"id":"a","geometry":{"coordinates":[-118.5,34.25]},"properties":{"place":"#
        + #""4km W of Castaic, CA","time":1517966773840,"updated":1517966996303,"mag":2}}"#,
      Quake.ofFeature(magnitude: 2)
    ),
    (
      Feed.feature().replacing(#""tz":-480"#, with: #""tz":NaN,"rms":1e999,"x":[[{"a":"]"}]]"#),
      Quake.ofFeature()
    ),
  ])
  func `an unusual feature is read`(feature: String, quake: Quake) throws {
    #expect(try Feed.decode(Feed.text([feature])) == QuakesFeed(quakes: [quake], skipped: 0))
  }

  @Test(arguments: badFeatures)
  func `a bad feature does not affect the others`(feature: String) throws {
    let text = Feed.text([
      Feed.feature(id: #""before""#), feature, Feed.feature(id: #""after""#),
    ])

    let feed = try Feed.decode(text)

    #expect(feed.quakes == [.ofFeature("before"), .ofFeature("after")])
    #expect(feed.skipped == 1)
  }

  @Test(arguments: badFeeds)
  func `a bad feed is an error`(text: String) {
    #expect(throws: DecodingError.self) { try Feed.decode(text) }
  }

  @Test func `a feed truncated anywhere is an error`() {
    let text = Feed.text([Feed.feature(), Feed.feature(id: #""b\u00e9""#)])

    for count in 0..<text.utf8.count {
      #expect(throws: DecodingError.self) { try Feed.decode(Data(text.utf8.prefix(count))) }
    }
  }

  @Test(arguments: [
    #"{"features":[]}"#, #" { "features" : [ ] , "type" : null } "#,
    "\u{FEFF}{\"features\":[]}", #"{"metadata":{"count":0},"features":[],"bbox":[]}"#,
  ])
  func `a feed may be empty`(text: String) throws {
    #expect(try Feed.decode(text) == QuakesFeed(quakes: [], skipped: 0))
  }

  @Test func `the most recently updated of several quakes with one id is taken`() throws {
    let text = Feed.text([
      Feed.feature(id: #""a""#, mag: "1", updated: "1000"),
      Feed.feature(id: #""b""#, mag: "2", updated: "1000"),
      Feed.feature(id: #""a""#, mag: "3", updated: "3000"),
      Feed.feature(id: #""a""#, mag: "4", updated: "2000"),
    ])

    let feed = try Feed.decode(text)

    #expect(feed.quakes.map(\.id) == ["a", "b"])
    #expect(feed.quakes.map(\.magnitude) == [3, 2])
    #expect(feed.skipped == 0)
  }

  @Test func `very deep nesting does no harm`() throws {
    let depth = 200_000
    let deep = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)

    let feed = try Feed.decode(Feed.text([deep, Feed.feature(coordinates: deep), Feed.feature()]))

    #expect(feed == QuakesFeed(quakes: [.ofFeature()], skipped: 2))
  }

  @Test func `other types are decoded as usual`() throws {
    #expect(try FeedDecoder().decode([Int].self, from: Data("[1]".utf8)) == [1])
  }
}

/// Features that are changed by chance, the same ones for the same seed.
struct FeedFuzzTests {
  /// What values turn into.
  private static let values = [
    "null", "true", "{}", "[]", #""""#, #""text""#, "-1", "1e999", "-1e999", "1e-999", "NaN",
    "-Infinity", "9223372036854775808", "123456789012345678901234567890", "0x1p3", "1.",
    #"{"coordinates":[1]}"#, "[null,null]", "[1,2,3]", #""\ud800""#, #""\u0000""#,
  ]

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `mutated values affect no other feature`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var lines = Self.realFeatures
    let expected = try Feed.decode(Feed.text(lines)).quakes
    var touched: Set<Int> = []
    for _ in 0..<200 {
      let index = lines.indices.randomElement(using: &random)!
      touched.insert(index)
      lines[index] = Self.changed(lines[index], &random)
    }

    let feed = try Feed.decode(Feed.text(lines))

    let untouched = expected.indices.filter { touched.contains($0) == false }.map { expected[$0] }
    let quakes = Set(feed.quakes)
    #expect(untouched.filter { quakes.contains($0) == false } == [], "seed \(seed)")
    #expect(feed.quakes.count + feed.skipped <= lines.count, "seed \(seed)")
    #expect(feed.skipped > 0, "seed \(seed)")
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `mutated bytes end in a feed or an error`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let text = Array(Feed.text(Array(Self.realFeatures.prefix(20))).utf8)

    for _ in 0..<200 {
      var bytes = text
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = bytes.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        case 2: bytes.insert(Array(#"{}[]",:\0e-"#.utf8).randomElement(using: &random)!, at: index)
        default: bytes.removeSubrange(index..<min(bytes.count, index + 50))
        }
      }
      let feed = try? Feed.decode(Data(bytes))
      #expect((feed?.quakes.count ?? 0) <= 20, "seed \(seed)")
    }
  }

  /// One in each line of the file, as the USGS writes it.
  private static let realFeatures: [String] = {
    let text = String(decoding: Feed.real, as: UTF8.self)
    let start = text.range(of: #""features":["#)!.upperBound
    let end = text.range(of: #"],"bbox""#)!.lowerBound
    return text[start..<end].components(separatedBy: ",\n")
  }()

  /// With another value for some key.
  private static func changed(_ feature: String, _ random: inout SeededGenerator) -> String {
    let keys = ["mag", "place", "time", "updated", "coordinates", "geometry", "properties", "id"]
    guard
      var object = try? JSONSerialization.jsonObject(with: Data(feature.utf8)) as? [String: Any]
    else { return feature }
    let key = keys.randomElement(using: &random)!
    // Its place is marked, because not all that a feed can have can be had here.
    let marker = "«»"
    switch key {
    case "coordinates":
      object["geometry"] = ["type": "Point", "coordinates": marker]
    case "geometry", "properties", "id":
      object[key] = marker
    default:
      var properties = object["properties"] as? [String: Any] ?? [:]
      properties[key] = Bool.random(using: &random) ? marker : nil
      object["properties"] = properties
    }
    let data = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
    return String(decoding: data, as: UTF8.self)
      .replacing("\"\(marker)\"", with: Self.values.randomElement(using: &random)!)
  }
}

/// Each is wrong in one way.
private let badFeatures =
  ["null", "1", #""feature""#, "[]", "{}", #"{"id":"a"}"#]
  + [
    "null", "true", #""2.5""#, "{}", "[1]", "NaN", "1e999", "-Infinity", "1e5", "13", "-11", "01",
    "1.",
    ".5",
  ]
  .map { Feed.feature(mag: $0) }
  + [
    "null", "1", #""""#, #""\ud800""#, #""\x""#, "[]",
    "\"\(String(repeating: "x", count: 501))\"",
  ].map { Feed.feature(place: $0) }
  + ["null", #""now""#, "1e999", "1e300", "-1e300", "253402300800000", "[1]", "NaN", "{}"].flatMap {
    [Feed.feature(time: $0), Feed.feature(updated: $0)]
  }
  + [
    "null", "17", #""""#, #""a b""#, #""a\nb""#, #""a\u0000b""#, #""a\u007f""#, #""é""#,
    "\"\(String(repeating: "x", count: 101))\"",
  ].map { Feed.feature(id: $0) }
  + [
    "null", "[]", "[1]", "[null,null]", #"["1","2"]"#, "[1,null]", "[[1,2]]", "{}", "[181,0]",
    "[-181,0]", "[0,91]", "[0,-91]", "[1e999,0]", "[NaN,0]", "1",
  ].map { Feed.feature(coordinates: $0) }
  + [
    Feed.feature().replacing(#""mag""#, with: #""mug""#),
    Feed.feature().replacing(#""place""#, with: #""plaice""#),
    Feed.feature().replacing(#""time""#, with: #""tide""#),
    Feed.feature().replacing(#""time""#, with: #""\u0074ime""#),
    Feed.feature().replacing(#""updated""#, with: #""outdated""#),
    Feed.feature().replacing(#""id""#, with: #""ego""#),
    Feed.feature().replacing(#""geometry""#, with: #""geometer""#),
    Feed.feature().replacing(#""coordinates""#, with: #""ordinates""#),
    Feed.feature().replacing(#""properties""#, with: #""property""#),
    #"{"properties":null,"geometry":null,"id":null}"#,
  ]

private let badFeeds = [
  "", " ", "<html></html>", "[]", "null", "1", #""features""#, "{}", #"{"features":null}"#,
  #"{"features":{}}"#, #"{"features":[}"#, #"{"features":[]"#, #"{"features":[]}}"#,
  #"{"features":[]} x"#, #"{"features":[,]}"#, #"{"features":[1 2]}"#, #"{"features" []}"#,
  #"{features:[]}"#, #"{"a":1 "features":[]}"#, #"{"a":,"features":[]}"#,
  #"{"a":[}],"features":[]}"#,
]
