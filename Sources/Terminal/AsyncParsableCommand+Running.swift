package import ArgumentParser
import Foundation

extension AsyncParsableCommand {
  /// Runs the command, or reports in one line what went wrong. The exit code is then 64 for invalid
  /// usage, otherwise 1.
  package static func runOrComplain() async {
    do {
      var command = try Self.parseAsRoot()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
    } catch {
      let code = Self.exitCode(for: error)
      // Help, which is not a failure.
      guard code != .success else { Self.exit(withError: error) }
      let message =
        code == .validationFailure ? Self.message(for: error) : error.localizedDescription
      let line = "Error: \(Text.line(message))\n"
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      Foundation.exit(code.rawValue)
    }
  }
}
