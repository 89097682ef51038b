import Foundation
import PlainText

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

// What a store has may have been written by others, and by others than people.

extension Animal {
  /// The animal with a name that can be shown; `nil` if it cannot be told from others: its id goes into
  /// addresses and forms, where it has to be what it is.
  var cleaned: Self? {
    guard CatalogueID.isValid(self.animalId), CatalogueID.isValid(self.categoryId) else {
      return nil
    }
    let name = AnimalName.cleaned(self.name)
    // Most are as they should be.
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
  /// As ``Animal/cleaned``.
  var cleaned: Self? {
    guard CatalogueID.isValid(self.categoryId) else { return nil }
    return Self(categoryId: self.categoryId, name: AnimalName.cleaned(self.name))
  }
}

/// A store answered with an animal that nobody could look at or delete.
struct UnusableAnimal: LocalizedError {
  var errorDescription: String? {
    "The animals' store answered with an id that cannot be used. Refresh to see what it has."
  }
}
