/// The rows of a table that pass a condition, sorted.
///
/// ```swift
/// var mammals = SortedRows<Animal>(by: RowOrder(\.name)) { $0.categoryId == "Mammal" }
/// mammals.insert(all: table.rows.values)
/// mammals.first
/// ```
///
/// It is kept in pieces, which copies share: a change copies one piece of at most
/// ``SortedRows/pieceLimit`` rows, and a reference to each of the others.
public struct SortedRows<Row>: Derivation
where Row: Identifiable & Hashable & Sendable, Row.ID: Sendable {
  /// The maximum number of rows in a piece. In a list of n rows, a change costs about as much as
  /// copying this many rows and n / 256 references, which is cheap even for 100,000 rows.
  static var pieceLimit: Int { 256 }

  @usableFromInline let rules: Rules
  /// None of them is empty.
  private var pieces: [[Row]] = []
  /// The offset of the first row of each piece.
  private var starts: [Int] = []
  public private(set) var count = 0

  /// - Parameters:
  ///   - order: How they are sorted.
  ///   - isIncluded: Which of them are in the list.
  @inlinable public init(
    by order: RowOrder<Row>,
    where isIncluded: @escaping @Sendable (Row) -> Bool = { _ in true }
  ) {
    self.init(
      order,
      isIncluded,
      arrange: { rows in order.sort(rows.filter(isIncluded)) },
      countEqual: { rows, start, others, otherStart, limit, step in
        var count = 0
        while count < limit, rows[start + step * count] == others[otherStart + step * count] {
          count += 1
        }
        return count
      }
    )
  }

  @usableFromInline init(
    _ order: RowOrder<Row>,
    _ isIncluded: @escaping @Sendable (Row) -> Bool,
    arrange: @escaping @Sendable ([Row]) -> [Row],
    countEqual: @escaping CountEqual
  ) {
    self.init(Rules(order, isIncluded, arrange, countEqual))
  }

  /// Counts how many rows are equal to those of another array, from an offset in each on: at most
  /// `limit`, after the offsets if `step` is 1, before them if it is -1.
  @usableFromInline typealias CountEqual =
    @Sendable (
      _ rows: UnsafeBufferPointer<Row>, _ start: Int,
      _ others: UnsafeBufferPointer<Row>, _ otherStart: Int,
      _ limit: Int, _ step: Int
    ) -> Int

  private init(_ rules: Rules) {
    self.rules = rules
  }

  /// What is the same in all copies. It is one object, because each frame makes many copies.
  @usableFromInline final class Rules: Sendable {
    fileprivate let order: RowOrder<Row>
    fileprivate let isIncluded: @Sendable (Row) -> Bool
    /// The rows that are included, sorted. This and ``countEqual`` are specialized for the rows of a
    /// product.
    @usableFromInline let arrange: @Sendable ([Row]) -> [Row]
    fileprivate let countEqual: CountEqual

    fileprivate init(
      _ order: RowOrder<Row>,
      _ isIncluded: @escaping @Sendable (Row) -> Bool,
      _ arrange: @escaping @Sendable ([Row]) -> [Row],
      _ countEqual: @escaping CountEqual
    ) {
      self.order = order
      self.isIncluded = isIncluded
      self.arrange = arrange
      self.countEqual = countEqual
    }
  }

  public var output: Self { self }

  public var heapSize: Int {
    self.count * MemoryLayout<Row>.stride + self.pieces.count * 64
  }
}

// Changes.
extension SortedRows {
  /// - Complexity: O(log n + √n), n rows; O(1) for a row that is not in the list.
  public mutating func insert(_ row: Row) {
    guard self.rules.isIncluded(row) else { return }
    guard self.pieces.isEmpty == false else {
      self.pieces = [[row]]
      self.updateStarts(from: 0)
      return
    }
    let piece = self.piece(of: row)
    let offset = self.offset(of: row, in: piece)
    self.pieces[piece].insert(row, at: offset)
    if self.pieces[piece].count > Self.pieceLimit {
      let half = self.pieces[piece].count / 2
      let upper = Array(self.pieces[piece][half...])
      self.pieces[piece].removeSubrange(half...)
      self.pieces.insert(upper, at: piece + 1)
    }
    self.updateStarts(from: piece)
  }

  /// - Complexity: The same as ``insert(_:)``; O(n) for a row that is not at its place.
  public mutating func remove(_ row: Row) {
    guard self.rules.isIncluded(row), let (piece, offset) = self.find(row) else { return }
    self.pieces[piece].remove(at: offset)
    if self.pieces[piece].count < Self.pieceLimit / 4 {
      self.mergePiece(piece)
    } else {
      self.updateStarts(from: piece)
    }
  }

