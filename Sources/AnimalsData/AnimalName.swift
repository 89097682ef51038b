import DatabaseFiles
import Foundation
import Logging
public import PlainText

/// A valid name of an animal; see `NameRule`.
public struct AnimalName: Hashable, Sendable {
  public typealias Problem = NameRule.Problem

  public static let rule = NameRule(characterLimit: Animal.nameLimit)

  public let text: String

  /// - Parameter text: The text as it was entered.
  /// - Throws: ``Problem``.
  /// - Complexity: O(n), n bytes.
  public init(_ text: String) throws(Problem) {
    self.text = try Self.rule.name(text)
  }

  /// The valid name that is closest to one in a store, which others may have written.
  ///
  /// - Complexity: O(n), n bytes.
  static func cleaned(_ text: String) -> String {
    Self.rule.cleaned(text) ?? "Unnamed"
  }
}

/// The limits for ids of animals and categories.
enum CatalogID {
  /// In bytes of UTF-8, so that it fits into a URL with other parameters.
  static let lengths = 1...100

  /// In NFC, equal ids have the same bytes, so that a store and the state tell the same ids apart.
  ///
  /// - Complexity: O(n), n bytes, which are few.
  static func isValid(_ id: String) -> Bool {
    Self.lengths.contains(id.utf8.count) && id.hasOnlyPlainCharacters
      && (id.utf8.allSatisfy { $0 < 0x80 }
        || id.precomposedStringWithCanonicalMapping.utf8.elementsEqual(id.utf8))
  }
}

// The content of a store may have been written by other programs.

extension Animal {
  /// The animal with a name that can be shown; `nil` if its id is unusable: it is part of addresses
  /// and forms, where it cannot be altered.
  var cleaned: Self? {
    guard CatalogID.isValid(self.animalId), CatalogID.isValid(self.categoryId) else {
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
    guard CatalogID.isValid(self.categoryId) else { return nil }
    return Self(categoryId: self.categoryId, name: AnimalName.cleaned(self.name))
  }
}

// Reading.
extension PersistentSessionPersistentStore {
  /// The animals that can be shown. A store with foreign writers can have others; they are logged.
  ///
  /// - Throws: When the store cannot be read.
  func fetchShowableAnimals() async throws -> [Animal] {
    let animals = try await self.fetchAnimalsQuery()
    return self.hasForeignWriters ? animals.showable : animals
  }

  /// Like ``fetchShowableAnimals()``.
  func fetchShowableCategories() async throws -> [Category] {
    let categories = try await self.fetchCategoriesQuery()
    return self.hasForeignWriters ? categories.showable : categories
  }
}

extension [Animal] {
  /// The animals that can be shown. The others are logged.
  var showable: Self {
    self.showable(.animalsData, "Animals in the store have unusable ids and are skipped", \.cleaned)
  }
}

extension [Category] {
  /// Like those of animals.
  var showable: Self {
    self.showable(
      .animalsData, "Categories in the store have unusable ids and are skipped", \.cleaned)
  }
}

extension Logger {
  static var animalsData: Self { Self(label: "AnimalsData") }
}

/// A store answered with an animal that could not be shown or deleted.
struct UnusableAnimal: LocalizedError {
  var errorDescription: String? {
    "The store of the animals answered with an unusable id. Refresh to see its content."
  }
}
