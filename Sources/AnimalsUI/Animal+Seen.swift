import AnimalsData
import ImmutableUI

extension Animal {
  /// The visible values of an animal: all but its id.
  var seen: Self {
    Self(animalId: "", name: self.name, diet: self.diet, categoryId: self.categoryId)
  }
}

extension Field<String> {
  /// The same field for the visible values of an animal: the diet, the category and the name.
  func seenAnimal() -> Field<Animal> {
    let name = self.name
    return self.map { animal in
      String(joining: [animal.diet.rawValue, animal.categoryId, animal.name])
    } tag: { text in
      let texts = text.joinedTexts
      guard texts.count == 3, let diet = Animal.Diet(rawValue: texts[0]) else {
        throw Refusal(field: name, "This is no animal.")
      }
      return Animal(animalId: "", name: texts[2], diet: diet, categoryId: texts[1])
    }
  }
}
