extension ListPart {
  /// Where a part of a list begins: with which row, and where that was.
  ///
  /// The row stays the first of the part while others come and go before it. If it goes itself, what has
  /// come to its place is the first. In a URL it is `ID.INDEX`.
  public struct Start<ID: LosslessStringConvertible & Hashable & Sendable>: Hashable, Sendable {
    public let id: ID
    /// Which of the whole list the row was when a link led to it.
    public let index: Int

    public init(id: ID, index: Int) {
      self.id = id
      self.index = index
    }
  }
}

extension ListPart.Start: LosslessStringConvertible {
  /// - Parameter description: `ID.INDEX`; or `ID`, of which nobody knows where it was.
  public init?(_ description: String) {
    guard let separator = description.lastIndex(of: ".") else {
      guard let id = ID(description) else { return nil }
      self.init(id: id, index: 0)
      return
    }
    guard let id = ID(String(description[..<separator])),
      let index = Int(description[description.index(after: separator)...]), index >= 0
    else { return nil }
    self.init(id: id, index: index)
  }

  public var description: String {
    let id = "\(self.id)"
    return self.index > 0 || id.contains(".") ? "\(id).\(self.index)" : id
  }
}
