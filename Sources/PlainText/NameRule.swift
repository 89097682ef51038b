import Foundation

/// What a name may be that people enter: visible plain text, not too long, in NFC, without
/// surrounding white space.
///
/// ```swift
/// let rule = NameRule(characterLimit: 200)
/// try rule.name(" Red kangaroo ")  // Red kangaroo
/// try rule.name("\u{202E}ort")  // throws NameRule.Problem.hiddenCharacters
/// rule.cleaned("a\nb")  // a b
/// ```
public struct NameRule: Sendable {
  public let characterLimit: Int

  /// - Parameter characterLimit: The maximum length, in characters.
  public init(characterLimit: Int) {
    self.characterLimit = characterLimit
  }

  /// The maximum size of a name in bytes: four for each character.
  private var byteLimit: Int { 4 * self.characterLimit }
  /// The maximum size of one character with its marks, in bytes. The longest emoji have 41.
  private static let characterByteLimit = 64

  /// Why a text is not a valid name.
  public enum Problem: Error, Hashable, Sendable {
    /// It has no visible characters.
    case empty
    case tooLong
    /// It has control characters, or other invisible characters that change the visible ones.
    case hiddenCharacters
    /// A character has dozens of marks.
    case tooManyMarks
  }

  /// The name that was entered as a text.
  ///
  /// - Throws: ``Problem``.
  /// - Complexity: O(n), n bytes.
  public func name(_ text: String) throws(Problem) -> String {
    // A text that is far too long is not even normalized.
    guard text.utf8.count <= 4 * self.byteLimit else { throw .tooLong }
    // Of most names, nothing has to be looked up in Unicode.
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return try self.name(ascii: text) }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping
    guard text.showsSomething else { throw .empty }
    guard text.hasOnlyPlainCharacters else { throw .hiddenCharacters }
    guard text.utf8.count <= self.byteLimit, text.count <= self.characterLimit else {
      throw .tooLong
    }
    guard text.allSatisfy({ $0.utf8.count <= Self.characterByteLimit }) else { throw .tooManyMarks }
    return text
  }

  /// - Parameter text: Spaces and visible characters of ASCII.
  private func name(ascii text: String) throws(Problem) -> String {
    var text = text.utf8[...]
    while text.first == UInt8(ascii: " ") { text.removeFirst() }
    while text.last == UInt8(ascii: " ") { text.removeLast() }
    guard text.isEmpty == false else { throw .empty }
    guard text.count <= self.characterLimit else { throw .tooLong }
    return String(Substring(text))
  }

  /// A sentence that says what to do.
  public func message(_ problem: Problem) -> String {
    switch problem {
    case .empty: "Enter a name."
    case .tooLong:
      "This name is too long. Enter one of at most \(self.characterLimit) characters."
    case .hiddenCharacters: "This name has invisible characters. Enter it without them."
    case .tooManyMarks: "This name has too many accents on one letter. Enter it with fewer."
    }
  }

  /// The valid name that is closest to a text that others have stored: without invalid characters,
  /// and cut to the limit.
  ///
  /// - Returns: `nil` if nothing of it is visible.
  /// - Complexity: O(n), n bytes.
  public func cleaned(_ text: String) -> String? {
    if let name = try? self.name(text) { return name }
    var cleaned = ""
    var count = 0
    for character in text.prefix(4 * self.byteLimit).precomposedStringWithCanonicalMapping {
      let plain = character.isWhitespace ? " " : String(character).plain
      guard plain.utf8.count <= Self.characterByteLimit else { continue }
      guard count < self.characterLimit, cleaned.utf8.count + plain.utf8.count <= self.byteLimit
      else { break }
      cleaned += plain
      count += 1
    }
    return try? self.name(cleaned)
  }
}
