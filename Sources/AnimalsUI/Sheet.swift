import AnimalsData
import ImmutableUI

/// What lies over the catalogue in one window.
enum Sheet: Hashable, Sendable {
  case add
  /// The selected animal; the fingerprint is that of what it was as its editor was opened.
  case edit(String?)
  case reload
}

/// As the URL has it: a word and, after a tilde, what it is about.
extension Sheet: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("add", nil): self = .add
    case ("edit", let fingerprint): self = .edit(fingerprint)
    case ("reload", nil): self = .reload
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .add: "add"
    case .edit(let fingerprint): fingerprint.map { "edit~\($0)" } ?? "edit"
    case .reload: "reload"
    }
  }
}

extension Animal {
  /// Tells values of an animal apart.
  var fingerprint: String {
    var hasher = TagHasher()
    for text in [self.name, self.diet.rawValue, self.categoryId] { hasher.combine(text) }
    return hasher.finalize().text
  }

  /// What is seen of an animal: all but its id.
  var seen: Self {
    Self(animalId: "", name: self.name, diet: self.diet, categoryId: self.categoryId)
  }
}

extension Field<Animal> {
  /// What is seen of an animal, as the URL has it: the diet, the category and the name, with tildes
  /// between.
  static func seen(_ name: String) -> Self {
    Field<String>.text(name).seen()
  }

  /// The same in a form, where nobody sees it.
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
      let parts = text.split(separator: "~", maxSplits: 2, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 3, let diet = Animal.Diet(rawValue: parts[0]) else {
        throw Refusal(field: name, "This is no animal.")
      }
      let categoryId = parts[1].unescapingTildes
      return Animal(animalId: "", name: parts[2], diet: diet, categoryId: categoryId)
    }
  }
}
