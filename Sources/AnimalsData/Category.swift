/// A kind of animal.
///
/// Source: the guide, chapter AnimalsData, section Category.
public struct Category: Hashable, Codable, Sendable {
  public let categoryId: String
  public let name: String

  package init(
    categoryId: String,
    name: String
  ) {
    self.categoryId = categoryId
    self.name = name
  }
}

extension Category: Identifiable {
  public var id: String {
    self.categoryId
  }
}

// The sample data.
extension Category {
  public static var amphibian: Self { Self(categoryId: "Amphibian", name: "Amphibian") }
  public static var bird: Self { Self(categoryId: "Bird", name: "Bird") }
  public static var fish: Self { Self(categoryId: "Fish", name: "Fish") }
  public static var invertebrate: Self { Self(categoryId: "Invertebrate", name: "Invertebrate") }
  public static var mammal: Self { Self(categoryId: "Mammal", name: "Mammal") }
  public static var reptile: Self { Self(categoryId: "Reptile", name: "Reptile") }

  static var samples: [Self] {
    [.amphibian, .bird, .fish, .invertebrate, .mammal, .reptile]
  }
}
