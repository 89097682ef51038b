import Foundation
import TestSupport
import Testing

@testable import QuakesData

/// Feeds: whatever the bytes, they are a failure, or earthquakes that can be.
struct FeedFuzzTests {
  private static let features: [String] = {
    let url = Fuzzing.root.appending(
      path: "Tests/QuakesDataTests/Resources/usgs-all-week-2018-02-07.geojson"
    )
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    let start = #"{"type":"Feature","#
    return text.components(separatedBy: start).dropFirst().dropLast().map { part in
      start + part.prefix(upTo: (part.lastIndex(of: "}") ?? part.startIndex)) + "}"
    }
  }()

  private static let values =
    [
      "null", "true", "0", "-0", "1", "-1.5", "1e999", "-1e999", "1e-999", "1E+2", "0x10", "NaN",
      "-", "01", "1.", ".5",
    ]
    + [
      "1e", "+1", "[]", "{}", "[1,2]", "[[[[[[[[]]]]]]]]", "\"\"", "\"a\"", "\"\\ud800\"",
      "\"\\u0000\"", "\"\\u003czq\\u003e\"",
    ]
    + [
      "\"\\\"", "\"\\x\"", "\"\u{301}\"", "9007199254740993", "123456789012345678901234567890",
      "1517966773840", "180.0001",
    ]
    + [
      "90", "-180", "-90.00001", "12", "12.0000001", "253402300799000", "253402300800000", "0.1e1",
      "1e22", "1e23",
    ]
    + [
      String(repeating: "[", count: 5_000), String(repeating: "9", count: 400),
      "\"\(String(repeating: "x", count: 501))\"",
    ]
  private static let words =
    [
      "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\u{FEFF}", "\u{0}", " ", "\n",
      "\"features\":", "\"id\":", "\"mag\":",
    ]
    + [
      "\"geometry\":null,", "\"properties\":", "\"coordinates\":", "\"place\":\"<zq>\",", "null",
      "é", "/*", "//", "'",
    ]

  @Test func `a feed decodes as JSON says, or fails`() async throws {
    try #require(Self.features.count > 1_000)
    var decoded = 0
    try await Fuzzing.run("feed", few: 2_500) { generator in
      let bytes = Self.bytes(using: &generator)
      let data = Data(bytes)

      let feed = try? FeedDecoder().decode(RemoteResponse.self, from: data)

      try Self.compare(feed?.feed(), data, bytes)
      guard let feed else { return }
      decoded += 1
      for quake in feed.feed().quakes {
        guard quake.id.isEmpty == false, quake.name.isEmpty == false, abs(quake.latitude) <= 90,
          abs(quake.longitude) <= 180, (-10...12).contains(quake.magnitude),
          abs(quake.time.timeIntervalSince1970) < 1e12
        else { throw Finding("there is the earthquake \(quake)", bytes) }
      }
      try Self.checkAgain(feed, bytes)
    }
    #expect(decoded > 0)
  }

  @Test func `a feed decoded by its difference from another is the same as decoded whole`()
    async throws
  {
    var known = 0
    try await Fuzzing.run("feed difference", few: 1_000) { generator in
      var features = generator.some(Self.features, 0...6)
      var last: RemoteResponse?
      for _ in 0..<3 {
        let bytes = Self.bytes(of: features, using: &generator)
        let data = Data(bytes)

        let whole = Result { try FeedDecoder().decode(RemoteResponse.self, from: data) }
        let next = Result { try FeedDecoder(after: last).decode(RemoteResponse.self, from: data) }

        switch (whole, next) {
        case (.success(let whole), .success(let response)):
          guard response == whole, response.feed() == whole.feed() else {
            throw Finding("decoded by difference it is another feed", bytes)
          }
          known += Set(response.features).intersection(last?.features ?? []).count
          last = response
        case (.failure(let whole), .failure(let error)):
          guard "\(error)" == "\(whole)" else {
            throw Finding("decoded by difference it is \(error), not \(whole)", bytes)
          }
        default:
          throw Finding("only one of two decodings fails", bytes)
        }
        Self.edit(&features, using: &generator)
      }
    }
    #expect(known > 0)
  }

