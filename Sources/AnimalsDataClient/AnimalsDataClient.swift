import ArgumentParser
import Terminal

/// Reads and writes the catalog of animals, in a file or on a server.
///
/// Source: the guide, chapter AnimalsDataClient.
@main struct AnimalsDataClient: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "AnimalsDataClient",
    abstract: "Reads and writes the catalog of animals.",
    discussion: """
      The catalog is in a database or on an AnimalsDataServer, for example:

        AnimalsDataClient
        AnimalsDataClient animals --category Bird --database default.store
        AnimalsDataClient add --name Eagle --diet carnivore --category Bird \\
          --remote http://127.0.0.1:8081
      """,
    subcommands: [
      Overview.self, Categories.self, Animals.self, Add.self, Update.self, Delete.self, Reload.self,
    ],
    defaultSubcommand: Overview.self
  )

  static func main() async {
    await Self.runOrComplain()
  }
}
