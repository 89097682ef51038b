/// A move of a row in an order that users arrange (`ArrangedRow`): the row, and the two between
/// which it is then.
///
/// ```swift
/// static let moves = Field<RowMove>.choice("move", .buttons, "Press a button.")
///
/// .field("moves", moves, options: { row in
///   [row.up?.button("Up"), row.down?.button("Down")].compactMap(\.self)
/// })
/// ```
///
/// It names its neighbors instead of a number, so it does what users meant, even if others have
/// moved, added or deleted rows in the meantime.
public struct RowMove: Hashable, Sendable {
  /// The row that is moved.
  public let id: String
  /// The row before it; `nil` to make it the first.
  public let after: String?
  /// The row after it; `nil` to make it the last.
  public let before: String?

  /// - Parameters:
  ///   - id: The row that is moved. Ids are not empty.
  ///   - after: The row before it; `nil` to make it the first.
  ///   - before: The row after it; `nil` to make it the last.
  public init(_ id: String, after: String?, before: String?) {
    self.id = id
    self.after = after
    self.before = before
  }

  /// The move past the row before it.
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - rows: All rows, in order.
  /// - Returns: `nil` for the first row.
  /// - Complexity: O(1), or that of two elements of the rows.
  public init?<Rows: RandomAccessCollection>(up index: Rows.Index, in rows: Rows)
  where Rows.Element: Identifiable, Rows.Element.ID == String {
    guard index > rows.startIndex else { return nil }
    let previous = rows.index(before: index)
    let after = previous > rows.startIndex ? rows[rows.index(before: previous)].id : nil
    self.init(rows[index].id, after: after, before: rows[previous].id)
  }

  /// The move past the row after it.
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - rows: All rows, in order.
  /// - Returns: `nil` for the last row.
  /// - Complexity: O(1), or that of two elements of the rows.
  public init?<Rows: RandomAccessCollection>(down index: Rows.Index, in rows: Rows)
  where Rows.Element: Identifiable, Rows.Element.ID == String {
    let next = rows.index(after: index)
    guard next < rows.endIndex else { return nil }
    let second = rows.index(after: next)
    let before = second < rows.endIndex ? rows[second].id : nil
    self.init(rows[index].id, after: rows[next].id, before: before)
  }

  /// A button that makes the move, as a choice of a field.
  ///
  /// - Parameter label: The text that is shown.
  public func button(_ label: String) -> FieldOption {
    FieldOption(self.description, label)
  }
}

// As the value of a button: the row, the one before it, and the one after it (``Swift/String/init(joining:)``).
extension RowMove: LosslessStringConvertible {
  public init?(_ description: String) {
    // Ids are not empty, so an empty text stands for none.
    let ids = description.joinedTexts.map { $0.isEmpty ? nil : $0 }
    guard ids.count == 3, let id = ids[0] else { return nil }
    self.init(id, after: ids[1], before: ids[2])
  }

  public var description: String {
    String(joining: [self.id, self.after ?? "", self.before ?? ""])
  }
}
