package import ArgumentParser
import Dispatch
import Foundation
import PlainText

extension AsyncParsableCommand {
  /// Runs the command, or reports in one line what went wrong. The exit code is then 64 for invalid
  /// usage, otherwise 1.
  ///
  /// - Parameter write: Writes that line to standard error; `nil` to wait two seconds at most for it.
  package static func runOrComplain(_ write: (@Sendable (String) -> Void)? = nil) async {
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
      (write ?? Self.write)("Error: \(message.inOneLine)\n")
      Foundation.exit(code.rawValue)
    }
  }

  /// A pipe that nobody reads must not keep the program from ending.
  private static func write(_ line: String) {
    let end = DispatchSemaphore(value: 0)
    DispatchQueue(label: "runOrComplain").async {
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
      end.signal()
    }
    _ = end.wait(timeout: .now() + 2)
  }
}
