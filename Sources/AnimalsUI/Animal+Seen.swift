import AnimalsData
import ImmutableUI

extension Animal {
  /// The visible values of an animal: all but its id.
  var seen: Self {
    Self(animalId: "", name: self.name, diet: self.diet, categoryId: self.categoryId)
  }
}

extension Field<Animal> {
  /// The visible values of an animal in the URL: the diet, the category and the name, separated by
  /// tildes.
  static func seen(_ name: String) -> Self {
    Field<String>.text(name).seen()
  }

  /// The same in a form, where it is hidden.
  static func hidden(seen name: String) -> Self {
    Field<String>.hidden(name).seen()
  }
}

extension Field<String> {
  fileprivate func seen() -> Field<Animal> {
    let name = self.name
    return self.map { animal in
      let categoryId = animal.categoryId.escapingTildes
      return "\(animal.diet.rawValue)~\(categoryId)~\(animal.name)"
    } tag: { text in
      let parts = text.parts(between: "~", maxSplits: 2)
      guard parts.count == 3, let diet = Animal.Diet(rawValue: parts[0]) else {
        throw Refusal(field: name, "This is no animal.")
      }
      let categoryId = parts[1].unescapingTildes
      return Animal(animalId: "", name: parts[2], diet: diet, categoryId: categoryId)
    }
  }
}
