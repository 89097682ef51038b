import Foundation
import GRDB
import HashTreeCollections
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
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let quakes = try Self.quakes("[1,2,17.26]")
      let store = try LocalStore(url: url)
      try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])
      try store.close()
      let old = try DatabaseQueue(path: url.path)
      try await old.write { database in
        try database.execute(
          sql: """
            ALTER TABLE quake DROP COLUMN depth;
            DELETE FROM grdb_migrations WHERE identifier = 'quakes 2';
            """)
      }
      try old.close()

      var state = QuakesState()
      state.quakes.data.insert(try await LocalStore(url: url).fetchLocalQuakesQuery())

      #expect(state.quakes.data.values.map(\.depth) == [nil])
      #expect(state.quakes.changes(by: quakes).updated.map(\.depth) == [17.26])
    }
  }
}
