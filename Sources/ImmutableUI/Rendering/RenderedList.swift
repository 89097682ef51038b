/// The rows of a list, in groups.
///
/// Where a group ends follows from its rows alone (``RenderedRow/endsGroup``). So equal rows have equal
/// groups, however they came about, and a change makes only the groups around it anew: all others stay
/// the same objects, wherever rows were inserted or removed. Whatever handles a list can skip them.
package struct RenderedList: Sendable {
  package let name: String
  package let groups: [RowGroup]
  /// The number of rows before each group.
  private let starts: [Int]
  package let count: Int
  /// What the rows were rendered from: an array of the slot's row type, or a ``ShownRows``. The next
  /// render compares with it.
  package let values: any Sendable
  package let tag: Tag
  /// The number of bytes of HTML in the rows.
  package let size: Int
  /// The size in memory, in bytes. The values count twice, because the selector that they come from
  /// holds them too, along with what it selected them from.
  package let heapSize: Int

  package init<Row: Sendable>(name: String, rows: [RenderedRow], values: [Row]) {
    self.init(name: name, rows: rows, values: values, heapSize: 2 * values.shallowHeapSize)
  }

  /// - Parameter heapSize: The size of the values.
  init(name: String, rows: [RenderedRow], values: some Sendable, heapSize: Int) {
    var builder = Builder()
    builder.add(rows)
    self.init(name, builder.finish(), values, heapSize)
  }

  /// Rows that take the place of others.
  struct Edit {
    /// The positions of the others.
    let replaced: Range<Int>
    let rows: [RenderedRow]
  }

  /// - Complexity: That of ``init(from:_:values:heapSize:)``.
  init<Row: Sendable>(from old: Self, _ edits: [Edit], values: [Row]) {
    self.init(from: old, edits, values: values, heapSize: 2 * values.shallowHeapSize)
  }

  /// A list that differs from an older one in some places.
  ///
  /// - Parameters:
  ///   - edits: Where it differs, in order.
  ///   - heapSize: The size of the values.
  /// - Complexity: O(g + r), g groups, r rows in those that change.
  init(from old: Self, _ edits: [Edit], values: some Sendable, heapSize: Int) {
    var builder = Builder()
    var edits = edits.filter { $0.replaced.isEmpty == false || $0.rows.isEmpty == false }[...]
    // The first old row that is not dealt with.
    var next = 0
    for (start, group) in zip(old.starts, old.groups) {
      let end = start + group.rows.count
      let isKept = edits.first.map { end <= $0.replaced.lowerBound && group.isClosed } ?? true
      if isKept, next == start, builder.isAtStart {
        builder.add(group)
        next = end
        continue
      }
      while next < end {
        if let edit = edits.first, edit.replaced.lowerBound <= next {
          edits.removeFirst()
          builder.add(edit.rows)
          next = edit.replaced.upperBound
        } else {
          builder.add(group.rows[next - start])
          next += 1
        }
      }
    }
    for edit in edits { builder.add(edit.rows) }
    self.init(old.name, builder.finish(), values, heapSize)
  }

  private init(
    _ name: String,
    _ groups: [RowGroup],
    _ values: some Sendable,
    _ valuesHeapSize: Int
  ) {
    var hasher = TagHasher()
    var (count, size, heapSize, starts) = (0, 0, valuesHeapSize, [Int]())
    starts.reserveCapacity(groups.count)
    for group in groups {
      starts.append(count)
      hasher.combine(group.tag)
      count += group.rows.count
      size += group.size
      heapSize += group.rows.shallowHeapSize + group.heapSize
    }
    self.name = name
    self.groups = groups
    self.starts = starts
    self.count = count
    self.values = values
    self.tag = hasher.finalize()
    self.size = size
    self.heapSize = heapSize + groups.shallowHeapSize + starts.shallowHeapSize
  }
}

extension RenderedList {
  /// - Complexity: O(n), n rows.
  package var rows: [RenderedRow] { self.groups.flatMap(\.rows) }

  /// - Complexity: O(log n), n rows.
  package subscript(position: Int) -> RenderedRow {
    var (low, high) = (0, self.starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if self.starts[middle] <= position { low = middle } else { high = middle }
    }
    return self.groups[low].rows[position - self.starts[low]]
  }

  /// The groups that are the same objects at the start of both lists, and of the others those at the
  /// end of both.
  ///
  /// - Complexity: O(g), g groups.
  package func commonGroups(with other: Self) -> (start: Int, end: Int) {
    let (groups, others) = (self.groups, other.groups)
    let limit = min(groups.count, others.count)
    var (start, end) = (0, 0)
    while start < limit, groups[start] === others[start] { start += 1 }
    while end < limit - start, groups[groups.count - 1 - end] === others[others.count - 1 - end] {
      end += 1
    }
    return (start, end)
  }

  /// The size of the rows that are the same objects in an older version.
  func heapSize(sharedWith old: Self?) -> Int {
    guard let old else { return 0 }
    let (groups, oldGroups) = (
      Set(self.groups.lazy.map(ObjectIdentifier.init)),
      Set(old.groups.lazy.map(ObjectIdentifier.init))
    )
    let oldRows = Set(
      old.groups.lazy.filter { groups.contains(ObjectIdentifier($0)) == false }
        .flatMap(\.rows).map(ObjectIdentifier.init))
    return self.groups.reduce(0) { size, group in
      if oldGroups.contains(ObjectIdentifier(group)) { return size + group.heapSize }
      return group.rows.reduce(size) { size, row in
        oldRows.contains(ObjectIdentifier(row)) ? size + row.heapSize : size
      }
    }
  }

  /// Puts rows into groups.
  private struct Builder {
    private var groups: [RowGroup] = []
    /// The rows of the next group.
    private var open: [RenderedRow] = []

    /// Whether the next row begins a group.
    var isAtStart: Bool { self.open.isEmpty }

    mutating func add(_ group: RowGroup) {
      self.groups.append(group)
    }

    mutating func add(_ rows: [RenderedRow]) {
      for row in rows { self.add(row) }
    }

    mutating func add(_ row: RenderedRow) {
      self.open.append(row)
      if row.endsGroup { self.close() }
    }

    mutating func finish() -> [RowGroup] {
      if self.open.isEmpty == false { self.close() }
      return self.groups
    }

    private mutating func close() {
      self.groups.append(RowGroup(self.open))
      self.open = []
    }
  }
}

/// Rows that follow each other in a list, up to one that ends a group, or to the end of the list.
package final class RowGroup: Sendable {
  package let rows: [RenderedRow]
  package let tag: Tag
  /// The number of bytes of HTML.
  fileprivate let size: Int
  /// The size of the rows in memory, in bytes.
  fileprivate let heapSize: Int

  fileprivate init(_ rows: [RenderedRow]) {
    var hasher = TagHasher()
    var (size, heapSize) = (0, 0)
    for row in rows {
      hasher.combine(row.tag)
      size += row.bytes.count
      heapSize += row.heapSize
    }
    self.rows = rows
    self.tag = hasher.finalize()
    self.size = size
    self.heapSize = heapSize
  }

  fileprivate var isClosed: Bool { self.rows.last?.endsGroup == true }
}

extension RenderedRow {
  /// Whether no group goes beyond this row. One of 16 rows ends a group.
  fileprivate var endsGroup: Bool { self.tag.low & 15 == 0 }
}
