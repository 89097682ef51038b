import AnimalsData

/// What lies over the catalogue in one window.
enum Sheet: Hashable, Sendable {
  case add
  /// The selected animal; the fingerprint is that of what it was as its editor was opened.
  case edit(String?)
  case delete(Animal.ID)
  case reload
}

/// As the URL has it: a word and, after a tilde, what it is about.
extension Sheet: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("add", nil): self = .add
    case ("edit", let fingerprint): self = .edit(fingerprint)
    case ("delete", let animalId?): self = .delete(animalId)
    case ("reload", nil): self = .reload
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .add: "add"
    case .edit(let fingerprint): fingerprint.map { "edit~\($0)" } ?? "edit"
    case .delete(let animalId): "delete~\(animalId)"
    case .reload: "reload"
    }
  }
}

extension Animal {
  /// Tells values of an animal apart.
  ///
  /// Source: FNV-1a, 64 bits (draft-eastlake-fnv), in base 36.
  var fingerprint: String {
    let text = [self.name, self.diet.rawValue, self.categoryId].joined(separator: "\0")
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 36)
  }
}
