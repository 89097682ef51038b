import Foundation

/// The name of an animal as it may be entered: in NFC, without white space around it.
///
/// ```swift
/// try AnimalName(" Red kangaroo ").text  // Red kangaroo
/// try AnimalName("\u{202E}ort")  // throws AnimalName.Problem.hiddenCharacters
/// AnimalName.cleaned("a\nb")  // a b
/// ```
public struct AnimalName: Hashable, Sendable {
  public let text: String

  /// - Parameter text: As somebody entered it.
  /// - Throws: ``Problem``.
  /// - Complexity: O(n), n bytes.
  public init(_ text: String) throws(Problem) {
    // What is far too long is not even normalized.
    guard text.utf8.count <= 4 * Self.byteLimit else { throw .tooLong }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping
    guard text.showsSomething else { throw .empty }
    guard text.hasOnlyPlainCharacters else { throw .hiddenCharacters }
    guard text.utf8.count <= Self.byteLimit, text.count <= Animal.nameLimit else { throw .tooLong }
    guard text.allSatisfy({ $0.utf8.count <= Self.characterByteLimit }) else { throw .tooManyMarks }
    self.text = text
  }

  /// The most bytes that a name may have: four for each of ``Animal/nameLimit`` characters.
  static let byteLimit = 800
  /// The most bytes that one character may have, with its marks: the longest emoji have 41.
  static let characterByteLimit = 64
}

extension AnimalName {
  /// Why a text is no name.
  public enum Problem: Error, Hashable, Sendable {
    /// Nothing of it shows.
    case empty
    case tooLong
    /// It has control characters, or others that do not show and change what does.
    case hiddenCharacters
    /// A character has dozens of marks.
    case tooManyMarks

    /// A sentence that says what to do.
    public var message: String {
      switch self {
      case .empty: "Enter a name."
      case .tooLong:
        "This name is too long. Enter one of at most \(Animal.nameLimit) characters."
      case .hiddenCharacters: "This name has characters that do not show. Enter it without them."
      case .tooManyMarks: "This name has too many accents on one letter. Enter it with fewer."
      }
    }
  }
}

// What others have kept.
extension AnimalName {
  /// The name that is nearest to a text: without what no name may have, and no longer than a name.
  ///
  /// - Complexity: O(n), n bytes.
  static func cleaned(_ text: String) -> String {
    if let name = try? AnimalName(text) { return name.text }
    var cleaned = ""
    var count = 0
    for character in text.prefix(4 * Self.byteLimit).precomposedStringWithCanonicalMapping {
      let plain = character.isWhitespace ? " " : String(character).plain
      guard plain.utf8.count <= Self.characterByteLimit else { continue }
      guard count < Animal.nameLimit, cleaned.utf8.count + plain.utf8.count <= Self.byteLimit
      else { break }
      cleaned += plain
      count += 1
    }
    return (try? AnimalName(cleaned))?.text ?? "Unnamed"
  }
}

/// What an id may be, of an animal or of a category.
enum CatalogueID {
  /// In bytes of UTF-8, so that it fits into a URL beside others.
  static let lengths = 1...100

  /// - Complexity: O(n), n bytes, of which there are few.
  static func isValid(_ id: String) -> Bool {
    Self.lengths.contains(id.utf8.count) && id.hasOnlyPlainCharacters
  }
}

extension String {
  /// Whether anything of it can be seen.
  fileprivate var showsSomething: Bool {
    self.unicodeScalars.contains { scalar in
      let properties = scalar.properties
      switch properties.generalCategory {
      case .control, .format, .nonspacingMark, .enclosingMark, .spaceSeparator, .lineSeparator,
        .paragraphSeparator, .unassigned, .surrogate, .privateUse:
        return false
      default:
        // U+2800 is the Braille pattern without dots.
        return properties.isDefaultIgnorableCodePoint == false && scalar.value != 0x2800
      }
    }
  }

  /// Whether every character of it is one that people write.
  fileprivate var hasOnlyPlainCharacters: Bool {
    self.plain.unicodeScalars.count == self.unicodeScalars.count
  }

  /// The text without control characters, unassigned and private ones, separators of lines, and
  /// those that change the direction of others or do not show. A joiner may be between two letters,
  /// their marks or emoji, where it is part of how they are written.
  fileprivate var plain: String {
    let scalars = Array(self.unicodeScalars)
    var plain = String.UnicodeScalarView()
    for (index, scalar) in scalars.enumerated() {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .unassigned, .surrogate, .privateUse:
        continue
      case .format:
        guard [0x200C, 0x200D].contains(scalar.value), index > 0, index + 1 < scalars.count,
          scalars[index - 1].mayBeJoined, scalars[index + 1].mayBeJoined
        else { continue }
      default:
        break
      }
      plain.append(scalar)
    }
    return String(plain)
  }
}

extension Unicode.Scalar {
  fileprivate var mayBeJoined: Bool {
    switch self.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .otherSymbol, .modifierSymbol:
      true
    default:
      self.properties.isEmoji
    }
  }
}
