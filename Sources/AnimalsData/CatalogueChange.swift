import HashTreeCollections
import ImmutableData

/// A change of the catalogue, by whomever. Beyond the guide.
public enum CatalogueChange: Codable, Hashable, Sendable {
  /// An animal was added, or has new values.
  case saved(Animal)
  case deleted(Animal.ID)
  /// There is now this, and nothing else.
  case replaced(animals: [Animal], categories: [Category])
}

/// What somebody is told who follows the changes of a store.
public struct CatalogueEvent: Hashable, Sendable {
  /// `nil` when it cannot be told: everything has to be read again.
  public let change: CatalogueChange?
  /// The version that the catalogue has with it: where to go on from after a pause. `nil` if a store
  /// has no versions.
  public let version: String?

  public init(_ change: CatalogueChange?, version: String? = nil) {
    self.change = change
    self.version = version
  }
}

extension CatalogueChange {
  /// The animals whose values it may change.
  ///
  /// - Complexity: O(n), n animals of the state and of the change.
  func animalIds(in state: AnimalsState) -> [Animal.ID] {
    switch self {
    case .saved(let animal): [animal.id]
    case .deleted(let animalId): [animalId]
    case .replaced(let animals, _): Array(state.animals.data.keys) + animals.map(\.id)
    }
  }

  /// Whether a state would be another with it. Nothing changes in one that nobody has read anything
  /// for: what is read later has the change.
  ///
  /// - Complexity: O(log n), n animals; for ``replaced(animals:categories:)`` O(n log n).
  func isNews(to state: AnimalsState) -> Bool {
    guard state.isRead else { return false }
    switch self {
    case .saved(let animal): return state.animals.data[animal.id] != animal
    case .deleted(let animalId): return state.animals.data[animalId] != nil
    case .replaced:
      var changed = state
      changed.apply(self)
      return changed != state
    }
  }

  /// As ``Animal/cleaned``; `nil` when nothing of it can be shown.
  var cleaned: Self? {
    switch self {
    case .saved(let animal): animal.cleaned.map { .saved($0) }
    case .deleted: self
    case .replaced(let animals, let categories):
      .replaced(
        animals: animals.compactMap(\.cleaned),
        categories: categories.compactMap(\.cleaned)
      )
    }
  }
}

extension AnimalsState {
  /// Whether anything was asked of the store yet.
  fileprivate var isRead: Bool {
    self.animals.status != nil || self.categories.status != nil
  }

  /// What is under way stays so; what could not be read has been read now.
  mutating func apply(_ change: CatalogueChange) {
    switch change {
    case .saved(let animal):
      self.animals.table[animal.id] = animal
    case .deleted(let animalId):
      self.animals.table[animalId] = nil
    case .replaced(let animals, let categories):
      self.animals.table.replace(with: animals)
      self.categories.data.replace(with: categories)
      if self.animals.status?.error != nil { self.animals.status = .success }
      if self.categories.status?.error != nil { self.categories.status = .success }
    }
  }
}
