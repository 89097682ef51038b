import HashTreeCollections

// Beyond the guide: a table is encoded as its rows, sorted by the text of their ids, so that equal
// tables have equal encodings.

extension Table: Encodable where Row: Encodable {
  /// - Complexity: O(n log n), n rows.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.rows.values.sorted { "\($0.id)" < "\($1.id)" })
  }
}

extension Table: Decodable where Row: Decodable {
  /// - Complexity: O(n), n rows.
  public init(from decoder: any Decoder) throws {
    self.init()
    self.insert(try decoder.singleValueContainer().decode([Row].self))
  }
}
