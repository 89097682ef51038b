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

  package init(_ writer: HTMLWriter, title: String? = nil) {
    self.title = title
    self.bytes = writer.bytes
    self.holes = writer.holes
    self.lists = writer.holes.compactMap { $0.content as? RenderedList }
    self.nested = writer.holes.compactMap { $0.content as? NestedRegion }
    self.size = self.lists.reduce(writer.bytes.count) { $0 + $1.size }
    self.heapSize = self.lists.reduce(
      writer.bytes.shallowHeapSize + writer.holes.heapSize + (title?.heapSize ?? 0) + 256
    ) { $0 + $1.heapSize }
    var hasher = TagHasher()
    hasher.combine(writer.bytes)
    for list in self.lists {
      hasher.combine(list.name)
      hasher.combine(list.tag)
    }
    if let title { hasher.combine(title) }
    self.tag = hasher.finalize()
  }
}

/// The rows of a list.
package struct RenderedList: Sendable {
  package let name: String
  package let rows: [RenderedRow]
  /// The values of the rows, an array of the slot's row type. The next render compares with them.
  package let values: any Sendable
  package let tag: Tag
  /// The number of bytes of HTML in the rows.
  package let size: Int
  /// The size in memory, in bytes. The values count twice, because the selector that they come from
  /// holds them too, along with what it selected them from.
  package let heapSize: Int

  package init<Row: Sendable>(name: String, rows: [RenderedRow], values: [Row]) {
    self.name = name
    self.rows = rows
    self.values = values
    var hasher = TagHasher()
    var (size, heapSize) = (0, rows.shallowHeapSize + 2 * values.shallowHeapSize)
    for row in rows {
      hasher.combine(row.tag)
      size += row.bytes.count
      heapSize += row.heapSize
    }
    self.tag = hasher.finalize()
    self.size = size
    self.heapSize = heapSize
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
    self.tag = hasher.finalize()
  }
}
