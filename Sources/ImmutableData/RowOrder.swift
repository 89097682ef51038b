public import Foundation

/// A total order of rows: by a property, and, for rows with equal values, by something that is
/// never equal.
public struct RowOrder<Row: Sendable>: Sendable {
  @usableFromInline let precedes: @Sendable (Row, Row) -> Bool
  @usableFromInline let sort: @Sendable ([Row]) -> [Row]

  /// - Parameters:
  ///   - keyPath: What to sort by.
  ///   - order: Forward is ascending.
  ///   - areInIncreasingOrder: Compares rows whose property is equal, regardless of `order`. It
  ///     must not treat two rows as equal, so it should end with the id.
  @inlinable public init<Key: Comparable & SendableMetatype>(
    _ keyPath: any KeyPath<Row, Key> & Sendable,
    _ order: SortOrder = .forward,
    ties areInIncreasingOrder: @escaping @Sendable (Row, Row) -> Bool
  ) {
    let isForward = order == .forward
    self.precedes = { lhs, rhs in
      let (lhsKey, rhsKey) = (lhs[keyPath: keyPath], rhs[keyPath: keyPath])
      if lhsKey != rhsKey { return (lhsKey < rhsKey) == isForward }
      return areInIncreasingOrder(lhs, rhs)
    }
    self.sort = { $0.sorted(by: keyPath, order, ties: areInIncreasingOrder) }
  }

  /// Rows in which the property is equal are sorted by their id.
  @inlinable public init<Key: Comparable & SendableMetatype>(
    _ keyPath: any KeyPath<Row, Key> & Sendable,
    _ order: SortOrder = .forward
  ) where Row: Identifiable, Row.ID: Comparable {
    self.init(keyPath, order) { $0.id < $1.id }
  }
}
