import AnimalsData

/// What an animal was as its editor was opened. Should it be deleted meanwhile, the editor goes on
/// showing this.
struct SeenAnimal: Hashable, Sendable {
  let name: String
  let diet: Animal.Diet
  let categoryId: Category.ID

  /// The most bytes that a parameter of a URL may have: what is longer would not come back.
  static let byteLimit = 1_200

  /// - Returns: `nil` for what is too long for a URL.
  init?(_ animal: Animal) {
    self.name = animal.name
    self.diet = animal.diet
    self.categoryId = animal.categoryId
    guard self.description.utf8.count <= Self.byteLimit else { return nil }
  }
}

/// As the URL has it: the diet, the category and the name, with tildes between.
extension SeenAnimal: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let diet = Animal.Diet(rawValue: String(parts[0])) else { return nil }
    self.diet = diet
    self.categoryId = String(parts[1]).replacing("%7E", with: "~").replacing("%25", with: "%")
    self.name = String(parts[2])
  }

  var description: String {
    let categoryId = self.categoryId.replacing("%", with: "%25").replacing("~", with: "%7E")
    return "\(self.diet.rawValue)~\(categoryId)~\(self.name)"
  }
}
