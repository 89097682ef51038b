package import HTMLTemplates

/// The output of a region's component: an immutable value that all windows share.
///
/// It is kept in pieces, so that differences are found without comparing equal bytes: the frame,
/// and its holes by offset (lists of rows, nested regions, per-window values).
package final class Rendered: Sendable {
  package let tag: Tag
  package let bytes: [UInt8]
  package let holes: [HTMLWriter.Hole]
  package let lists: [RenderedList]
  package let nested: [NestedRegion]
  /// The document's title, if this is the root of a page that sets one.
  package let title: String?
  /// The number of bytes of HTML, including rows.
  package let size: Int
  /// The size in memory in bytes, including the values that it was rendered from.
  package let heapSize: Int
  /// What it was rendered from, if it shows nothing else: a render of an equal value is the same.
  let shown: RegionComponent?
  /// Whether it shows a value, and nothing else.
  package var showsValue: Bool { self.shown != nil }

  package init(
    _ writer: HTMLWriter, title: String? = nil, showing shown: RegionComponent? = nil
  ) {
    self.title = title
    self.shown = shown
    self.bytes = writer.bytes
    self.holes = writer.holes
    self.lists = writer.holes.compactMap { $0.content(as: RenderedList.self) }
    self.nested = writer.holes.compactMap { $0.content(as: NestedRegion.self) }
    self.size = self.lists.reduce(writer.bytes.count) { $0 + $1.size }
    // The texts of a shown value take about as much as the HTML that they are in.
    let bytes = writer.bytes.shallowHeapSize * (shown == nil ? 1 : 2)
    self.heapSize = self.lists.reduce(
      bytes + writer.holes.heapSize + (title?.heapSize ?? 0) + 256
    ) { $0 + $1.heapSize }
    var hasher = TagHasher()
    hasher.combine(writer.bytes)
    hasher.combine(targetsOf: writer.holes)
    for list in self.lists {
      hasher.combine(list.name)
      hasher.combine(list.tag)
    }
    if let title { hasher.combine(title) }
    self.tag = hasher.finalize()
  }
}

extension Rendered {
  /// Whether its HTML contains a text.
  ///
  /// - Complexity: O(n), n bytes.
  package func contains(_ text: String) -> Bool {
    var writer = HTMLWriter()
    writer.escape(text)
    let bytes = writer.bytes
    return self.bytes.firstRange(of: bytes) != nil
      || self.lists.contains { list in
        list.rows.contains { $0.bytes.firstRange(of: bytes) != nil }
      }
  }

  /// The size in memory, in bytes, without the rows of an older version that it shares.
  ///
  /// - Complexity: O(n / 32 + m), n rows, m rows in the groups that differ.
  package func heapSize(notSharedWith old: Rendered?) -> Int {
    self.lists.reduce(self.heapSize) { size, list in
      size - list.heapSize(sharedWith: old?.lists.first { $0.name == list.name })
    }
  }
}

