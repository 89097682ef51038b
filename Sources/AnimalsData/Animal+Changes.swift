extension Animal {
  /// What somebody has changed of an animal. Beyond the guide.
  public struct Changes: Codable, Hashable, Sendable {
    /// `nil` where nothing was changed.
    let name: String?
    let diet: Diet?
    let categoryId: String?

    public init(name: String? = nil, diet: Diet? = nil, categoryId: String? = nil) {
      self.name = name
      self.diet = diet
      self.categoryId = categoryId
    }
  }

  /// What undoes changes of this animal: the parts that they change, as they are now.
  public func undoing(_ changes: Changes) -> Changes {
    Changes(
      name: changes.name.map { _ in self.name },
      diet: changes.diet.map { _ in self.diet },
      categoryId: changes.categoryId.map { _ in self.categoryId }
    )
  }

  /// The animal with changes; what was not changed stays as it is.
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
