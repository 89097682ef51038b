public import HashTreeCollections

/// Rows by their id, with a fast way to find the differences between two states.
///
/// ```swift
/// var table = Table<Animal>()
/// let old = table
/// table[dog.id] = dog
/// table.difference(from: old).inserted  // [dog]
/// ```
///
/// The difference is found without looking at the rows that both have in common, so values that are
/// derived from a table can be updated incrementally (``Derivation``).
///
/// Equal rows have equal ids. Tables are equal if their rows are.
///
/// Most of it is `@inlinable`: specialized for the rows of a product, it takes less than half the
/// time.
public struct Table<Row>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  @usableFromInline var byID: TreeDictionary<Row.ID, Row>
  /// The same rows again. Unlike with dictionaries, the elements that are in only one of two tree
  /// sets can be found by looking only at the branches that the sets do not share.
  @usableFromInline var contents: TreeSet<Row>

  /// - Complexity: O(n), n rows.
  @inlinable public init(_ rows: TreeDictionary<Row.ID, Row> = [:]) {
    self.byID = rows
    self.contents = TreeSet(rows.values)
  }

  /// All rows by id.
  @inlinable public var rows: TreeDictionary<Row.ID, Row> { self.byID }

  /// - Complexity: O(1).
  @inlinable public var count: Int { self.byID.count }

  /// - Complexity: O(1).
  @inlinable public var isEmpty: Bool { self.byID.isEmpty }

  /// All rows, in no particular order.
  ///
  /// - Complexity: O(n), n rows.
  @inlinable package var allRows: [Row] { Array(self.contents) }

  /// The row with an id; setting `nil` removes it.
  ///
  /// - Complexity: O(log n), n rows.
  @inlinable public subscript(id: Row.ID) -> Row? {
    get { self.byID[id] }
    set {
      let old =
        if let newValue {
          self.byID.updateValue(newValue, forKey: id)
        } else {
          self.byID.removeValue(forKey: id)
        }
      if let old { self.contents.remove(old) }
      if let newValue { self.contents.insert(newValue) }
    }
  }

  /// Inserts or replaces rows, but touches only those that differ.
  ///
  /// - Complexity: O(m log n), m inserted rows, n stored rows.
  @inlinable public mutating func insert(_ rows: some Sequence<Row>) {
    for row in rows where self.byID[row.id] != row {
      self[row.id] = row
    }
  }

  /// Replaces all rows, but touches only those that differ.
  ///
  /// - Complexity: O(n log n), n rows, old and new together.
  @inlinable public mutating func replace(with rows: [Row]) {
    let ids = Set(rows.map { $0.id })
    for id in self.byID.keys where ids.contains(id) == false {
      self[id] = nil
    }
    self.insert(rows)
  }

  /// The difference that leads from an older table, or any other table, to this one.
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
  /// The difference that leads from one table to another. A changed row is in both lists: the old
  /// row in one, the new row in the other.
  public struct Difference: Sendable {
    public package(set) var removed: [Row]
    public package(set) var inserted: [Row]

    package init(removed: [Row] = [], inserted: [Row] = []) {
      self.removed = removed
      self.inserted = inserted
    }

    public var isEmpty: Bool { self.removed.isEmpty && self.inserted.isEmpty }
    /// The number of rows in both lists.
    public var count: Int { self.removed.count + self.inserted.count }
  }
}

extension Table: Hashable {
  @inlinable public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.byID == rhs.byID
  }

  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(self.byID)
  }
}
