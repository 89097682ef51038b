import AnimalsData

/// What lies over the catalogue in one window. A sheet that has asked for something stays until that is
/// done; `submission` is what it has asked for.
enum Sheet: Hashable, Sendable {
  case add(submission: String? = nil)
  /// The selected animal; the fingerprint is that of what it was as its editor was opened.
  case edit(String?, submission: String? = nil)
  case delete(Animal.ID, submission: String? = nil)
  case reload
}

extension Sheet {
  var submission: String? {
    switch self {
    case .add(let submission), .edit(_, let submission), .delete(_, let submission): submission
    case .reload: nil
    }
  }

  /// The sheet that has asked for something, or for nothing.
  func asking(_ submission: String?) -> Self {
    switch self {
    case .add: .add(submission: submission)
    case .edit(let fingerprint, submission: _): .edit(fingerprint, submission: submission)
    case .delete(let animalId, submission: _): .delete(animalId, submission: submission)
    case .reload: .reload
    }
  }
}

/// As the URL has it: a word, what was asked for if anything, and what it is about, with tildes
/// between.
extension Sheet: LosslessStringConvertible {
  init?(_ description: String) {
    let parts = description.split(separator: "~", maxSplits: 1).map(String.init)
    guard let word = parts.first else { return nil }
    let subject = parts.dropFirst().first
    switch (word, subject) {
    case ("add", nil): self = .add()
    case ("edit", let fingerprint): self = .edit(fingerprint)
    case ("delete", let animalId?): self = .delete(animalId)
    case ("reload", nil): self = .reload
    case ("adding", let submission?): self = .add(submission: submission)
    case ("editing", let rest?), ("deleting", let rest?):
      let parts = rest.split(separator: "~", maxSplits: 1).map(String.init)
      guard let submission = parts.first else { return nil }
      let subject = parts.dropFirst().first
      if word == "editing" {
        self = .edit(subject, submission: submission)
      } else if let subject {
        self = .delete(subject, submission: submission)
      } else {
        return nil
      }
    default: return nil
    }
  }

  var description: String {
    let parts: [String?] =
      switch self {
      case .add(nil): ["add"]
      case .add(let submission?): ["adding", submission]
      case .edit(let fingerprint, nil): ["edit", fingerprint]
      case .edit(let fingerprint, let submission?): ["editing", submission, fingerprint]
      case .delete(let animalId, nil): ["delete", animalId]
      case .delete(let animalId, let submission?): ["deleting", submission, animalId]
      case .reload: ["reload"]
      }
    return parts.compactMap(\.self).joined(separator: "~")
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
