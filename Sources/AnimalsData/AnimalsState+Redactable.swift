public import ImmutableData

// The names of animals are personal data. Their ids are not, because they are random or from the
// sample data. Neither are categories, which users cannot enter.

extension AnimalsState: Redactable {
  /// - Complexity: O(n), n animals.
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    var state = self
    state.animals.table = self.animals.table.redacted(pseudonym)
    return state
  }
}

extension Animal: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    self.with(Changes(name: pseudonym(self.name)))
      .with(.position(self.position.flatMap { $0.redacted(pseudonym) }))
  }
}

extension Animal.Changes: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(name: self.name.map(pseudonym), diet: self.diet, categoryId: self.categoryId)
  }
}

extension CatalogChange: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .saved(let animal): .saved(animal.redacted(pseudonym))
    case .deleted: self
    case .replaced(let animals, let categories):
      .replaced(animals: animals.map { $0.redacted(pseudonym) }, categories: categories)
    }
  }
}
