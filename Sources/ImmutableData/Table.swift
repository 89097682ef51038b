public import HashTreeCollections

/// Rows by their id, which know what differs between two states of them.
///
/// ```swift
/// var table = Table<Animal>()
/// let old = table
/// table[dog.id] = dog
/// table.difference(from: old).inserted  // [dog]
/// ```
///
/// The difference is found without looking at what both have in common, so what is derived from a
/// table need not be derived again from all of its rows (``Derivation``).
///
/// Equal rows have equal ids. Tables are equal if their rows are.
public struct Table<Row>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  /// All rows by id.
  public private(set) var rows: TreeDictionary<Row.ID, Row>
  /// The same rows again: unlike those of a dictionary, the elements of two trees of a set that are
  /// not in both are found by looking at the branches that they do not share.
  private var contents: TreeSet<Row>

  /// - Complexity: O(n), n rows.
  public init(_ rows: TreeDictionary<Row.ID, Row> = [:]) {
    self.rows = rows
    self.contents = TreeSet(rows.values)
  }

  /// - Complexity: O(1).
  public var count: Int { self.rows.count }

  /// - Complexity: O(1).
  public var isEmpty: Bool { self.rows.isEmpty }

  /// The row with an id; setting `nil` removes it.
  ///
  /// - Complexity: O(log n), n rows.
  public subscript(id: Row.ID) -> Row? {
    get { self.rows[id] }
    set {
      let old =
        if let newValue {
          self.rows.updateValue(newValue, forKey: id)
        } else {
          self.rows.removeValue(forKey: id)
        }
      if let old { self.contents.remove(old) }
      if let newValue { self.contents.insert(newValue) }
    }
  }

  /// Inserts or replaces rows, but touches only those that differ.
  ///
  /// - Complexity: O(m log n), m inserted rows, n stored rows.
  public mutating func insert(_ rows: some Sequence<Row>) {
    for row in rows where self.rows[row.id] != row {
      self[row.id] = row
    }
  }

  /// Replaces all rows, but touches only those that differ.
  ///
  /// - Complexity: O(n log n), n rows, old and new together.
  public mutating func replace(with rows: [Row]) {
    let ids = Set(rows.map(\.id))
    for id in self.rows.keys where ids.contains(id) == false {
      self[id] = nil
    }
    self.insert(rows)
  }

  /// What makes this table of an older one, or of any other.
  ///
  /// - Complexity: O(d log n), d rows that differ, n rows, if one table came from the other by
  ///   changing it; otherwise O(n).
  public func difference(from old: Self) -> Difference {
    Difference(
      removed: Array(old.contents.subtracting(self.contents)),
      inserted: Array(self.contents.subtracting(old.contents))
    )
  }
}

extension Table {
  /// What makes one table of another. A row that was changed is in both lists, as it was and as it is.
  public struct Difference: Sendable {
    public let removed: [Row]
    public let inserted: [Row]

    public var isEmpty: Bool { self.removed.isEmpty && self.inserted.isEmpty }
    /// How many rows it lists.
    public var count: Int { self.removed.count + self.inserted.count }
  }
}

extension Table: Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.rows == rhs.rows
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.rows)
  }
}
