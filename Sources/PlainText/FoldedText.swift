import Foundation

/// A text without case and accents, to be searched byte by byte. In UTF-8, a match never begins
/// inside a character.
package struct FoldedText: Hashable, Sendable {
  package let bytes: [UInt8]

  /// - Complexity: O(n), n bytes.
  package init(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      // The same result as folding, in a fifteenth of the time: 1.6 ms for 10,000 names.
      self.bytes = text.utf8.map(\.lowercased)
    } else {
      self.bytes = Self.foldedByCharacters(text) ?? Self.folded(text)
    }
  }

  /// Decomposed, because equal texts may be composed differently.
  private static func folded(_ text: String) -> [UInt8] {
    Array(
      text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
        .decomposedStringWithCanonicalMapping.utf8
    )
  }

  /// The same, in a thirtieth of the time: 7 µs for the longest name.
  ///
  /// - Returns: `nil` if characters of the text may combine with each other, or are not known here.
  private static func foldedByCharacters(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for character in text.unicodeScalars {
      if character.value < Self.characters.count {
        guard let folded = Self.characters[Int(character.value)] else { return nil }
        bytes += folded
      } else if Self.chinese.contains(character.value) {
        bytes += character.utf8
      } else {
        return nil
      }
    }
    return bytes
  }

  /// The characters of the Latin alphabets and most of the Cyrillic ones, each folded, by their codes;
  /// `nil` for those that combine with others, and for Greek, whose letters depend on their neighbors.
  private static let characters: [[UInt8]?] = (0..<0x480).map { code in
    guard (0x300..<0x400).contains(code) == false, let character = Unicode.Scalar(UInt32(code))
    else { return nil }
    return Self.folded(String(Character(character)))
  }

  /// Most Chinese characters, which have neither case nor accents.
  private static let chinese: ClosedRange<UInt32> = 0x4E00...0x9FFF

  package var isEmpty: Bool {
    self.bytes.isEmpty
  }

  package var string: String {
    String(decoding: self.bytes, as: UTF8.self)
  }
}
