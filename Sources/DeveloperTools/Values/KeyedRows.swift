import HashTreeCollections
import ImmutableData

/// Rows by key, which reflection would list in the order of their hashes.
protocol KeyedRows {
  var rowCount: Int { get }
  /// The keys as texts, sorted, with the positions of their rows.
  var keyTexts: [(text: String, index: Int)] { get }
  func row(_ index: Int) -> Any
  /// The differences from an older value of the same type; `nil` if its type is different.
  func changes(from old: Any) -> [(key: String, old: Any?, new: Any?)]?
}

extension TreeDictionary: KeyedRows {
  var rowCount: Int { self.count }

  var keyTexts: [(text: String, index: Int)] {
    self.keys.enumerated().map { ("\($1)", $0) }.sorted { $0.text < $1.text }
  }

  func row(_ index: Int) -> Any {
    self[self.index(self.startIndex, offsetBy: index)].value
  }

  func changes(from old: Any) -> [(key: String, old: Any?, new: Any?)]? {
    guard let old = old as? Self else { return nil }
    return old.keys.subtracting(self.keys).map { ("\($0)", old[$0], nil) }
      + self.compactMap { key, value in
        old[key].map { Self.isEqual($0, value) } == true ? nil : ("\(key)", old[key], value)
      }
  }

  private static func isEqual(_ lhs: Value, _ rhs: Value) -> Bool {
    guard let lhs = lhs as? any Equatable else { return false }
    func isEqual<Left: Equatable>(_ lhs: Left) -> Bool { lhs == rhs as? Left }
    return isEqual(lhs)
  }
}

extension Table: KeyedRows {
  var rowCount: Int { self.count }
  var keyTexts: [(text: String, index: Int)] { self.rows.keyTexts }

  func row(_ index: Int) -> Any { self.rows.row(index) }

  func changes(from old: Any) -> [(key: String, old: Any?, new: Any?)]? {
    guard let old = old as? Self else { return nil }
    let difference = self.difference(from: old)
    return difference.removed.map { ("\($0.id)", $0, self[$0.id]) }
      + difference.inserted.compactMap { row in
        old[row.id] == nil ? ("\(row.id)", nil, row) : nil
      }
  }
}
