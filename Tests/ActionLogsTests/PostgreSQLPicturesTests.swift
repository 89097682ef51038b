import Foundation
import Pictures
import PostgreSQLLog
import Synchronization
import TestPostgreSQL
import Testing

extension WithPostgreSQL {
  @Suite struct PostgreSQLPicturesTests {
    private static let pictures = (1...3).compactMap { number in
      Picture(hash: String(repeating: "\(number)", count: 64), kind: .png, width: 1, height: 1)
    }

    /// Works with an empty database: two servers, and what makes all pictures older.
    private func withPictures(
      _ work: (
        _ one: PostgreSQLPictures, _ other: PostgreSQLPictures,
        _ age: (Duration) async throws -> Void
      ) async throws -> Void
    ) async throws {
      let server = try #require(PostgreSQLServer.current)
      let database = try await server.makeDatabase()
      let make = { PostgreSQLPictures(try PostgreSQLAddress(server.url(database))) }
      let (one, other) = (try make(), try make())
      async let first: Void = one.open()
      try await other.open()
      try await first
      try await work(one, other) { duration in
        let seconds = Int64(duration / .seconds(1))
        try await server.execute(
          "UPDATE action_log.picture SET used = used - interval '\(seconds) s'", in: database)
      }
    }

    private func keep(_ picture: Picture, _ content: Data, at pictures: PostgreSQLPictures)
      async throws
    {
      let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
      try content.write(to: file)
      defer { try? FileManager.default.removeItem(at: file) }
      try await pictures.keep(picture, file)
    }

    private func content(_ picture: Picture, at pictures: PostgreSQLPictures) async throws -> Data?
    {
      let content = Mutex(Data())
      let isThere = try await pictures.fetch(picture.hash) { piece in
        content.withLock { $0 += piece }
      }
      return isThere ? content.withLock { $0 } : nil
    }

    @Test func `a picture kept by one server can be fetched by another`() async throws {
      try await self.withPictures { one, other, _ in
        let content = Data((0..<(8 << 20)).map { UInt8(truncatingIfNeeded: $0 % 251) })

        try await self.keep(Self.pictures[0], content, at: one)

        #expect(try await self.content(Self.pictures[0], at: other) == content)
        #expect(try await self.content(Self.pictures[1], at: other) == nil)
      }
    }

    @Test func `pictures unused for a while are removed, recently used ones are kept`()
      async throws
    {
      try await self.withPictures { one, other, age in
        let (grace, hashes) = (Duration.seconds(3_600), Self.pictures.map(\.hash))
        for picture in Self.pictures { try await self.keep(picture, Data("a".utf8), at: one) }
        try await age(.seconds(7_200))
        // It is uploaded again.
        try await self.keep(Self.pictures[1], Data("a".utf8), at: other)

        try await one.removeUnused(except: [hashes[0]], grace: grace)
        try await other.removeUnused(except: [], grace: grace)

        #expect(try await self.content(Self.pictures[0], at: one) != nil)
        #expect(try await self.content(Self.pictures[1], at: one) != nil)
        #expect(try await self.content(Self.pictures[2], at: one) == nil)
      }
    }
  }
}