  /// - Complexity: O(n + k log k), n rows, k of them in the list.
  @inlinable public mutating func insert(all rows: some Sequence<Row>) {
    self.fill(self.rules.arrange(Array(rows)))
  }

  @usableFromInline mutating func fill(_ sorted: [Row]) {
    let length = Self.pieceLimit / 2
    self.pieces = stride(from: 0, to: sorted.count, by: length).map {
      Array(sorted[$0..<Swift.min($0 + length, sorted.count)])
    }
    self.updateStarts(from: 0)
  }

  /// A small piece becomes part of the one before it, if there is room.
  private mutating func mergePiece(_ index: Int) {
    let count = self.pieces[index].count
    if count == 0 {
      self.pieces.remove(at: index)
    } else if index > 0, self.pieces[index - 1].count + count <= Self.pieceLimit {
      self.pieces[index - 1] += self.pieces.remove(at: index)
    }
    self.updateStarts(from: Swift.max(index - 1, 0))
  }

  private mutating func updateStarts(from index: Int) {
    self.starts.removeSubrange(Swift.min(index, self.starts.count)...)
    var start = index > 0 ? self.starts[index - 1] + self.pieces[index - 1].count : 0
    for piece in self.pieces[index...] {
      self.starts.append(start)
      start += piece.count
    }
    self.count = start
  }

  /// Where a row is, if the order finds it.
  private func orderedPlace(of row: Row) -> (piece: Int, offset: Int)? {
    guard self.pieces.isEmpty == false else { return nil }
    let piece = self.piece(of: row)
    let offset = self.offset(of: row, in: piece)
    guard offset < self.pieces[piece].count, self.pieces[piece][offset].id == row.id else {
      return nil
    }
    return (piece, offset)
  }

  /// Where a row is, even if the order tells it from an equal row, which the list has. Otherwise the
  /// list would keep that one.
  private func find(_ row: Row) -> (piece: Int, offset: Int)? {
    if let place = self.orderedPlace(of: row) { return place }
    for (piece, rows) in self.pieces.enumerated() {
      if let offset = rows.firstIndex(where: { $0.id == row.id }) { return (piece, offset) }
    }
    return nil
  }

  /// The piece that has the row, or would have it.
  private func piece(of row: Row) -> Int {
    let after = self.pieces.partitionIndex { self.rules.order.precedes(row, $0[0]) }
    return Swift.max(after - 1, 0)
  }

  private func offset(of row: Row, in piece: Int) -> Int {
    self.pieces[piece].partitionIndex { self.rules.order.precedes($0, row) == false }
  }
}

extension SortedRows: RandomAccessCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { self.count }

  /// - Complexity: O(log n), n rows.
  public subscript(position: Int) -> Row {
    let place = self.place(of: position)
    return self.pieces[place.piece][place.offset]
  }

  /// Some rows, in order. It is faster than reading them one by one.
  ///
  /// - Parameter range: Their positions.
  /// - Complexity: O(log n + k), n rows, k of them returned.
  public func rows(in range: Range<Int>) -> [Row] {
    guard range.isEmpty == false else { return [] }
    precondition(0 <= range.lowerBound && range.upperBound <= self.count, "there are no such rows")
    var rows: [Row] = []
    rows.reserveCapacity(range.count)
    var piece = self.place(of: range.lowerBound).piece
    while rows.count < range.count {
      let first = range.lowerBound + rows.count - self.starts[piece]
      let last = Swift.min(range.upperBound - self.starts[piece], self.pieces[piece].count)
      rows += self.pieces[piece][first..<last]
      piece += 1
    }
    return rows
  }

  /// Where a row is, if it is in the list.
  ///
  /// - Complexity: O(log n), n rows.
  public func index(of row: Row) -> Int? {
    self.orderedPlace(of: row).map { self.starts[$0.piece] + $0.offset }
  }
}

// Differences of two lists.
extension SortedRows {
  /// How many rows of a piece are equal to those of a piece of another list: ``CountEqual``.
  private func countEqual(
    _ rows: [Row],
    _ start: Int,
    _ others: [Row],
    _ otherStart: Int,
    limit: Int,
    step: Int = 1
  ) -> Int {
    rows.withUnsafeBufferPointer { rows in
      others.withUnsafeBufferPointer { others in
        self.rules.countEqual(rows, start, others, otherStart, limit, step)
      }
    }
  }

  /// The pieces that contain some of the rows, as a list of its own. It shares them, and keeps no
  /// other rows.
  ///
  /// - Parameter range: Their positions.
  /// - Returns: The list, and the positions of these rows in it.
  /// - Complexity: O(log n + k / 256), n rows, k of them in the range.
  package func part(_ range: Range<Int>) -> (rows: Self, range: Range<Int>) {
    var part = Self(self.rules)
    guard range.isEmpty == false else { return (part, 0..<0) }
    let first = self.place(of: range.lowerBound)
    let last = self.place(of: range.upperBound - 1)
    part.pieces = Array(self.pieces[first.piece...last.piece])
    part.updateStarts(from: 0)
    return (part, first.offset..<(first.offset + range.count))
  }

