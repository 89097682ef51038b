import HashTreeCollections
import ImmutableData

/// A change of the catalog, by this server or by others. Beyond the guide.
public enum CatalogChange: Codable, Hashable, Sendable {
  /// An animal was added, or has new values.
  case saved(Animal)
  case deleted(Animal.ID)
  /// The catalog now consists of exactly this.
  case replaced(animals: [Animal], categories: [Category])
}

/// An event for those who follow the changes of a store.
public struct CatalogEvent: Hashable, Sendable {
  /// `nil` if the change is unknown, so that everything has to be read again.
  public let change: CatalogChange?
  /// The version of the catalog after this change, from which to continue after a pause. `nil` if
  /// a store has no versions.
  public let version: String?

  public init(_ change: CatalogChange?, version: String? = nil) {
    self.change = change
    self.version = version
  }
}

extension CatalogChange {
  /// Whether it would change a state. A state that has not read anything yet is not changed,
  /// because a later read includes the change.
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

  /// The change without animals and categories that cannot be shown, which are logged.
  var showable: Self {
    switch self {
    case .saved(let animal): [animal].showable.first.map { .saved($0) } ?? .deleted(animal.id)
    case .deleted: self
    case .replaced(let animals, let categories):
      .replaced(animals: animals.showable, categories: categories.showable)
    }
  }
}

extension AnimalsState {
  /// Whether anything was requested from the store yet.
  fileprivate var isRead: Bool {
    self.animals.status != nil || self.categories.status != nil
  }

  /// Fetches in progress stay so; failed ones have succeeded now.
  mutating func apply(_ change: CatalogChange) {
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
