import AnimalsData
import ImmutableUI
import PlainText

/// What a button of an animal does. In a form: `delete~Dog`, `star~Dog`, `unstar~Dog`,
/// `move~Dog~Cat~Newt`, which moves the dog after the cat and before the newt, or `put~Dog~Bird`,
/// which puts it into another category.
///
/// A star says which of the two it does, so that two users who press it at the same time do not undo
/// each other. Its value changes when it is pressed. In a template it has a `data-key`, so that it
/// stays the same element and keeps the focus.
enum RowAction: Hashable, Sendable {
  case delete(Animal.ID)
  case mark(Animal.ID, isFavorite: Bool)
  /// - Parameters:
  ///   - after: The animal before it; `nil` to make it the first.
  ///   - before: The animal after it; `nil` to make it the last.
  case move(Animal.ID, after: Animal.ID?, before: Animal.ID?)
  /// It has no button: `categories.js` posts it when a row is dropped on a category.
  case put(Animal.ID, into: Category.ID)

  static let field = Field<Self>.choice("row", .buttons, "Press a button.")
}

extension RowAction: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.joinedTexts
    // Ids of animals are not empty.
    let ids = parts.dropFirst().map { $0.isEmpty ? nil : $0 }
    guard let id = ids.first ?? nil else { return nil }
    switch (parts[0], ids.count) {
    case ("delete", 1): self = .delete(id)
    case ("star", 1): self = .mark(id, isFavorite: true)
    case ("unstar", 1): self = .mark(id, isFavorite: false)
    case ("move", 3): self = .move(id, after: ids[1], before: ids[2])
    case ("put", 2):
      guard let categoryId = ids[1] else { return nil }
      self = .put(id, into: categoryId)
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .delete(let id): String(joining: ["delete", id])
    case .mark(let id, let isFavorite): String(joining: [isFavorite ? "star" : "unstar", id])
    case .move(let id, let after, let before):
      String(joining: ["move", id, after ?? "", before ?? ""])
    case .put(let id, let categoryId): String(joining: ["put", id, categoryId])
    }
  }
}

// The buttons.
extension RowAction {
  /// Adds a star, or removes the present one.
  static func star(of animal: Animal) -> [FieldOption] {
    Self.mark(animal.id, isFavorite: animal.isFavorite == false).button(animal.name.isolated)
  }

  func button(_ label: String) -> [FieldOption] {
    [FieldOption(self.description, label)]
  }
}
