import ArgumentParser
import Foundation
import QuakesData
import Terminal

extension QuakesDataClient {
  struct Fetch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Fetches earthquakes into the database.",
      discussion: """
        What is there stays, but for earthquakes whose magnitude now is zero or below. Writes how \
        many were new, changed and deleted, and how many of the feed could not be read.
        """
    )

    @OptionGroup var feed: FeedOptions
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let result = try await self.database.withStore { store in
        let old = QuakesState.Quakes(try await store.fetchShowableQuakes())
        let feed = try await self.feed.fetch()
        let changes = old.changes(by: old.news(in: feed))
        try await store.didFetchRemoteQuakesMutation(
          inserted: changes.inserted,
          updated: changes.updated,
          deleted: changes.deleted
        )
        return FetchResult(
          fetched: feed.quakes.count,
          inserted: changes.inserted.count,
          updated: changes.updated.count,
          deleted: changes.deleted.count,
          skipped: feed.skipped
        )
      }
      try self.output.write(result, result.text)
    }
  }
}

private struct FetchResult: Encodable {
  let fetched: Int
  let inserted: Int
  let updated: Int
  let deleted: Int
  let skipped: Int

  var text: String {
    let unreadable = self.skipped == 0 ? "" : " Could not be read: \(self.skipped)."
    return "Earthquakes fetched: \(self.fetched). New: \(self.inserted), changed: \(self.updated), "
      + "deleted: \(self.deleted).\(unreadable)\n"
  }
}
