import AnimalsData
import Terminal

// The catalog.
extension OutputOptions {
  func write(_ categories: [AnimalsData.Category]) throws {
    try self.write(categories, Self.table(categories))
  }

  func write(_ animals: [Animal]) throws {
    try self.write(animals, Self.table(animals))
  }

  func write(_ animal: Animal) throws {
    try self.write(animal, Self.table([animal]))
  }

  static func table(_ categories: [AnimalsData.Category]) -> String {
    Text.table(["ID", "NAME"], categories.map { [$0.id, $0.name] })
  }

  static func table(_ animals: [Animal]) -> String {
    Text.table(
      ["ID", "NAME", "DIET", "CATEGORY"],
      animals.map { [$0.id, $0.name, $0.diet.rawValue, $0.categoryId] }
    )
  }
}
