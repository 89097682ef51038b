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
  /// - Complexity: O(g + m), g groups of rows, m rows in those that differ.
  package func heapSize(notSharedWith old: Rendered?) -> Int {
    self.lists.reduce(self.heapSize) { size, list in
      size - list.heapSize(sharedWith: old?.lists.first { $0.name == list.name })
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
