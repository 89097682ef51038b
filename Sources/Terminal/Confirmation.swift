import Foundation

/// A question before something that cannot be undone.
package enum Confirmation {
  /// Whether somebody is there to ask.
  package static var isPossible: Bool { isatty(STDIN_FILENO) == 1 }

  /// - Parameter question: What will happen, as a question.
  /// - Returns: Whether the answer is yes; no answer is none.
  package static func ask(_ question: String) -> Bool {
    FileHandle.standardError.write(Data("\(question) [y/N] ".utf8))
    return ["y", "yes"].contains(readLine()?.lowercased())
  }
}
