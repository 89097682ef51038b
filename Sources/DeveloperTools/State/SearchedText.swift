import Foundation
import ImmutableData
import Synchronization

/// A text that is searched for words, in any case. The log searches up to two thousand of them for
/// each action, so it is kept as C searches it.
struct SearchedText: Sendable {
  /// In lowercase, in Normalization Form C, with a zero at the end only. As large as the text.
  private let characters: [CChar]

  init(_ text: String) {
    self.characters =
      text.lowercased().normalized.utf8
      .map { $0 == 0 ? CChar(bitPattern: UInt8(ascii: " ")) : CChar(bitPattern: $0) } + [0]
  }

  func contains(all words: [Self]) -> Bool {
    words.allSatisfy { strstr(self.characters, $0.characters) != nil }
  }

  /// The words of a search.
  static func words(of search: String) -> [Self] {
    search.split(separator: " ").map { Self(String($0)) }
  }
}

extension Mutex<SearchedText?> {
  /// Whether a text contains some words. The first search makes it ready for all others.
  func contain(all words: [SearchedText], of text: () -> String) -> Bool {
    guard words.isEmpty == false else { return true }
    let searched = self.withLock { known in
      let searched = known ?? SearchedText(text())
      known = searched
      return searched
    }
    return searched.contains(all: words)
  }
}
