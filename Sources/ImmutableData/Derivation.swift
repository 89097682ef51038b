import HashTreeCollections

/// What is derived from the rows of a ``Table`` and follows its changes, one row at a time.
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
/// The law: whatever was inserted and removed, and in whatever order, the output is that of a new
/// derivation into which the rows that are left are inserted. Every frame of a test checks it.
public protocol Derivation<Row>: Sendable {
  associatedtype Row: Identifiable, Hashable, Sendable where Row.ID: Sendable
  associatedtype Output: Equatable, Sendable

  /// What is read of it.
  ///
  /// - Complexity: It is compared in each frame in which a row was inserted or removed, so it should
  ///   be made and compared in less than O(n), n rows.
  var output: Output { get }

  /// The size in memory, in bytes, of what it keeps of each row: it counts against the memory that
  /// windows may take. By default nothing, which is right for a few counts.
  var heapSize: Int { get }

  /// - Parameter row: A row that the table has now.
  mutating func insert(_ row: Row)

  /// - Parameter row: A row that was inserted before.
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
  /// This, with all rows of a table, if it has none yet.
  ///
  /// - Complexity: O(n), n rows, times that of ``insert(_:)``.
  package func with(_ table: Table<Row>) -> Self {
    var derived = self
    derived.insert(all: table.rows.values)
    return derived
  }

  /// Follows a change of a table.
  ///
  /// - Complexity: O(d), d rows that differ, times that of ``insert(_:)`` and ``remove(_:)``.
  package mutating func follow(_ difference: Table<Row>.Difference) {
    for row in difference.removed { self.remove(row) }
    for row in difference.inserted { self.insert(row) }
  }
}