  /// The offsets in a range of the rows that differ from those of another list at the same positions.
  ///
  /// - Returns: `nil` if the pieces of the lists have different lengths. There are rows then that are
  ///   in only one of them.
  /// - Complexity: O(k / 256) for k rows, and the comparison of each piece that differs.
  package func changes(in range: Range<Int>, from old: Self) -> [Int]? {
    guard self.starts == old.starts, self.count == old.count else { return nil }
    guard range.isEmpty == false else { return [] }
    var changes: [Int] = []
    for piece in self.place(of: range.lowerBound).piece...self.place(of: range.upperBound - 1).piece
    {
      let (rows, oldRows) = (self.pieces[piece], old.pieces[piece])
      guard rows.isSameBuffer(as: oldRows) == false else { continue }
      let start = self.starts[piece]
      let end = Swift.min(range.upperBound, start + rows.count)
      var index = Swift.max(range.lowerBound, start)
      while index < end {
        index += self.countEqual(
          rows, index - start, oldRows, index - start, limit: end - index)
        guard index < end else { break }
        changes.append(index - range.lowerBound)
        index += 1
      }
    }
    return changes
  }

  /// The number of rows that are equal to those of another list, from two positions on.
  ///
  /// - Parameters:
  ///   - limit: The maximum number. There are that many rows in both lists.
  ///   - step: 1 counts rows after the positions, -1 those before them.
  /// - Complexity: O(k / 256 + 256) for k rows, if one list came from the other by a few changes;
  ///   otherwise O(k).
  package func commonCount(
    from start: Int,
    _ old: Self,
    from oldStart: Int,
    limit: Int,
    step: Int
  ) -> Int {
    var count = 0
    while count < limit {
      let place = self.place(of: start + step * count)
      let oldPlace = old.place(of: oldStart + step * count)
      let (rows, oldRows) = (self.pieces[place.piece], old.pieces[oldPlace.piece])
      let rest =
        step > 0
        ? Swift.min(rows.count - place.offset, oldRows.count - oldPlace.offset)
        : Swift.min(place.offset, oldPlace.offset) + 1
      let length = Swift.min(rest, limit - count)
      if place.offset == oldPlace.offset, rows.isSameBuffer(as: oldRows) {
        count += length
        continue
      }
      let equal = self.countEqual(
        rows, place.offset, oldRows, oldPlace.offset, limit: length, step: step)
      count += equal
      guard equal == length else { break }
    }
    return count
  }

  private func place(of position: Int) -> (piece: Int, offset: Int) {
    let piece = self.starts.partitionIndex { position < $0 } - 1
    return (piece, position - self.starts[piece])
  }
}

extension SortedRows: Equatable {
  /// Whether the rows are equal, in the same order.
  ///
  /// - Complexity: O(n / 256), n rows, if one came from the other by a few changes; otherwise O(n).
  public static func == (lhs: Self, rhs: Self) -> Bool {
    guard lhs.count == rhs.count else { return false }
    guard lhs.starts == rhs.starts else { return lhs.elementsEqual(rhs) }
    // The pieces have equal lengths, because they start at the same positions.
    return zip(lhs.pieces, rhs.pieces).allSatisfy { rows, others in
      rows.isSameBuffer(as: others)
        || lhs.countEqual(rows, 0, others, 0, limit: rows.count) == rows.count
    }
  }
}

extension SortedRows: Hashable {
  /// - Complexity: O(1).
  public func hash(into hasher: inout Hasher) {
    hasher.combine(self.count)
    hasher.combine(self.pieces.first?.first?.id)
    hasher.combine(self.pieces.last?.last?.id)
  }
}

extension Array {
  /// Whether both are one array: then their elements need not be compared.
  package func isSameBuffer(as other: Self) -> Bool {
    self.count == other.count
      && self.withUnsafeBufferPointer { old in
        other.withUnsafeBufferPointer { new in old.baseAddress == new.baseAddress }
      }
  }

  /// The offset of the first element that belongs to the second of two parts; the count if none does.
  ///
  /// - Parameter isInSecond: False for all elements of the first part, true for all of the second.
  /// - Complexity: O(log n), n elements.
  fileprivate func partitionIndex(_ isInSecond: (Element) -> Bool) -> Int {
    var (low, high) = (0, self.count)
    while low < high {
      let middle = (low + high) / 2
      if isInSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
