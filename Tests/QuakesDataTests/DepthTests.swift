import Foundation
import Testing

@testable import QuakesData

struct DepthTests {
  private static func quakes(_ coordinates: String) throws -> [Quake] {
    let feature = """
      {"type":"Feature","properties":{"mag":1,"place":"Alaska","time":0,"updated":0},
      "geometry":{"type":"Point","coordinates":\(coordinates)},"id":"a"}
      """
    let data = Data("{\"features\":[\(feature)]}".utf8)
    return try FeedDecoder().decode(RemoteResponse.self, from: data).feed().quakes
  }

  @Test(
    arguments: [
      ("[1,2,17.26]", 17.26), ("[1,2,-1.5,9]", -1.5), ("[1,2]", nil), ("[1,2,null]", nil),
      ("[1,2,\"deep\"]", nil), ("[1,2,1e9]", nil), ("[1,2,[3]]", nil),
    ] as [(String, Double?)])
  func `the depth is read from the feed, and may be missing`(
    coordinates: String,
    depth: Double?
  ) throws {
    #expect(try Self.quakes(coordinates).map(\.depth) == [depth])
  }

  @Test func `a depth is kept`() async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    let quakes = try Self.quakes("[1,2,17.26]") + [Quake.xsmall]

    try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])

    #expect(try await store.fetchLocalQuakesQuery().map(\.depth) == [17.26, nil])
  }

  @Test func `quakes stored without depths get them with the next refresh`() async throws {
    let quakes = try Self.quakes("[1,2,17.26]")

    let state = try await QuakesState.read(quakes, storedWithout: "depth", ofMigration: 2)

    #expect(state.quakes.data.values.map(\.depth) == [nil])
    #expect(state.quakes.changes(by: quakes).updated.map(\.depth) == [17.26])
  }
}
