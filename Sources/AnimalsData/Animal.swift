/// An animal of the catalogue.
///
/// Source: the guide, chapter AnimalsData, section Animal.
public struct Animal: Hashable, Codable, Sendable {
  public let animalId: String
  public let name: String
  public let diet: Diet
  public let categoryId: String

  package init(
    animalId: String,
    name: String,
    diet: Diet,
    categoryId: String
  ) {
    self.animalId = animalId
    self.name = name
    self.diet = diet
    self.categoryId = categoryId
  }
}

extension Animal {
  /// What an animal eats.
  public enum Diet: String, CaseIterable, Hashable, Codable, Sendable {
    case herbivorous = "Herbivore"
    case carnivorous = "Carnivore"
    case omnivorous = "Omnivore"
  }
}

extension Animal {
  /// The most characters that a name may have where somebody enters one.
  public static var nameLimit: Int { 200 }
}

extension Animal: Identifiable {
  public var id: String {
    self.animalId
  }
}

// The sample data, with the identifiers of the guide.
extension Animal {
  public static var dog: Self {
    Self(animalId: "Dog", name: "Dog", diet: .carnivorous, categoryId: "Mammal")
  }

  public static var cat: Self {
    Self(animalId: "Cat", name: "Cat", diet: .carnivorous, categoryId: "Mammal")
  }

  public static var kangaroo: Self {
    Self(animalId: "Kangaroo", name: "Red kangaroo", diet: .herbivorous, categoryId: "Mammal")
  }

  public static var gibbon: Self {
    Self(animalId: "Bibbon", name: "Southern gibbon", diet: .herbivorous, categoryId: "Mammal")
  }

  public static var sparrow: Self {
    Self(animalId: "Sparrow", name: "House sparrow", diet: .omnivorous, categoryId: "Bird")
  }

  public static var newt: Self {
    Self(animalId: "Newt", name: "Newt", diet: .carnivorous, categoryId: "Amphibian")
  }

  static var samples: [Self] {
    [.dog, .cat, .kangaroo, .gibbon, .sparrow, .newt]
  }
}
