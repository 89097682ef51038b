import Foundation
public import ImmutableData

/// A part of a long list: a page shows so many rows, and links to the others.
///
/// ```swift
/// let part = ListPart(of: quakes, from: start, at: firstRow)
/// part.text  // "Showing 501–1,000 of 12,345"
/// part.elements(of: quakes)
/// ```
///
/// A part begins with a row. So it stays the same while others come before it, and the address of a part,
/// and Back, lead to the rows that were there. Which row that is, a window's local state says, with a
/// ``Start``; ``ListPartLinks`` lead to the other parts.
public struct ListPart: Hashable, Sendable {
  /// The most rows that a part has.
  public static let defaultSize = 500

  /// How many rows the whole list has.
  public let count: Int
  private let start: Int
  private let size: Int

  /// The part that begins with a row; with what has come to its place, if the list no longer has that.
  ///
  /// - Parameters:
  ///   - rows: The whole list.
  ///   - start: Where the part begins; `nil` for the first part.
  ///   - row: What `start` names, as a selector finds it; `nil` if there is no such row.
  ///   - size: The most rows of a part.
  /// - Complexity: O(log n), n rows of the list.
  public init<Row>(
    of rows: SortedRows<Row>,
    from start: Start<Row.ID>?,
    at row: Row?,
    size: Int = ListPart.defaultSize
  ) {
    let index = row.flatMap(rows.index(of:)) ?? start?.index ?? 0
    // Its end is shorter by the last part: what is before that shows.
    self.init(from: index < rows.count ? index : rows.count - size, of: rows.count, size: size)
  }

  /// - Parameters:
  ///   - start: Which of the whole list is its first row.
  ///   - count: How many rows the whole list has.
  ///   - size: The most rows of a part.
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

  /// - Complexity: O(k log n), k rows of this part, n of the whole list.
  public func elements<List: RandomAccessCollection>(of list: List) -> [List.Element]
  where List.Index == Int {
    Array(list[self.range])
  }

  /// Whether there are others.
  public var isOneOfSeveral: Bool {
    self.count > self.size
  }

  /// For a person, for example `Showing 501–1,000 of 12,345`.
  public var text: String {
    let number = { (number: Int) in
      number.formatted(.number.locale(Locale(identifier: "en_US")))
    }
    return "Showing \(number(self.range.lowerBound + 1))–\(number(self.range.upperBound)) of "
      + number(self.count)
  }

  /// The first row of the part before this; `nil` if there is none.
  var startOfPrevious: Int? {
    self.start > 0 ? max(0, self.start - self.size) : nil
  }

  /// The first row of the part after this; `nil` if there is none.
  var startOfNext: Int? {
    self.range.upperBound < self.count ? self.range.upperBound : nil
  }

  /// The first row of the part that has a row, if that is another.
  func startOfOther(having index: Int) -> Int? {
    guard self.range.contains(index) == false else { return nil }
    let distance = Double(index - self.start) / Double(self.size)
    return max(0, self.start + Int(distance.rounded(.down)) * self.size)
  }
}
