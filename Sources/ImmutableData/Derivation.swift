import HashTreeCollections

/// A value that is derived from the rows of a ``Table`` and updated incrementally, one row at a
/// time.
///
/// ```swift
/// struct CategoryCounts: Derivation {
///   private var counts: [Category.ID: Int] = [:]
///   mutating func insert(_ animal: Animal) { self.counts[animal.categoryId, default: 0] += 1 }
///   mutating func remove(_ animal: Animal) { self.counts[animal.categoryId, default: 0] -= 1 }
///   var output: [Category.ID: Int] { self.counts.filter { $0.value > 0 } }
/// }
/// ```
///
/// A derivation must obey this law: after any insertions and removals, in any order, its output
/// equals that of a new derivation into which only the remaining rows were inserted. Tests check
/// this in every frame.
public protocol Derivation<Row>: Sendable {
  associatedtype Row: Identifiable, Hashable, Sendable where Row.ID: Sendable
  associatedtype Output: Equatable, Sendable

  /// The value that readers see.
  ///
  /// - Complexity: It is compared in each frame in which a row was inserted or removed, so it
  ///   should be made and compared in less than O(n), n rows.
  var output: Output { get }

  /// The size in memory, in bytes, of the data that it keeps for each row. It counts against the
  /// memory limit for windows. The default is 0, which is right for a few counts.
  var heapSize: Int { get }

  /// - Parameter row: A row that was added to the table.
  mutating func insert(_ row: Row)

  /// - Parameter row: A row that was inserted earlier.
  mutating func remove(_ row: Row)

  /// Inserts all rows of a table at once, into a derivation that has none.
  mutating func insert(all rows: some Sequence<Row>)
}

extension Derivation {
  public var heapSize: Int { 0 }

  public mutating func insert(all rows: some Sequence<Row>) {
    for row in rows { self.insert(row) }
  }
}

extension Derivation {
  /// This derivation, which must be empty, with all rows of a table.
  ///
  /// - Complexity: O(n), n rows, times that of ``insert(_:)``.
  package func with(_ table: Table<Row>) -> Self {
    self.with(table.allRows)
  }

  /// This derivation, which must be empty, with rows.
  ///
  /// - Complexity: O(n), n rows, times that of ``insert(_:)``.
  package func with(_ rows: some Sequence<Row>) -> Self {
    var derived = self
    derived.insert(all: rows)
    return derived
  }

  /// Applies a change of a table.
  ///
  /// - Complexity: O(d), d rows that differ, times that of ``insert(_:)`` and ``remove(_:)``.
  package mutating func follow(_ difference: Table<Row>.Difference) {
    for row in difference.removed { self.remove(row) }
    for row in difference.inserted { self.insert(row) }
  }
}
