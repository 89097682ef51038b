import Foundation
import ImmutableData

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

  /// Its size in memory, in bytes.
  var count: Int { self.characters.count }

  func contains(all words: [Self]) -> Bool {
    words.allSatisfy { strstr(self.characters, $0.characters) != nil }
  }

  /// The words of a search.
  static func words(of search: String) -> [Self] {
    search.split(separator: " ").map { Self(String($0)) }
  }
}
