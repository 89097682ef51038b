public import Pictures

/// An animal of the catalog.
///
/// Source: the guide, chapter AnimalsData, section Animal.
public struct Animal: Hashable, Codable, Sendable {
  public let animalId: String
  public let name: String
  public let diet: Diet
  public let categoryId: String
  /// Beyond the guide: whether it has a star, which all users share.
  public internal(set) var isFavorite: Bool
  /// Beyond the guide: its position in the custom order; `nil` if it is placed by its name.
  public internal(set) var position: Position?
  /// Beyond the guide: its picture.
  public internal(set) var picture: Picture?

  package init(
    animalId: String,
    name: String,
    diet: Diet,
    categoryId: String,
    isFavorite: Bool = false,
    position: Position? = nil,
    picture: Picture? = nil
  ) {
    self.animalId = animalId
    self.name = name
    self.diet = diet
    self.categoryId = categoryId
    self.isFavorite = isFavorite
    self.position = position
    self.picture = picture
  }

  /// The diet of an animal.
  public enum Diet: String, CaseIterable, Hashable, Codable, Sendable {
    case herbivorous = "Herbivore"
    case carnivorous = "Carnivore"
    case omnivorous = "Omnivore"
  }

  /// The maximum length of an entered name, in characters.
  public static var nameLimit: Int { 200 }
}

extension Animal: Identifiable {
  public var id: String {
    self.animalId
  }
}

// The sample data, with the identifiers of the guide.
extension Animal {
  public static var dog: Self { .sample("Dog", "Dog", .carnivorous, .mammal) }
  public static var cat: Self { .sample("Cat", "Cat", .carnivorous, .mammal) }
  public static var kangaroo: Self { .sample("Kangaroo", "Red kangaroo", .herbivorous, .mammal) }
  public static var gibbon: Self { .sample("Bibbon", "Southern gibbon", .herbivorous, .mammal) }
  public static var sparrow: Self { .sample("Sparrow", "House sparrow", .omnivorous, .bird) }
  public static var newt: Self { .sample("Newt", "Newt", .carnivorous, .amphibian) }

  static var samples: [Self] {
    [.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt]
  }

  private static func sample(
    _ animalId: String,
    _ name: String,
    _ diet: Diet,
    _ category: Category
  ) -> Self {
    Self(animalId: animalId, name: name, diet: diet, categoryId: category.categoryId)
  }
}
