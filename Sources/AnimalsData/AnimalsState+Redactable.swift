public import ImmutableData

// The names of animals are personal data. Their ids are not, because they are random or from the
// sample data. Neither are categories, which users cannot enter. A position is, because it consists
// of the bytes of names.

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

extension Animal.Position {
  /// A position as long as this one.
  ///
  /// - Parameter pseudonym: Receives a lowercase letter for each half of a byte.
  /// - Returns: `nil` if the pseudonym is shorter than a byte.
  fileprivate func redacted(_ pseudonym: (String) -> String) -> Self? {
    let first = UInt8(ascii: "a")
    let letters = self.bytes.flatMap { [first + ($0 >> 4), first + ($0 & 15)] }
    let halves = pseudonym(String(decoding: letters, as: UTF8.self)).utf8.map { ($0 &- first) & 15 }
    var bytes = stride(from: 1, to: halves.count, by: 2).map { halves[$0 - 1] << 4 | halves[$0] }
    if bytes.last == 0 { bytes[bytes.count - 1] = 0x80 }
    return Self(bytes)
  }
}

extension Animal.Changes: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    Self(name: self.name.map(pseudonym), diet: self.diet, categoryId: self.categoryId)
  }
}

extension CatalogueChange: Redactable {
  public func redacted(_ pseudonym: (String) -> String) -> Self {
    switch self {
    case .saved(let animal): .saved(animal.redacted(pseudonym))
    case .deleted: self
    case .replaced(let animals, let categories):
      .replaced(animals: animals.map { $0.redacted(pseudonym) }, categories: categories)
    }
  }
}
