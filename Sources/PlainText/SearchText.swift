import Foundation

/// A search for texts that contain a text, ignoring case and accents. Searches that find the same
/// are equal.
public struct SearchText: Hashable, Sendable {
  /// The text as it was entered, in NFC.
  public let text: String
  /// The text without case and accents.
  package let folded: FoldedText
  private let pattern: SearchPattern

  /// The maximum length. A longer text is treated as empty.
  public static let characterLimit = 200
  private static let byteLimit = 4 * Self.characterLimit

  /// - Parameter text: The text as it was entered. White space is significant, because texts contain
  ///   it.
  /// - Complexity: O(n), n bytes, which are few.
  public init(_ text: String = "") {
    let isShort = text.utf8.count <= Self.byteLimit && text.count <= Self.characterLimit
    self.text = isShort ? text.precomposedStringWithCanonicalMapping : ""
    self.folded = FoldedText(self.text)
    self.pattern = SearchPattern(self.folded)
  }

  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.folded == rhs.folded }

  public func hash(into hasher: inout Hasher) { hasher.combine(self.folded) }

  /// Whether it finds every text.
  public var isEmpty: Bool { self.folded.isEmpty }

  /// - Complexity: O(n), n bytes of the text. Nothing is allocated for a text in ASCII. Any other one is
  ///   folded once for all searches, as far as there is room.
  public func finds(_ text: String) -> Bool {
    if self.isEmpty { return true }
    var text = text
    let found = text.withUTF8 { $0.isASCII ? self.pattern.offset(in: $0) != nil : nil }
    if let found { return found }
    let folded = FoldedNames.shared.fold(text)
    return folded.bytes.withUnsafeBufferPointer { self.pattern.offset(in: $0) != nil }
  }

  /// Splits a text into the parts that the search finds in it, and the parts around them.
  ///
  /// ```swift
  /// SearchText("jose").parts(of: "San José, Costa Rica").map(\.text)
  /// // ["San ", "José", ", Costa Rica"]
  /// ```
  ///
  /// - Returns: The parts in order, none of them empty. Matches end at the end of a character.
  /// - Complexity: O(n), n bytes of the text.
  public func parts(of text: String) -> [Part] {
    guard self.isEmpty == false else {
      return text.isEmpty ? [] : [Part(text: text, isFound: false)]
    }
    let count = self.folded.bytes.count
    let (bytes, starts) = Self.foldedCharacters(of: text)
    var parts: [Part] = []
    var end = text.startIndex  // the end of the parts so far
    var offset = 0
    while let found = bytes.withUnsafeBufferPointer({
      self.pattern.offset(in: $0, from: offset)
    }) {
      offset = found
      let start = starts[offset]
      let last = starts[offset + count - 1]
      offset += count
      // The rest of the last character belongs to the match.
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
    /// Whether it is a match.
    public let isFound: Bool
  }

  /// The bytes of all characters without case and accents, and the index of the character of each.
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
}
