import ArgumentParser
import QuakesData
import Terminal

extension QuakesDataClient {
  /// The default command, as in the guide.
  struct Overview: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "overview",
      abstract: "Lists the earthquakes of the database, then those of the feed.",
      discussion: "Nothing is saved; fetch does that."
    )

    @OptionGroup var feed: FeedOptions
    @OptionGroup var database: DatabaseOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let local = try await self.database.withStore { try await $0.fetchShowableQuakes() }
      // Shown before the feed is requested, because that may fail.
      try self.output.write(local)
      try self.output.write(try await self.feed.fetch().quakes)
    }
  }
}