  /// Adds, removes, repeats, moves or changes a few features.
  private static func edit(_ features: inout [String], using generator: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      let index = Int.random(in: 0...features.count, using: &generator)
      guard index < features.count else {
        features.insert(generator.pick(Self.features), at: generator.once(in: 2) ? 0 : index)
        continue
      }
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: features.remove(at: index)
      case 1: features.insert(features[index], at: Int.random(in: 0...index, using: &generator))
      case 2: features.swapAt(index, Int.random(in: 0...index, using: &generator))
      case 3: features[index] = " \(features[index])\n"
      case 4: features[index] = features[index].replacing(",", with: ",\t ", maxReplacements: 1)
      default:
        var bytes = Array(features[index].utf8)
        bytes.replaceValue(with: generator.pick(Self.values), using: &generator)
        features[index] = String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// A feed of features; one in eight is broken somewhere.
  private static func bytes(
    of features: [String],
    using generator: inout SeededGenerator
  ) -> [UInt8] {
    var bytes = Array(#"{"type":"A","features":[\#(features.joined(separator: ","))]}"#.utf8)
    if generator.once(in: 8) { bytes.mutate(Self.words, using: &generator) }
    return bytes
  }

  private static let mark = Data([0xEF, 0xBB, 0xBF])

  /// What JSON is to Foundation must be it to us, with as many features.
  private static func compare(_ feed: QuakesFeed?, _ data: Data, _ bytes: [UInt8]) throws {
    let keys = String(decoding: bytes, as: UTF8.self).components(separatedBy: "eatures\"").count - 1
    // To Foundation a byte order mark is nothing, wherever it stands, nor is a comma at the end.
    guard keys == 1, bytes.contains(0) == false, data.dropFirst(3).range(of: Self.mark) == nil,
      bytes.hasCommaAtEnd == false,
      let json = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    else { return }
    guard let features = (json as? [String: Any])?["features"] as? [Any] else {
      guard feed == nil else { throw Finding("there are features where JSON has none", bytes) }
      return
    }
    guard let feed else { throw Finding("it is JSON with features, and fails", bytes) }
    let ids = features.compactMap { ($0 as? [String: Any])?["id"] as? String }
    let count = feed.quakes.count + feed.skipped
    guard Set(ids).count == ids.count ? count == features.count : count <= features.count else {
      throw Finding("\(features.count) features are \(count)", bytes)
    }
  }

  /// What was decoded is the same when it is encoded and decoded again. A date keeps its millisecond.
  private static func checkAgain(_ response: RemoteResponse, _ bytes: [UInt8]) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .millisecondsSince1970
    let first = response.feed().quakes
    let again = try FeedDecoder().decode(RemoteResponse.self, from: try encoder.encode(response))
    let isSame =
      again.feed().quakes.count == first.count
      && zip(first, again.feed().quakes).allSatisfy { one, other in
        one.id == other.id && one.name == other.name && one.magnitude == other.magnitude
          && one.latitude == other.latitude && one.longitude == other.longitude
          && abs(one.time.timeIntervalSince(other.time)) < 0.001
          && abs(one.updated.timeIntervalSince(other.updated)) < 0.001
      }
    guard isSame else { throw Finding("encoded and decoded it is another feed", bytes) }
  }

  private static func bytes(using generator: inout SeededGenerator) -> [UInt8] {
    let features = generator.some(Self.features, 0...4).joined(separator: ",")
    var bytes = Array(#"{"type":"FeatureCollection","features":[\#(features)]}"#.utf8)
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      bytes.replaceValue(with: generator.pick(Self.values), using: &generator)
    }
    if generator.once(in: 2) { bytes.mutate(Self.words, using: &generator) }
    return bytes
  }
}

extension [UInt8] {
  /// Whether an array or an object seems to end in a comma.
  fileprivate var hasCommaAtEnd: Bool {
    let solid = self.filter { " \t\r\n".utf8.contains($0) == false }
    return zip(solid, solid.dropFirst()).contains { comma, end in
      comma == UInt8(ascii: ",") && (end == UInt8(ascii: "]") || end == UInt8(ascii: "}"))
    }
  }

  /// Replaces what stands behind some colon, comma or bracket, up to the next.
  fileprivate mutating func replaceValue(
    with value: String,
    using generator: inout SeededGenerator
  ) {
    let starts = Set(":,[".utf8)
    let ends = Set(",]}".utf8)
    let from = Int.random(in: 0..<Swift.max(1, self.count), using: &generator)
    guard let start = self[from...].firstIndex(where: starts.contains),
      let end = self[(start + 1)...].firstIndex(where: ends.contains)
    else { return }
    self.replaceSubrange((start + 1)..<end, with: value.utf8)
  }
}
