import Foundation

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
    return Self(animalId: self.animalId, name: name, diet: self.diet, categoryId: self.categoryId)
  }
}

extension Animal {
  /// - Throws: ``UnusableAnimal``.
  func requireCleaned() throws -> Self {
    guard let cleaned = self.cleaned else { throw UnusableAnimal() }
    return cleaned
  }
}

/// A store answered with an animal that nobody could look at or delete.
struct UnusableAnimal: LocalizedError {
  var errorDescription: String? {
    "The animals' store answered with an id that cannot be used. Refresh to see what it has."
  }
}

extension Category {
  /// As ``Animal/cleaned``.
  var cleaned: Self? {
    guard CatalogueID.isValid(self.categoryId) else { return nil }
    let name = AnimalName.cleaned(self.name)
    guard name.utf8.elementsEqual(self.name.utf8) == false else { return self }
    return Self(categoryId: self.categoryId, name: name)
  }
}
