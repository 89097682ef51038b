public import ImmutableData

extension ListPart {
  /// The start of a part of a list: its first row, and where that row was.
  ///
  /// The row stays the first of the part while other rows before it come and go. If the row itself
  /// is deleted, the row that takes its place becomes the first. In a URL it is `ID.INDEX`.
  public struct Start<ID: LosslessStringConvertible & Hashable & Sendable>: Hashable, Sendable {
    public let id: ID
    /// The index of the row in the whole list when a link led to it.
    public let index: Int

    public init(id: ID, index: Int) {
      self.id = id
      self.index = index
    }
  }
}

extension ListPart {
  /// The start of the part that contains a row.
  ///
  /// - Parameters:
  ///   - row: The row, which is in the list.
  ///   - rows: The whole list.
  ///   - start: The start of the current part, which is the result if it contains the row.
  ///   - first: The row that `start` names; `nil` if there is no such row.
  /// - Returns: `nil` for the first part, which has no name, because it shows whatever is new.
  /// - Complexity: O(log n), n rows of the list.
  public static func start<Row>(
    showing row: Row,
    of rows: SortedRows<Row>,
    from start: Start<Row.ID>?,
    at first: Row?
  ) -> Start<Row.ID>? {
    let part = Self(of: rows, from: start, at: first)
    guard let index = rows.index(of: row), let other = part.startOfOther(having: index) else {
      return start
    }
    return other > 0 ? Start(id: rows[other].id, index: other) : nil
  }
}

extension ListPart.Start: LosslessStringConvertible {
  /// - Parameter description: `ID.INDEX`; or `ID`, if the index is unknown.
  public init?(_ description: String) {
    let scalars = description.unicodeScalars
    guard let separator = scalars.lastIndex(of: ".") else {
      guard let id = ID(description) else { return nil }
      self.init(id: id, index: 0)
      return
    }
    guard let id = ID(String(scalars[..<separator])),
      let index = Int(String(scalars[scalars.index(after: separator)...])), index >= 0
    else { return nil }
    self.init(id: id, index: index)
  }

  public var description: String {
    let id = "\(self.id)"
    return self.index > 0 || id.utf8.contains(UInt8(ascii: ".")) ? "\(id).\(self.index)" : id
  }
}
