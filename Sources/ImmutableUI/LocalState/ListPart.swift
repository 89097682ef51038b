public import ImmutableData

/// A part of a long list: a page shows a limited number of rows, and links to the others.
///
/// ```swift
/// let part = ListPart(of: quakes, from: start, at: firstRow)
/// part.text  // "Showing 501–1,000 of 12,345"
/// part.elements(of: quakes)
/// ```
///
/// A part begins with a certain row. So it stays the same while rows before it come and go, and the
/// URL of a part, or Back, leads to the same rows. The window's local state names that row with a
/// ``Start``; ``ListPartLinks`` lead to the other parts.
public struct ListPart: Hashable, Sendable {
  /// The maximum number of rows in a part.
  public static let defaultSize = 500

  /// The number of rows in the whole list.
  public let count: Int
  private let start: Int
  private let size: Int

  /// The part that begins with a row, or with the row that has taken its place if it no longer
  /// exists.
  ///
  /// - Parameters:
  ///   - rows: The whole list.
  ///   - start: Where the part begins; `nil` for the first part.
  ///   - row: The row that `start` names, as a selector finds it; `nil` if there is no such row.
  ///   - size: The maximum number of rows in a part.
  /// - Complexity: O(log n), n rows of the list.
  public init<Row>(
    of rows: SortedRows<Row>,
    from start: Start<Row.ID>?,
    at row: Row?,
    size: Int = ListPart.defaultSize
  ) {
    let index = row.flatMap(rows.index(of:)) ?? start?.index ?? 0
    // If the list is now shorter than the start, show its last rows.
    self.init(from: index < rows.count ? index : rows.count - size, of: rows.count, size: size)
  }

  /// - Parameters:
  ///   - start: The index of its first row in the whole list.
  ///   - count: The number of rows in the whole list.
  ///   - size: The maximum number of rows in a part.
  init(from start: Int, of count: Int, size: Int = ListPart.defaultSize) {
    self.start = max(0, min(start, count - 1))
    self.count = count
    self.size = size
  }
}

extension ListPart {
  /// The rows of this part in the whole list.
  public var range: Range<Int> {
    self.start..<min(self.start + self.size, self.count)
  }

  /// - Complexity: O(log n + k), n rows of the whole list, k of this part.
  public func elements<Row>(of rows: SortedRows<Row>) -> [Row] {
    rows.rows(in: self.range)
  }

  /// Whether there are other parts.
  public var isOneOfSeveral: Bool {
    self.count > self.size
  }

  /// A text for people, for example `Showing 501–1,000 of 12,345`.
  public var text: String {
    let (first, last) = (self.range.lowerBound + 1, self.range.upperBound)
    return "Showing \(first.grouped)–\(last.grouped) of \(self.count.grouped)"
  }

  /// The first row of the part before this; `nil` if there is none.
  var startOfPrevious: Int? {
    self.start > 0 ? max(0, self.start - self.size) : nil
  }

  /// The first row of the part after this; `nil` if there is none.
  var startOfNext: Int? {
    self.range.upperBound < self.count ? self.range.upperBound : nil
  }

  /// The first row of the part that contains a row, if that is another part.
  func startOfOther(having index: Int) -> Int? {
    guard self.range.contains(index) == false else { return nil }
    let distance = Double(index - self.start) / Double(self.size)
    return max(0, self.start + Int(distance.rounded(.down)) * self.size)
  }
}
