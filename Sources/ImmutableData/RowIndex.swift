/// Groups the rows of a table by a key, so that a selector of a few groups does not read all rows.
///
/// ```swift
/// extension Animal {
///   static let byCategory = RowIndex<Animal, Category.ID>(by: \.categoryId)
/// }
/// Animal.byCategory.groups(["Mammal"])
/// ```
///
/// Selectors of the same index share it, so declare it once, as a constant. A product builds it
/// when the first selector needs it, and then updates it incrementally.
public final class RowIndex<Row, Key>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable {
  private let key: @Sendable (Row) -> Key

  /// - Parameter key: The group of a row. Equal rows are in the same group.
  public init(by key: @escaping @Sendable (Row) -> Key) {
    self.key = key
  }

  /// Some of the groups.
  ///
  /// - Parameter keys: The keys of the groups, without duplicates. A group may be empty.
  public func groups(_ keys: some Sequence<Key>) -> RowGroups<Row, Key> {
    RowGroups(index: self, keys: Array(keys))
  }

  package func key(of row: Row) -> Key { self.key(row) }
}

/// Some groups of the rows of a table, for selectors that depend on no other rows.
public struct RowGroups<Row, Key>: Sendable
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable {
  package let index: RowIndex<Row, Key>
  package let keys: [Key]
}
