import HTMLTemplates
import ImmutableUI

/// Writes the JSON that updates a window to a region's newest render (docs/PROTOCOL.md, PATCH).
struct PatchWriter {
  /// - Parameters:
  ///   - name: The region's name.
  ///   - old: The render that the window shows; `nil` sends the whole region.
  ///   - new: The newest render.
  /// - Returns: A JSON array: the difference, or the whole region if that is shorter.
  /// - Complexity: O(n), n rows and bytes written.
  static func patch(_ name: String, from old: Rendered?, to new: Rendered) -> [UInt8] {
    guard let old, old.lists.map(\.name) == new.lists.map(\.name) else {
      return self.whole(name, new)
    }
    let difference = self.difference(name, from: old, to: new)
    guard difference.count > new.size else { return difference }
    let whole = self.whole(name, new)
    return difference.count > whole.count ? whole : difference
  }

  private static func whole(_ name: String, _ new: Rendered) -> [UInt8] {
    var json = self.open(name, new)
    json.openString()
    var start = 0
    for hole in new.holes {
      json.write(partOfString: Array(new.bytes[start..<hole.offset]))
      start = hole.offset
      if let list = hole.content as? RenderedList {
        for row in list.rows {
          json.write(partOfString: row.bytes)
        }
      }
    }
    json.write(partOfString: Array(new.bytes[start...]))
    json.closeString()
    json.write("]")
    return json.bytes
  }

  private static func difference(
    _ name: String,
    from old: Rendered,
    to new: Rendered
  ) -> [UInt8] {
    var json = self.open(name, new)
    let lists = zip(old.lists, new.lists).filter { $0.tag != $1.tag }
    var isFrame = false
    if old.bytes == new.bytes {
      json.write("null")
    } else if let edits = self.edits(from: old.bytes, to: new.bytes) {
      json.write(json: edits)
    } else {
      json.write(string: new.bytes)
      isFrame = true
    }
    // Without lists, HTML is that of the whole region.
    if isFrame || lists.isEmpty == false {
      json.write(",{")
      for (index, (old, new)) in lists.enumerated() {
        if index > 0 { json.write(",") }
        json.write(string: new.name)
        json.write(":")
        self.write(old, new, &json)
      }
      json.write("}")
    }
    json.write("]")
    return json.bytes
  }

  private static func open(_ name: String, _ new: Rendered) -> JSONWriter {
    var json = JSONWriter()
    json.write("[")
    json.write(string: name)
    json.write(",")
    json.write(string: new.tag.text)
    json.write(",")
    return json
  }

  private static func write(
    _ old: RenderedList,
    _ new: RenderedList,
    _ json: inout JSONWriter
  ) {
    var difference = ListDifference(from: old, to: new)
    difference.shortenMoves(to: new)
    json.write(list: difference.operations) { json, operation in
      json.write("[")
      switch operation {
      case .set(let row, let old):
        let edits = self.edits(from: old.bytes, to: row.bytes, inRow: true)
        json.write(edits == nil ? "\"set\"," : "\"edit\",")
        json.write(string: row.key)
        json.write(",")
        if let edits {
          json.write(json: edits)
        } else {
          json.write(string: row.bytes)
        }
      case .put(let row, let before):
        json.write("\"put\",")
        json.write(string: row.key)
        json.write(",")
        json.write(string: row.bytes)
        json.write(",")
        json.write(key: before)
      case .cut(let key):
        json.write("\"cut\",")
        json.write(string: key)
      case .move(let key, let before):
        json.write("\"move\",")
        json.write(string: key)
        json.write(",")
        json.write(key: before)
      case .order(let keys):
        json.write("\"order\",")
        json.write(list: keys) { json, key in json.write(string: key) }
      }
      json.write("]")
    }
  }
}

extension PatchWriter {
  /// - Parameter inRow: Whether the path to an element starts inside the row, not around it.
  /// - Returns: The edits that make one piece of HTML another, as JSON; `nil` if there are none, or
  ///   if the HTML is shorter.
  private static func edits(
    from old: [UInt8],
    to new: [UInt8],
    inRow: Bool = false
  ) -> [UInt8]? {
    guard let edits = HTMLEdits(from: old, to: new)?.edits,
      inRow == false || edits.allSatisfy({ $0.path.first == 0 })
    else { return nil }
    var json = JSONWriter()
    json.write(list: edits) { json, edit in
      json.write("[")
      json.write(path: edit.path.dropFirst(inRow ? 1 : 0))
      json.write(",")
      if let value = edit.value {
        json.write(string: value)
      } else {
        json.write("null")
      }
      switch edit.target {
      case .text(before: 0): break
      case .text(let child):
        json.write(",")
        json.write(child)
      case .attribute(let name):
        json.write(",")
        json.write(string: name)
      }
      json.write("]")
    }
    return json.bytes.count < new.count ? json.bytes : nil
  }
}

extension JSONWriter {
  /// Writes a path of one index as a number.
  fileprivate mutating func write(path: ArraySlice<Int>) {
    if path.count == 1, let child = path.first { return self.write(child) }
    self.write(list: path) { json, child in json.write(child) }
  }

  fileprivate mutating func write(key: String?) {
    if let key {
      self.write(string: key)
    } else {
      self.write("null")
    }
  }
}
