/// A single row, if it exists and passes a condition. Use it with a selector of one row.
public struct SingleRow<Row>: Derivation
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  private let isIncluded: @Sendable (Row) -> Bool
  public private(set) var output: Row?

  /// - Parameter isIncluded: Whether the row passes the condition.
  public init(where isIncluded: @escaping @Sendable (Row) -> Bool = { _ in true }) {
    self.isIncluded = isIncluded
  }

  public mutating func insert(_ row: Row) {
    if self.isIncluded(row) { self.output = row }
  }

  public mutating func remove(_ row: Row) {
    if self.output == row { self.output = nil }
  }
}
