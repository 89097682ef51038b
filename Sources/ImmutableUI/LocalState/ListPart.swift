import Foundation

/// A part of a long list: a page shows so many rows, and links to the others.
///
/// ```swift
/// let part = ListPart(2, of: quakes.count)
/// part.text  // "Showing 501–1,000 of 12,345"
/// part.elements(of: quakes)
/// ```
///
/// Which part a window shows is a ``Number`` in its local state, in the parameter ``parameter``;
/// ``ListPartLinks`` lead to the others.
public struct ListPart: Hashable, Sendable {
  /// The most rows that a part has.
  public static let defaultSize = 500
  /// The parameter of the URL that says which part a window shows.
  public static let parameter = "page"

  /// How many rows the whole list has.
  public let count: Int
  private let start: Int
  private let size: Int

  /// - Parameters:
  ///   - number: Which part; beyond the end it is the last.
  ///   - count: How many rows the whole list has.
  ///   - size: The most rows of a part.
  public init(_ number: Number, of count: Int, size: Int = ListPart.defaultSize) {
    self.init(
      from: (min(number.value, max(1, (count + size - 1) / size)) - 1) * size,
      of: count,
      size: size
    )
  }

  /// A part that need not be one of those that have numbers: it stays where its first row is, whatever comes
  /// before that.
  ///
  /// - Parameters:
  ///   - start: Which of the whole list is its first row.
  ///   - count: How many rows the whole list has.
  ///   - size: The most rows of a part.
  public init(from start: Int, of count: Int, size: Int = ListPart.defaultSize) {
    self.start = max(0, min(start, count - 1))
    self.count = count
    self.size = size
  }
}

extension ListPart {
  /// Of this part, from 1.
  public var number: Int { self.start / self.size + 1 }

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
  public var startOfPrevious: Int? {
    self.start > 0 ? max(0, self.start - self.size) : nil
  }

  /// The first row of the part after this; `nil` if there is none.
  public var startOfNext: Int? {
    self.range.upperBound < self.count ? self.range.upperBound : nil
  }

  /// The first row of the part that has a row, if that is another.
  public func startOfOther(having index: Int) -> Int? {
    guard self.range.contains(index) == false else { return nil }
    let distance = Double(index - self.start) / Double(self.size)
    return max(0, self.start + Int(distance.rounded(.down)) * self.size)
  }

  var previous: Number? {
    self.number > 1 ? Number(self.number - 1) : nil
  }

  var next: Number? {
    self.range.upperBound < self.count ? Number(self.number + 1) : nil
  }

  /// The part that has a row, if that is another.
  func otherPart(_ index: Int) -> Number? {
    self.range.contains(index) ? nil : Number(index / self.size + 1)
  }
}

extension ListPart {
  /// Which part a window shows: a value of its local state, from 1.
  public struct Number: Hashable, Sendable, LosslessStringConvertible {
    fileprivate let value: Int

    public static let first = Self(1)
    /// More than any list has; so there are not many places without end.
    private static let limit = 10_000

    fileprivate init(_ value: Int) {
      self.value = value
    }

    public init?(_ description: String) {
      guard let value = Int(description), (1...Self.limit).contains(value) else { return nil }
      self.value = value
    }

    public var description: String { "\(self.value)" }

    /// The same part, or the last that a list with so many rows can have.
    public func clamped(to count: Int, size: Int = ListPart.defaultSize) -> Self {
      Self(min(self.value, max(1, (count + size - 1) / size)))
    }
  }
}
