import ArgumentParser
import Foundation

/// Asks before an action that cannot be undone.
package struct ConfirmationOptions: ParsableArguments {
  @Flag(help: "Do not ask for confirmation.")
  private var yes = false

  package init() {}

  /// - Parameter action: What will happen, as a sentence.
  /// - Throws: `ValidationError` if there is no terminal to ask on.
  package func check(_ action: String) throws {
    guard self.yes || isatty(STDIN_FILENO) == 1 else {
      throw ValidationError("\(action) Confirm it with --yes.")
    }
  }

  /// No answer means no.
  ///
  /// - Parameter question: What will happen, as a question.
  /// - Throws: ``Complaint`` if the answer is not yes.
  package func ask(_ question: String) throws {
    guard self.yes == false else { return }
    try? FileHandle.standardError.write(contentsOf: Data("\(question) [y/N] ".utf8))
    guard ["y", "yes"].contains(readLine()?.lowercased()) else {
      throw Complaint("Nothing was deleted.")
    }
  }
}
