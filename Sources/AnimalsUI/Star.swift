import AnimalsData
import ImmutableUI

/// The action of a star button: in a form, `add~Dog` or `remove~Dog`. It says which of the two, so
/// that two users who press it at the same time do not undo each other.
///
/// Its value changes when it is pressed. In a template it has a `data-key`, so that it stays the
/// same element and keeps the focus.
struct Star: Hashable, Sendable {
  let animalId: Animal.ID
  let isFavorite: Bool
}

extension Star: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", maxSplits: 1).map(String.init)
    guard parts.count == 2, ["add", "remove"].contains(parts[0]) else { return nil }
    self.init(animalId: parts[1], isFavorite: parts[0] == "add")
  }

  var description: String {
    (self.isFavorite ? "add~" : "remove~") + self.animalId
  }
}

extension Star {
  static let field = Field<Star>.choice("star", .buttons, "Press a star.")
  /// In a form that also has other buttons.
  static let optionalField = Self.field.optional()

  /// The button of an animal, which removes an existing star.
  static func options(of animal: Animal) -> [FieldOption] {
    let star = Star(animalId: animal.id, isFavorite: animal.isFavorite == false)
    return [FieldOption(star.description, animal.name)]
  }
}
