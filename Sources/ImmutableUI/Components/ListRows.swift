public import HashTreeCollections
public import ImmutableData

/// The rows of a list, each made from a row of a sorted table. A render makes only those again whose
/// table row, neighbors, mark or number have changed.
///
/// ```swift
/// .rows("animals", Row.slots) { model in
///   ListRows(model.part, of: model.animals, marked: model.waiting) { animal in
///     Row(animal: animal.source, isWaiting: animal.isMarked)
///   }
/// }
/// ```
///
/// An array of rows is simpler, and as fast if they are few.
public struct ListRows<Source, Row>: Sendable
where
  Source: Identifiable & Hashable & Sendable, Source.ID: Sendable,
  Row: Identifiable & Equatable & Sendable, Row.ID == Source.ID
{
  /// What a row is made from.
  public struct Context: Sendable {
    private let list: ListRows
    private let index: Int
    /// The row of the table.
    public let source: Source
    public let isMarked: Bool
    /// The number of the row; 0 if the rows have none.
    public let number: Int

    fileprivate init(_ list: ListRows, at index: Int) {
      self.list = list
      self.index = index
      self.source = list.rows[index]
      self.isMarked = list.marked.contains(self.source.id)
      self.number = list.numbers.isEmpty ? 0 : list.numbers[index - list.range.lowerBound]
    }

    /// The row of the table so many places after this one, or before it if the offset is negative;
    /// `nil` if there is none. An offset beyond the list's reach is a programmer error.
    public subscript(offset: Int) -> Source? {
      precondition(abs(offset) <= self.list.reach, "the row is beyond the reach of the list")
      let index = self.index + offset
      return self.list.surroundings.contains(index) ? self.list.rows[index] : nil
    }
  }

  /// The rows of the table, without most of those that are not shown.
  private let rows: SortedRows<Source>
  /// The shown rows in ``rows``.
  private let range: Range<Int>
  /// The shown rows in ``rows``, and those within their reach.
  private let surroundings: Range<Int>
  /// The number of rows of the table after the shown ones.
  private let following: Int
  private let marked: TreeSet<Source.ID>
  private let numbers: [Int]
  private let reach: Int
  private let captured: AnySendableHashable
  private let make: @Sendable (Context) -> Row

  /// - Parameters:
  ///   - part: Which of the rows are shown.
  ///   - rows: All rows.
  ///   - marked: The ids of the rows that are marked, for example because they are being saved.
  ///   - numbers: A number for each row of the part that depends on other rows, such as its rank;
  ///     empty if they have none.
  ///   - reach: How many rows before it, and after it, a row depends on.
  ///   - captured: Everything that `make` captures. If it changes, all rows are made again.
  ///   - make: Makes a row. Pure.
  /// - Complexity: O(log n), n rows of the whole list.
  public init(
    _ part: ListPart,
    of rows: SortedRows<Source>,
    marked: TreeSet<Source.ID> = [],
    numbered numbers: [Int] = [],
    reach: Int = 0,
    capturing captured: some Hashable & Sendable = true,
    _ make: @escaping @Sendable (Context) -> Row
  ) {
    let range = part.range
    precondition(numbers.isEmpty || numbers.count == range.count, "each row has a number, or none")
    let surroundings =
      range.isEmpty
      ? range : max(range.lowerBound - reach, 0)..<min(range.upperBound + reach, rows.count)
    (self.rows, self.surroundings) = rows.part(surroundings)
    let start = self.surroundings.lowerBound + range.lowerBound - surroundings.lowerBound
    self.range = start..<(start + range.count)
    self.following = rows.count - range.upperBound
    self.marked = marked
    self.numbers = numbers
    self.reach = reach
    self.captured = AnySendableHashable(value: captured)
    self.make = make
  }

  var count: Int { self.range.count }

  func id(at position: Int) -> Source.ID { self.rows[self.range.lowerBound + position].id }

  /// Makes a row.
  func row(at position: Int) -> Row {
    self.make(Context(self, at: self.range.lowerBound + position))
  }

  /// The size in memory, in bytes, without what the rows refer to.
  var heapSize: Int {
    let positions = 2 * self.count * MemoryLayout<(Source.ID, Int)>.stride
    return self.rows.heapSize + positions + self.numbers.shallowHeapSize
      + self.marked.count * MemoryLayout<Source.ID>.stride
  }
}

/// How the rows of a list may differ from those of an older list.
struct RowsChange: Sendable {
  /// The rows of the older list that were replaced.
  var replaced: Range<Int>
  /// The rows that replace them. Both begin at the same position.
  var replacing: Range<Int>
  /// The number of rows at the end of the older list that are no longer shown.
  var removedLast = 0
  /// The number of rows at the end of the list that take their place.
  var addedLast = 0
  /// The positions of other rows that may differ, in both lists.
  var changed: [(old: Int, new: Int)] = []

