import Foundation
import SampleFeeds
import Testing

@testable import QuakesData

struct FeltTests {
  private static func quakes(_ felt: String) throws -> [Quake] {
    let feature = """
      {"type":"Feature","properties":{"mag":1,"place":"Alaska","time":0,"updated":0,"felt":\(felt)},
      "geometry":{"type":"Point","coordinates":[1,2,3]},"id":"a"}
      """
    let data = Data("{\"features\":[\(feature)]}".utf8)
    return try FeedDecoder().decode(RemoteResponse.self, from: data).feed().quakes
  }

  @Test(
    arguments: [
      ("12", 12), ("1e3", 1_000), ("0", nil), ("null", nil), ("-1", nil), ("1.5", nil),
      ("1e300", nil), (#""many""#, nil),
    ] as [(String, Int?)])
  func `the felt count is read from the feed, and may be missing`(
    text: String,
    felt: Int?
  ) throws {
    #expect(try Self.quakes(text).map(\.felt) == [felt])
  }

  @Test func `the felt count is stored`() async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    let quakes = try Self.quakes("12") + [Quake.xsmall]

    try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])

    #expect(try await store.fetchLocalQuakesQuery().map(\.felt) == [12, nil])
  }

  @Test func `quakes stored without a felt count get one with the next refresh`() async throws {
    let quakes = try Self.quakes("12")

    let state = try await QuakesState.read(quakes, storedWithout: "felt", ofMigration: 4)

    #expect(state.quakes.data.values.map(\.felt) == [nil])
    #expect(state.quakes.changes(by: quakes).updated.map(\.felt) == [12])
  }

  @Test func `strong quakes of a sample were felt, and weak ones were not`() throws {
    let quakes = try SampleFeed(anchor: Date(timeIntervalSince1970: 1_518_000_000))
      .feed(range: .allMonth).quakes

    #expect(quakes.filter { $0.magnitude >= 5.5 }.allSatisfy { $0.felt ?? 0 > 0 })
    #expect(quakes.filter { $0.magnitude < 2 }.allSatisfy { $0.felt == nil })
  }
}
