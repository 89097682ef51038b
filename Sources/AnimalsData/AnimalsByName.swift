import HashTreeCollections
import ImmutableData
import PlainText

/// The animals by their names, ignoring case and accents, so that another animal with a name is
/// found without searching all of them.
package struct AnimalsByName: Derivation, Hashable {
  private var ids: TreeDictionary<FoldedText, TreeSet<Animal.ID>> = [:]

  package init() {}

  package var output: Self { self }

  /// - Complexity: O(log n), n animals.
  package mutating func insert(_ animal: Animal) {
    self.ids[FoldedText(animal.name), default: []].insert(animal.id)
  }

  package mutating func remove(_ animal: Animal) {
    let name = FoldedText(animal.name)
    self.ids[name]?.remove(animal.id)
    if self.ids[name]?.isEmpty == true { self.ids[name] = nil }
  }

  /// The smallest id of another animal with a name.
  ///
  /// - Complexity: O(log n + k), n animals, k of them with the name.
  func id(of name: FoldedText, except animalId: Animal.ID?) -> Animal.ID? {
    self.ids[name]?.filter { $0 != animalId }.min()
  }
}

// It is derived from the animals, so developers need not see it.
extension AnimalsByName: CustomReflectable {
  package var customMirror: Mirror { Mirror(self, children: []) }
}