  /// Whether all other rows are at the same positions in both lists.
  var isInPlace: Bool {
    self.replaced == self.replacing && self.removedLast == 0 && self.addedLast == 0
  }

  fileprivate init(_ replaced: Range<Int>, _ replacing: Range<Int>) {
    self.replaced = replaced
    self.replacing = replacing
  }

  /// Where a row of the older list is, if it was not replaced or removed.
  ///
  /// - Parameter count: The number of rows of the older list.
  fileprivate func position(of old: Int, amongst count: Int) -> Int? {
    if old < self.replaced.lowerBound { return old }
    guard self.replaced.upperBound <= old, old < count - self.removedLast else { return nil }
    return old + self.replacing.count - self.replaced.count
  }
}

extension ListRows {
  /// How the rows may differ from those of an older list. All other rows are equal.
  ///
  /// - Parameter positions: Those of the older list.
  /// - Complexity: O(k / 256 + 256 d), k rows, d changes of table rows or marks, if nothing moved
  ///   beyond the end of the part, and the rows have no numbers; otherwise O(k).
  func change(from old: Self, _ positions: RowPositions<Source.ID>) -> RowsChange {
    guard self.reach == old.reach, self.captured == old.captured,
      self.countBefore == old.countBefore, self.numbers.isEmpty == old.numbers.isEmpty
    else { return RowsChange(0..<old.count, 0..<self.count) }
    var change = self.changeInPlace(from: old) ?? self.splice(from: old)
    if self.marked != old.marked {
      let known = Set(change.changed.map(\.old))
      for position in positions.find(self.marked.symmetricDifference(old.marked), in: old)
      where known.contains(position) == false {
        guard let new = change.position(of: position, amongst: old.count) else { continue }
        change.changed.append((position, new))
      }
    }
    if self.numbers != old.numbers {
      let known = Set(change.changed.map(\.old))
      for (position, number) in old.numbers.enumerated() where known.contains(position) == false {
        guard let new = change.position(of: position, amongst: old.count),
          self.numbers[new] != number
        else { continue }
        change.changed.append((position, new))
      }
    }
    return change
  }

  /// The number of rows before the shown ones that they depend on.
  private var countBefore: Int { self.range.lowerBound - self.surroundings.lowerBound }

  /// - Returns: `nil` if rows were inserted or removed.
  private func changeInPlace(from old: Self) -> RowsChange? {
    guard self.range == old.range, self.surroundings == old.surroundings,
      let changes = self.rows.changes(in: self.surroundings, from: old.rows)
    else { return nil }
    var change = RowsChange(0..<0, 0..<0)
    var concerned: Set<Int> = []
    for position in changes.lazy.map({ $0 - self.countBefore }) {
      concerned.formUnion(position - self.reach...position + self.reach)
    }
    change.changed = concerned.filter { 0 <= $0 && $0 < self.count }.map { ($0, $0) }
    return change
  }

  /// The rows between those that are equal from the start on, and those that are equal and as far
  /// from the end of the whole list.
  private func splice(from old: Self) -> RowsChange {
    let limit = min(self.surroundings.count, old.surroundings.count)
    let prefix = self.rows.commonCount(
      from: self.surroundings.lowerBound, old.rows, from: old.surroundings.lowerBound,
      limit: limit, step: 1)
    // In each list, the number of rows at the end that are beyond the end of the other list's.
    let (wide, oldWide) = (max(self.following - self.reach, 0), max(old.following - self.reach, 0))
    let (beyond, oldBeyond) = (max(oldWide - wide, 0), max(wide - oldWide, 0))
    let rest = min(self.surroundings.count - beyond, old.surroundings.count - oldBeyond) - prefix
    let suffix =
      rest <= 0
      ? 0
      : self.rows.commonCount(
        from: self.surroundings.upperBound - beyond - 1, old.rows,
        from: old.surroundings.upperBound - oldBeyond - 1, limit: rest, step: -1)

    let start = max(prefix - self.reach - self.countBefore, 0)
    let end = self.surroundings.count - beyond - suffix + self.reach - self.countBefore
    let oldEnd = old.surroundings.count - oldBeyond - suffix + self.reach - self.countBefore
    let addedLast = max(old.following - self.following, 0)
    let removedLast = max(self.following - old.following, 0)
    guard end < self.count - addedLast else {
      return RowsChange(start..<old.count, start..<self.count)
    }
    var change = RowsChange(start..<oldEnd, start..<end)
    (change.removedLast, change.addedLast) = (removedLast, addedLast)
    return change
  }
}
