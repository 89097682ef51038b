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
    var scanner = FeedScanner(Data(text.utf8))
    var features: [ScannedFeature] = []
    let skipped = try scanner.features { features.append($0) }
    return (features, skipped)
  }
}

extension ScannedFeature {
  fileprivate static func make(
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
      id: "a"
    )
  }
}
