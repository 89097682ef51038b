package import HashTreeCollections

// States that keep values by their id.
extension TreeDictionary where Value: Identifiable & Equatable, Value.ID == Key {
  /// Makes these the values, and touches only what differs, so that the rest of the tree stays shared
  /// with its older copies and whoever compares them has little to do.
  ///
  /// - Complexity: O(n log n), n values, old and new.
  package mutating func replace(with values: [Value]) {
    let ids = Set(values.map(\.id))
    for id in self.keys where ids.contains(id) == false {
      self[id] = nil
    }
    self.insert(values)
  }

  /// Puts these values in, in the place of those that have their ids, and touches only what differs.
  ///
  /// - Complexity: O(m log n), m values that are put in, n that are here.
  package mutating func insert(_ values: some Sequence<Value>) {
    for value in values where self[value.id] != value {
      self[value.id] = value
    }
  }

  /// The values of ids that are kept in an order of their own, without those that are not there.
  ///
  /// - Complexity: O(m log n), m ids, n values.
  package func values(for ids: some Sequence<Key>) -> [Value] {
    ids.compactMap { self[$0] }
  }
}

// Ids in an order of their own: a list, or favourites.
extension Array where Element: Hashable {
  /// Puts an id at the end, or takes it out if it is there.
  ///
  /// - Complexity: O(n), n ids.
  package mutating func toggle(_ id: Element) {
    if let index = self.firstIndex(of: id) {
      self.remove(at: index)
    } else {
      self.append(id)
    }
  }

  /// Moves an id before another, or to the end where that is not there. One that is not there comes in.
  ///
  /// - Complexity: O(n), n ids.
  package mutating func move(_ id: Element, before other: Element?) {
    guard id != other else { return }
    self.removeAll { $0 == id }
    self.insert(id, at: other.flatMap { self.firstIndex(of: $0) } ?? self.endIndex)
  }
}
