import Foundation
import PlainText

/// What somebody looks for in the names of quakes.
public struct SearchText: Hashable, Sendable {
  /// As it was entered, in NFC. White space counts: names have some.
  public let text: String
  /// Without case and accents: texts that find the same quakes have the same.
  public let folded: String

  /// The most that is looked for; what is longer is as if nothing were.
  public static let characterLimit = 200
  public static let byteLimit = 400

  /// - Parameter text: As somebody entered it.
  /// - Complexity: O(n), n bytes, of which there are few.
  public init(_ text: String) {
    guard Self.isShort(text) else {
      self.text = ""
      self.folded = ""
      return
    }
    self.text = text.precomposedStringWithCanonicalMapping
    self.folded = FoldedText(self.text).string
  }

  /// A text in parts: those that a search finds in it, and what is around them.
  ///
  /// ```swift
  /// SearchText.parts(of: "San José, Costa Rica", finding: "jose").map(\.text)
  /// // ["San ", "José", ", Costa Rica"]
  /// ```
  ///
  /// - Parameters:
  ///   - text: What is searched.
  ///   - folded: What is looked for, as ``folded`` has it.
  /// - Returns: The parts in order, none of them empty; what is found ends where a character does.
  /// - Complexity: O(n · m), n bytes of the text, m of what is looked for.
  public static func parts(of text: String, finding folded: String) -> [Part] {
    let wanted = Array(folded.utf8)
    let (bytes, starts) = Self.foldedCharacters(of: text)
    guard let first = wanted.first, wanted.count <= bytes.count else {
      return text.isEmpty ? [] : [Part(text: text, isFound: false)]
    }
    var parts: [Part] = []
    var end = text.startIndex  // of the parts
    var offset = 0
    while offset + wanted.count <= bytes.count {
      guard bytes[offset] == first, bytes[offset...].starts(with: wanted) else {
        offset += 1
        continue
      }
      let start = starts[offset]
      let last = starts[offset + wanted.count - 1]
      offset += wanted.count
      // The rest of the last character belongs to what is found.
      while offset < starts.count, starts[offset] == last { offset += 1 }
      let next = offset < starts.count ? starts[offset] : text.endIndex
      if end < start { parts.append(Part(text: String(text[end..<start]), isFound: false)) }
      parts.append(Part(text: String(text[max(start, end)..<next]), isFound: true))
      end = next
    }
    if end < text.endIndex { parts.append(Part(text: String(text[end...]), isFound: false)) }
    return parts
  }

  /// A part of a text.
  public struct Part: Hashable, Sendable {
    public let text: String
    /// Whether it is what was looked for.
    public let isFound: Bool
  }

  /// The bytes of all characters without their case and accents, and where the character of each is.
  private static func foldedCharacters(of text: String) -> ([UInt8], [String.Index]) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return (FoldedText(text).bytes, Array(text.utf8.indices))
    }
    var (bytes, starts): ([UInt8], [String.Index]) = ([], [])
    for index in text.indices {
      let character = FoldedText(String(text[index])).bytes
      bytes += character
      starts += repeatElement(index, count: character.count)
    }
    return (bytes, starts)
  }

  /// Whether a text is looked for at all.
  private static func isShort(_ text: String) -> Bool {
    text.utf8.count <= Self.byteLimit && text.count <= Self.characterLimit
  }
}
