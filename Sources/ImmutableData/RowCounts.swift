/// The number of rows of a table, or of those that meet a condition.
///
/// ```swift
/// TableSelector(from: \.animals.table, into: RowCount { $0.isFavorite })
/// ```
public struct RowCount<Row>: Derivation
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  private let isIncluded: @Sendable (Row) -> Bool
  public private(set) var output = 0

  /// - Parameter isIncluded: Whether a row counts. Pure.
  public init(where isIncluded: @escaping @Sendable (Row) -> Bool) {
    self.isIncluded = isIncluded
  }

  public mutating func insert(_ row: Row) {
    if self.isIncluded(row) { self.output += 1 }
  }

  public mutating func remove(_ row: Row) {
    if self.isIncluded(row) { self.output -= 1 }
  }
}

/// The number of rows of a table for each key that has any.
///
/// ```swift
/// TableSelector(from: \.animals.table, into: RowCounts(by: \.categoryId))
/// ```
public struct RowCounts<Row, Key>: Derivation
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable, Key: Hashable & Sendable {
  private let key: @Sendable (Row) -> Key?
  public private(set) var output: [Key: Int] = [:]

  /// - Parameter key: The key of a row; `nil` if it does not count. Pure.
  public init(by key: @escaping @Sendable (Row) -> Key?) {
    self.key = key
  }

  public mutating func insert(_ row: Row) { self.add(1, for: row) }
  public mutating func remove(_ row: Row) { self.add(-1, for: row) }

  private mutating func add(_ count: Int, for row: Row) {
    guard let key = self.key(row) else { return }
    let sum = self.output[key, default: 0] + count
    self.output[key] = sum > 0 ? sum : nil
  }
}
