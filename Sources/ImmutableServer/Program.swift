import Foundation
import HTTPConnections

/// The body of a program's `main`.
///
/// ```swift
/// @main struct CounterServer {
///   static func main() async {
///     await Program.run {
///       let server = try await WebServer(windows: windows, templates: templates)
///       try await server.run()
///     }
///   }
/// }
/// ```
public enum Program {
  /// Runs a program. If it throws, the error is written to standard error as a sentence, and the
  /// program exits with status 1. An error thrown from `main` itself would look like a crash.
  ///
  /// What the program prints appears line by line, also in a file or a pipe. It may open as many
  /// files as the system allows.
  @MainActor public static func run(_ body: @MainActor () async throws -> Void) async {
    do {
      try ServerProcess.prepare()
      try await body()
    } catch {
      LogWriter.standardError.writeLast("Error: \(Self.sentence(for: error))\n")
      exit(1)
    }
  }

  static func sentence(for error: any Error) -> String {
    (error as? any LocalizedError)?.errorDescription ?? "\(error)"
  }
}
