public import ImmutableData
public import Pictures

// The custom order.
extension Animal: ArrangedRow {
  public typealias Position = RowPosition

  public var placeWithoutPosition: String { self.name }
}

extension Animal {
  /// A mark on an animal: a star, a position or a picture. Beyond the guide.
  ///
  /// A mark changes nothing else of the animal, and other changes of the animal keep its marks.
  public enum Mark: Hashable, Sendable {
    case favorite(Bool)
    /// `nil`: it returns to its place by name.
    case position(Position?)
    /// `nil`: the picture is removed.
    case picture(Picture?)
  }

  /// The animal with a mark.
  public func with(_ mark: Mark) -> Self {
    var animal = self
    switch mark {
    case .favorite(let isFavorite): animal.isFavorite = isFavorite
    case .position(let position): animal.position = position
    case .picture(let picture): animal.picture = picture
    }
    return animal
  }

  /// The marks of an animal that a new one lacks.
  var marks: [Mark] {
    (self.isFavorite ? [.favorite(true)] : []) + (self.position.map { [.position($0)] } ?? [])
      + (self.picture.map { [.picture($0)] } ?? [])
  }
}

// As JSON. Without marks, it is the same as in the guide.
extension Animal {
  private enum CodingKeys: String, CodingKey {
    case animalId, name, diet, categoryId, isFavorite, position, picture
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      animalId: try values.decode(String.self, forKey: .animalId),
      name: try values.decode(String.self, forKey: .name),
      diet: try values.decode(Diet.self, forKey: .diet),
      categoryId: try values.decode(String.self, forKey: .categoryId),
      isFavorite: try values.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false,
      // An invalid position or picture is treated like a missing one.
      position: try? values.decodeIfPresent(Position.self, forKey: .position),
      picture: try? values.decodeIfPresent(Picture.self, forKey: .picture)
    )
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(self.animalId, forKey: .animalId)
    try values.encode(self.name, forKey: .name)
    try values.encode(self.diet, forKey: .diet)
    try values.encode(self.categoryId, forKey: .categoryId)
    if self.isFavorite { try values.encode(true, forKey: .isFavorite) }
    try values.encodeIfPresent(self.position, forKey: .position)
    try values.encodeIfPresent(self.picture, forKey: .picture)
  }
}
