import HTMLTemplates

/// What a region's component wrote: an immutable value that all windows share.
///
/// It is kept in pieces, so that a difference is found without looking at bytes that are the same:
/// the frame, and in it, by offset, its holes (rows of lists, nested regions, what comes late).
final class Rendered: Sendable {
  let tag: Tag
  let bytes: [UInt8]
  let holes: [HTMLWriter.Hole]
  let lists: [RenderedList]
  let nested: [NestedRegion]
  /// The document's title, if this is the root of a page that says one.
  let title: String?
  /// How many bytes of HTML it has, rows included.
  let size: Int
  /// What it takes in memory, with what it is made from, in bytes.
  let heapSize: Int

  init(_ writer: HTMLWriter, title: String? = nil) {
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
struct RenderedList: Sendable {
  let name: String
  let rows: [RenderedRow]
  /// The rows' values, an array of the slot's row type: what the next render compares with.
  let values: any Sendable
  let tag: Tag
  /// How many bytes of HTML the rows have.
  let size: Int
  /// What they take in memory, in bytes. The values count twice: the selector that they are from has them, and
  /// what it picked them from.
  let heapSize: Int

  init<Row: Sendable>(name: String, rows: [RenderedRow], values: [Row]) {
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

/// One row. A row that has not changed is the same object in the next render.
final class RenderedRow: Sendable {
  let key: String
  let bytes: [UInt8]
  let holes: [HTMLWriter.Hole]
  let tag: Tag
  /// What it takes in memory, in bytes.
  let heapSize: Int

  init(key: String, _ writer: HTMLWriter) {
    self.key = key
    // Without the room that the writer had to spare.
    self.bytes = Array(writer.bytes[...])
    self.holes = writer.holes
    self.heapSize =
      128 + key.heapSize + writer.bytes.shallowHeapSize + writer.holes.heapSize
    var hasher = TagHasher()
    hasher.combine(writer.bytes)
    self.tag = hasher.finalize()
  }
}
