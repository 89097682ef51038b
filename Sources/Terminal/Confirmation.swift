import Foundation

/// A question before an action that cannot be undone.
package enum Confirmation {
  /// Whether there is a terminal to ask on.
  package static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

  /// - Parameter question: What will happen, as a question.
  /// - Returns: Whether the answer is yes. No answer means no.
  package static func ask(_ question: String) -> Bool {
    try? FileHandle.standardError.write(contentsOf: Data("\(question) [y/N] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