/// The rows of a list.
package struct RenderedList: Sendable {
  package let name: String
  package let rows: [RenderedRow]
  /// What the rows were rendered from: an array of the slot's row type, or a ``ShownRows``. The next
  /// render compares with it.
  package let values: any Sendable
  package let tag: Tag
  /// The number of bytes of HTML in the rows.
  package let size: Int
  /// The size in memory, in bytes. The values count twice, because the selector that they come from
  /// holds them too, along with what it selected them from.
  package let heapSize: Int
  /// Each of ``Block/length`` rows, so that a change of one row visits only the rows of one.
  private let blocks: [Block]

  package init<Row: Sendable>(name: String, rows: [RenderedRow], values: [Row]) {
    self.init(name, rows, values, 2 * values.shallowHeapSize, Block.blocks(of: rows[...]))
  }

  /// - Parameter heapSize: The size of the values.
  init(name: String, rows: [RenderedRow], values: some Sendable, heapSize: Int) {
    self.init(name, rows, values, heapSize, Block.blocks(of: rows[...]))
  }

  /// A list that differs from an older one by a change.
  ///
  /// - Complexity: O(d + n / 32), d changed rows and n rows, if they stay at their positions;
  ///   otherwise O(m), m rows after the first that changed.
  init(
    name: String,
    rows: [RenderedRow],
    values: some Sendable,
    heapSize: Int,
    from old: Self,
    _ change: RowsChange
  ) {
    var blocks = old.blocks
    if change.isInPlace {
      let positions = Array(change.replacing) + change.changed.map(\.new)
      for block in Set(positions.lazy.map { $0 / Block.length }) {
        blocks[block] = Block(rows.dropFirst(block * Block.length).prefix(Block.length))
      }
    } else {
      let first = change.changed.reduce(change.replaced.lowerBound) { min($0, $1.new) }
      let kept = first / Block.length
      blocks.removeLast(blocks.count - kept)
      blocks += Block.blocks(of: rows.dropFirst(kept * Block.length))
    }
    self.init(name, rows, values, heapSize, blocks)
  }

  /// Its rows in groups, each with the tag of the group. Most groups stay the same when a row changes.
  ///
  /// - Complexity: O(n / 32), n rows.
  package var groups: [(tag: Tag, rows: ArraySlice<RenderedRow>)] {
    self.blocks.enumerated().map { number, block in
      (block.tag, self.rows.dropFirst(number * Block.length).prefix(Block.length))
    }
  }

  /// The size of the rows that are the same objects in an older version.
  fileprivate func heapSize(sharedWith old: Self?) -> Int {
    guard let old else { return 0 }
    var (size, changed, oldRows) = (0, [RenderedRow](), Set<ObjectIdentifier>())
    let (tags, oldTags) = (Set(self.blocks.map(\.tag)), Set(old.blocks.map(\.tag)))
    for (block, group) in zip(self.blocks, self.groups) {
      if oldTags.contains(block.tag) { size += block.heapSize } else { changed += group.rows }
    }
    for group in old.groups where tags.contains(group.tag) == false {
      oldRows.formUnion(group.rows.lazy.map(ObjectIdentifier.init))
    }
    return changed.reduce(size) { size, row in
      oldRows.contains(ObjectIdentifier(row)) ? size + row.heapSize : size
    }
  }

  private init(
    _ name: String,
    _ rows: [RenderedRow],
    _ values: some Sendable,
    _ valuesHeapSize: Int,
    _ blocks: [Block]
  ) {
    self.name = name
    self.rows = rows
    self.values = values
    self.blocks = blocks
    var hasher = TagHasher()
    var (size, heapSize) = (0, rows.shallowHeapSize + blocks.shallowHeapSize + valuesHeapSize)
    for block in blocks {
      hasher.combine(block.tag)
      size += block.size
      heapSize += block.heapSize
    }
    self.tag = hasher.finalize()
    self.size = size
    self.heapSize = heapSize
  }

  private struct Block: Sendable {
    static let length = 32

    let tag: Tag
    let size: Int
    let heapSize: Int

    init(_ rows: ArraySlice<RenderedRow>) {
      var hasher = TagHasher()
      var (size, heapSize) = (0, 0)
      for row in rows {
        hasher.combine(row.tag)
        size += row.bytes.count
        heapSize += row.heapSize
      }
      self.tag = hasher.finalize()
      self.size = size
      self.heapSize = heapSize
    }

    static func blocks(of rows: ArraySlice<RenderedRow>) -> [Self] {
      stride(from: rows.startIndex, to: rows.endIndex, by: Self.length).map {
        Self(rows[$0..<min($0 + Self.length, rows.endIndex)])
      }
    }
  }
}

/// One row. A row that has not changed stays the same object in the next render.
package final class RenderedRow: Sendable {
  package let key: String
  package let bytes: [UInt8]
  package let holes: [HTMLWriter.Hole]
  package let tag: Tag
  /// The size in memory, in bytes.
  package let heapSize: Int

  package init(key: String, _ writer: HTMLWriter) {
    self.key = key
    // A copy without the writer's spare capacity.
    self.bytes = Array(writer.bytes[...])
    self.holes = writer.holes
    self.heapSize =
      128 + key.heapSize + writer.bytes.shallowHeapSize + writer.holes.heapSize
    var hasher = TagHasher()
    hasher.combine(writer.bytes)
    hasher.combine(targetsOf: writer.holes)
    self.tag = hasher.finalize()
  }
}

extension TagHasher {
  /// Adds the elements to which links scroll. Pages have them, but the bytes do not.
  fileprivate mutating func combine(targetsOf holes: [HTMLWriter.Hole]) {
    for hole in holes {
      if case .link(_, target: let target?) = hole.content(as: PerWindowHole.self) {
        self.combine(target)
      }
    }
  }
}

extension HTMLWriter.Hole {
  /// The content, if it has this type. It compares types first, because nearly all have another, and
  /// a failed dynamic cast is slow.
  package func content<Content>(as type: Content.Type) -> Content? {
    Swift.type(of: self.content) == type ? self.content as? Content : nil
  }
}
