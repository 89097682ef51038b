import Foundation
import PlainText

/// A valid name of an animal: in NFC, without surrounding white space.
///
/// ```swift
/// try AnimalName(" Red kangaroo ").text  // Red kangaroo
/// try AnimalName("\u{202E}ort")  // throws AnimalName.Problem.hiddenCharacters
/// AnimalName.cleaned("a\nb")  // a b
/// ```
public struct AnimalName: Hashable, Sendable {
  public let text: String

  /// - Parameter text: The text as it was entered.
  /// - Throws: ``Problem``.
  /// - Complexity: O(n), n bytes.
  public init(_ text: String) throws(Problem) {
    // A text that is far too long is not even normalized.
    guard text.utf8.count <= 4 * Self.byteLimit else { throw .tooLong }
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
      .precomposedStringWithCanonicalMapping
    guard text.showsSomething else { throw .empty }
    guard text.hasOnlyPlainCharacters else { throw .hiddenCharacters }
    guard text.utf8.count <= Self.byteLimit, text.count <= Animal.nameLimit else { throw .tooLong }
    guard text.allSatisfy({ $0.utf8.count <= Self.characterByteLimit }) else { throw .tooManyMarks }
    self.text = text
  }

  /// The maximum size of a name in bytes: four for each of ``Animal/nameLimit`` characters.
  static let byteLimit = 800
  /// The maximum size of one character with its marks, in bytes. The longest emoji have 41.
  static let characterByteLimit = 64
}

extension AnimalName {
  /// Why a text is not a valid name.
  public enum Problem: Error, Hashable, Sendable {
    /// It has no visible characters.
    case empty
    case tooLong
    /// It has control characters, or other invisible characters that change the visible ones.
    case hiddenCharacters
    /// A character has dozens of marks.
    case tooManyMarks

    /// A sentence that says what to do.
    public var message: String {
      switch self {
      case .empty: "Enter a name."
      case .tooLong:
        "This name is too long. Enter one of at most \(Animal.nameLimit) characters."
      case .hiddenCharacters: "This name has invisible characters. Enter it without them."
      case .tooManyMarks: "This name has too many accents on one letter. Enter it with fewer."
      }
    }
  }
}

// Names in stores, which others may have written.
extension AnimalName {
  /// The valid name that is closest to a text: without invalid characters, and cut to the limit.
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

/// The limits for ids of animals and categories.
enum CatalogueID {
  /// In bytes of UTF-8, so that it fits into a URL with other parameters.
  static let lengths = 1...100

  /// - Complexity: O(n), n bytes, which are few.
  static func isValid(_ id: String) -> Bool {
    Self.lengths.contains(id.utf8.count) && id.hasOnlyPlainCharacters
  }
}

// The content of a store may have been written by other programs.

extension Animal {
  /// The animal with a name that can be shown; `nil` if its id is unusable: it is part of addresses
  /// and forms, where it cannot be altered.
  var cleaned: Self? {
    guard CatalogueID.isValid(self.animalId), CatalogueID.isValid(self.categoryId) else {
      return nil
    }
    let name = AnimalName.cleaned(self.name)
    // Most names are valid.
    guard name.utf8.elementsEqual(self.name.utf8) == false else { return self }
    return self.with(Changes(name: name))
  }

  /// - Throws: ``UnusableAnimal``.
  func requireCleaned() throws -> Self {
    guard let cleaned = self.cleaned else { throw UnusableAnimal() }
    return cleaned
  }
}

extension Category {
  /// Like ``Animal/cleaned``.
  var cleaned: Self? {
    guard CatalogueID.isValid(self.categoryId) else { return nil }
    return Self(categoryId: self.categoryId, name: AnimalName.cleaned(self.name))
  }
}

/// A store answered with an animal that could not be shown or deleted.
struct UnusableAnimal: LocalizedError {
  var errorDescription: String? {
    "The store of the animals answered with an unusable id. Refresh to see its content."
  }
}
