import AnimalsData
import ImmutableUI

extension Animal {
  /// The visible values of an animal: all but its id.
  var seen: Self {
    Self(animalId: "", name: self.name, diet: self.diet, categoryId: self.categoryId)
  }
}

extension Field<String> {
  /// The same field for the visible values of an animal: the diet, the category and the name,
  /// separated by tildes.
  func seenAnimal() -> Field<Animal> {
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
