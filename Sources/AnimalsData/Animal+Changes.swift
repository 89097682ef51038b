extension Animal {
  /// Changes of an animal by a user. Beyond the guide.
  public struct Changes: Codable, Hashable, Sendable {
    /// `nil` if it was not changed.
    let name: String?
    let diet: Diet?
    let categoryId: String?

    public init(name: String? = nil, diet: Diet? = nil, categoryId: String? = nil) {
      self.name = name
      self.diet = diet
      self.categoryId = categoryId
    }
  }

  /// The changes that undo other changes: the current values of the parts that those change.
  public func undoing(_ changes: Changes) -> Changes {
    Changes(
      name: changes.name.map { _ in self.name },
      diet: changes.diet.map { _ in self.diet },
      categoryId: changes.categoryId.map { _ in self.categoryId }
    )
  }

  /// The animal with changes; the other parts stay as they are.
  public func with(_ changes: Changes) -> Self {
    Self(
      animalId: self.animalId,
      name: changes.name ?? self.name,
      diet: changes.diet ?? self.diet,
      categoryId: changes.categoryId ?? self.categoryId,
      isFavorite: self.isFavorite,
      position: self.position,
      picture: self.picture
    )
  }
}
