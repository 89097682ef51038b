import ArgumentParser
import Foundation

/// Reads and writes the catalogue of animals, in a file or on a server.
///
/// Source: the guide, chapter AnimalsDataClient.
@main struct AnimalsDataClient: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "AnimalsDataClient",
    abstract: "Reads and writes the catalogue of animals.",
    discussion: """
      The catalogue is in a database or on an AnimalsDataServer, for example:

        AnimalsDataClient animals --category Bird --database default.store
        AnimalsDataClient add --name Eagle --diet carnivore --category Bird \\
          --remote http://127.0.0.1:8080
      """,
    subcommands: [
      Categories.self, Animals.self, Add.self, Update.self, Delete.self, Reload.self,
    ]
  )

  /// Runs, or says in one line what went wrong.
  static func main() async {
    do {
      var command = try Self.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let code = Self.exitCode(for: error)
      // Help, which is no failure.
      guard code != .success else { Self.exit(withError: error) }
      let message =
        code == .validationFailure ? Self.message(for: error) : error.localizedDescription
      FileHandle.standardError.write(Data("Error: \(Text.line(message))\n".utf8))
      Foundation.exit(code.rawValue)
    }
  }
}
