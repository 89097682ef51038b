public import HashTreeCollections

// States that store values by id.
extension TreeDictionary where Value: Identifiable & Equatable, Value.ID == Key {
  /// Replaces the values, but touches only what differs. The rest of the tree stays shared with
  /// older copies, which makes comparing them cheap.
  ///
  /// - Complexity: O(n log n), n values, old and new together.
  package mutating func replace(with values: [Value]) {
    let ids = Set(values.map { $0.id })
    for id in self.keys where ids.contains(id) == false {
      self[id] = nil
    }
    self.insert(values)
  }

  /// Inserts or replaces values, but touches only what differs.
  ///
  /// - Complexity: O(m log n), m inserted values, n stored values.
  package mutating func insert(_ values: some Sequence<Value>) {
    for value in values where self[value.id] != value {
      self[value.id] = value
    }
  }

  /// The values for a list of ids, without those that do not exist.
  ///
  /// - Complexity: O(m log n), m ids, n values.
  package func values(for ids: some Sequence<Key>) -> [Value] {
    ids.compactMap { self[$0] }
  }
}

extension TreeDictionary where Key == String {
  /// The value whose key has exactly these bytes.
  ///
  /// Use it for ids from outside, such as those in URLs and forms. Strings are equal if Unicode calls
  /// them equivalent, such as those with a K and with a Kelvin sign (U+212A), but databases compare
  /// bytes. With ``subscript(_:)`` the state would find a value, and a database would not.
  ///
  /// - Complexity: O(log n), n values.
  public subscript(exactly id: Key) -> Value? {
    guard let index = self.index(forKey: id), self[index].key.utf8.elementsEqual(id.utf8) else {
      return nil
    }
    return self[index].value
  }
}
