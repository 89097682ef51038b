import AnimalsData

/// What lies over the catalogue in one window. A sheet that has asked for something stays until that is
/// done.
enum Sheet: Hashable, Sendable {
  /// A new animal; `savedId` is the placeholder of the one that is being saved.
  case add(savedId: Animal.ID? = nil)
  /// The selected animal; the fingerprint is that of what it was as its editor was opened.
  case edit(String?, isSaving: Bool = false)
  case delete(Animal.ID, isDeleting: Bool = false)
  case reload
}

extension Sheet {
  /// The sheet before it asked for anything.
  var idle: Self {
    switch self {
    case .add: .add()
    case .edit(let fingerprint, isSaving: _): .edit(fingerprint)
    case .delete(let animalId, isDeleting: _): .delete(animalId)
    case .reload: .reload
    }
  }
}

/// As the URL has it: a word, and after a tilde what it is about.
extension Sheet: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", maxSplits: 1).map(String.init)
    switch (parts.first, parts.dropFirst().first) {
    case ("add", nil): self = .add()
    case ("adding", let savedId?): self = .add(savedId: savedId)
    case ("edit", let fingerprint): self = .edit(fingerprint)
    case ("editing", let fingerprint): self = .edit(fingerprint, isSaving: true)
    case ("delete", let animalId?): self = .delete(animalId)
    case ("deleting", let animalId?): self = .delete(animalId, isDeleting: true)
    case ("reload", nil): self = .reload
    default: return nil
    }
  }

  var description: String {
    switch self {
    case .add(let savedId): savedId.map { "adding~\($0)" } ?? "add"
    case .edit(let fingerprint, let isSaving):
      (isSaving ? "editing" : "edit") + (fingerprint.map { "~\($0)" } ?? "")
    case .delete(let animalId, let isDeleting):
      (isDeleting ? "deleting" : "delete") + "~\(animalId)"
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
