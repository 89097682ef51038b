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
  /// How many bytes it holds, rows included.
  let size: Int

  init(_ writer: HTMLWriter) {
    self.bytes = writer.bytes
    self.holes = writer.holes
    self.lists = writer.holes.compactMap { $0.content as? RenderedList }
    self.nested = writer.holes.compactMap { $0.content as? NestedRegion }
    self.size = self.lists.reduce(writer.bytes.count) { size, list in
      list.rows.reduce(size) { $0 + $1.bytes.count }
    }
    var hasher = TagHasher()
    hasher.combine(writer.bytes)
    for list in self.lists {
      hasher.combine(list.name)
      hasher.combine(list.tag)
    }
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

  init(name: String, rows: [RenderedRow], values: any Sendable) {
    self.name = name
    self.rows = rows
    self.values = values
    var hasher = TagHasher()
    for row in rows {
      hasher.combine(row.tag)
    }
    self.tag = hasher.finalize()
  }
}

/// One row. A row that has not changed is the same object in the next render.
final class RenderedRow: Sendable {
  let key: String
  let bytes: [UInt8]
  let holes: [HTMLWriter.Hole]
  let tag: Tag

  init(key: String, _ writer: HTMLWriter) {
    self.key = key
    self.bytes = writer.bytes
    self.holes = writer.holes
    var hasher = TagHasher()
    hasher.combine(writer.bytes)
    self.tag = hasher.finalize()
  }
}
