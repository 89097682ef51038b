import ArgumentParser
import Terminal

/// Fetches earthquakes into a database, and reads and deletes them there.
///
/// Source: the guide, chapter QuakesDataClient.
@main struct QuakesDataClient: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "QuakesDataClient",
    abstract: "Fetches earthquakes into a database, and reads and deletes them there.",
    discussion: """
      For example:

        QuakesDataClient
        QuakesDataClient fetch --range week --database quakes.store
        QuakesDataClient list --date 2018-02-07 --sort magnitude --order reverse \\
          --database quakes.store
      """,
    subcommands: [Overview.self, Fetch.self, List.self, Delete.self, DeleteAll.self],
    defaultSubcommand: Overview.self
  )

  static func main() async {
    await Self.runOrComplain()
  }
}
