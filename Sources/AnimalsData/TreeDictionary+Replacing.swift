import HashTreeCollections

extension TreeDictionary where Value: Identifiable & Equatable, Value.ID == Key {
  /// Makes these the values, and touches only what differs, so that the rest of the tree stays shared
  /// with its older copies.
  ///
  /// - Complexity: O(n log n), n values, old and new.
  mutating func replace(with values: [Value]) {
    let ids = Set(values.map(\.id))
    for id in self.keys where ids.contains(id) == false {
      self[id] = nil
    }
    for value in values where self[value.id] != value {
      self[value.id] = value
    }
  }
}
