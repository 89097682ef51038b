import Foundation

/// A region as a window has it: its frame, and the rows of its lists.
struct TestRegion: Sendable {
  private struct List: Sendable {
    var keys: [String]
    var rows: [String: String]
  }

  private var frame: String
  private var lists: [String: List] = [:]
  let tag: String

  /// Applies a patch as described in docs/PROTOCOL.md.
  ///
  /// - Throws: ``WindowTestError`` if it does not fit the content of the window.
  init(_ old: TestRegion?, _ patch: PatchJSON) throws {
    self.tag = patch.tag
    if case .html(let html) = patch.content, patch.lists == nil {
      (self.frame, self.lists) = Self.split(html)
      return
    }
    guard let old else {
      throw WindowTestError("a difference came for the region \(patch.region), which is not there")
    }
    switch patch.content {
    case .html(let frame): self.frame = frame
    case .edits(let edits):
      self.frame = try edits.reduce(old.frame) { try $1.applied(to: $0) }
    case .unchanged: self.frame = old.frame
    }
    self.lists = old.lists
    for (name, operations) in patch.lists ?? [:] {
      guard var list = self.lists[name] else {
        throw WindowTestError("rows came for the list \(name), which is not there")
      }
      for operation in operations {
        try Self.apply(operation, to: &list)
      }
      self.lists[name] = list
    }
  }

  /// The region's HTML, including its rows and nested regions.
  static func html(_ regions: [String: TestRegion], _ region: TestRegion?) -> String {
    guard let region else { return "" }
    var html = region.frame
    for (name, list) in region.lists {
      guard let attribute = html.firstRange(of: "data-list=\"\(name.escaped)\""),
        let end = html[attribute.upperBound...].firstIndex(of: ">")
      else { continue }
      let rows = list.keys.compactMap { list.rows[$0] }.joined()
      html.insert(contentsOf: rows, at: html.index(after: end))
    }
    return html.replacing(/<(?:div|g) data-region="([^"]*)">/) { match in
      "\(match.output.0)\(Self.html(regions, regions[String(match.output.1)]))"
    }
  }

  private static func apply(_ operation: PatchJSON.Operation, to list: inout List) throws {
    func index(before key: String?) throws -> Int {
      guard let key else { return list.keys.count }
      guard let index = list.keys.firstIndex(of: key) else {
        throw WindowTestError("\(operation) names the row \(key), which is not there")
      }
      return index
    }
    switch operation {
    case .set(let key, let html):
      _ = try index(before: key)
      list.rows[key] = html
    case .edit(let key, let edits):
      guard var html = list.rows[key] else {
        throw WindowTestError("\(operation) edits the row \(key), which is not there")
      }
      for edit in edits { html = try edit.applied(to: html, inRow: true) }
      list.rows[key] = html
    case .put(let key, let html, let before):
      guard list.rows[key] == nil else {
        throw WindowTestError("\(operation) puts a row that is there")
      }
      list.keys.insert(key, at: try index(before: before))
      list.rows[key] = html
    case .cut(let key):
      list.keys.remove(at: try index(before: key))
      list.rows[key] = nil
    case .move(let key, let before):
      list.keys.remove(at: try index(before: key))
      list.keys.insert(key, at: try index(before: before))
    case .order(let keys):
      guard Set(keys) == Set(list.keys) else {
        throw WindowTestError("\(operation) does not name the rows that are there")
      }
      list.keys = keys
    }
  }

  /// Extracts the rows of lists from HTML.
  private static func split(_ html: String) -> (frame: String, lists: [String: List]) {
    var (frame, lists) = (html, [String: List]())
    for match in html.matches(of: /<(\w+)[^>]*data-list="([^"]*)"[^>]*>/) {
      let (element, name) = (String(match.output.1), String(match.output.2).unescaped)
      guard let start = frame.firstRange(of: String(match.output.0))?.upperBound,
        let end = Self.end(of: element, in: frame, from: start)
      else { continue }
      lists[name] = Self.list(frame[start..<end])
      frame.removeSubrange(start..<end)
    }
    return (frame, lists)
  }

  /// The end of the element that was opened before `start`.
  private static func end(
    of element: String,
    in html: String,
    from start: String.Index
  ) -> String.Index? {
    var depth = 1
    var position = start
    while let tag = html[position...].firstMatch(of: /<(\/?)(\w+)/) {
      if tag.output.2 == element[...] {
        depth += tag.output.1.isEmpty ? 1 : -1
        if depth == 0 { return tag.range.lowerBound }
      }
      position = tag.range.upperBound
    }
    return nil
  }

  private static func list(_ html: Substring) -> List {
    var list = List(keys: [], rows: [:])
    let starts = html.matches(of: /<\w+ data-key="([^"]*)"/)
    for (index, match) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1].range.lowerBound : html.endIndex
      let key = String(match.output.1).unescaped
      list.keys.append(key)
      list.rows[key] = String(html[match.range.lowerBound..<end])
    }
    return list
  }
}

extension PatchJSON.Edit {
  /// HTML with the new value.
  ///
  /// - Parameter inRow: Whether the HTML is a row and the path starts at it.
  func applied(to html: String, inRow: Bool = false) throws -> String {
    let path = inRow ? [0] + self.path : self.path
    var (html, way, children) = (html, [Int](), [0])
    var end = html.startIndex
    // Text between two tags belongs to the element that is open there.
    for tag in html.matches(of: /<(\/?)([a-zA-Z0-9\-]+)((?:[^>"']|"[^"]*"|'[^']*')*?)(\/?)>/) {
      if case .text(let child) = self.target, way == path, children.last == child {
        html.replaceSubrange(end..<tag.range.lowerBound, with: (self.value ?? "").escaped)
        return html
      }
      end = tag.range.upperBound
      if tag.output.1.isEmpty == false {
        way.removeLast()
        children.removeLast()
        continue
      }
      way.append(children[children.count - 1])
      children[children.count - 1] += 1
      if case .attribute(let name) = self.target, way == path {
        let opening = html[tag.range.lowerBound..<tag.output.3.startIndex]
        let attributes = try self.attributes(String(tag.output.3), setting: name)
        html.replaceSubrange(tag.range, with: "\(opening)\(attributes)\(tag.output.4)>")
        return html
      }
      if tag.output.4.isEmpty == false || Self.empty.contains(tag.output.2.lowercased()) {
        way.removeLast()
      } else {
        children.append(0)
      }
    }
    guard case .text(let child) = self.target, way == path, children.last == child else {
      throw WindowTestError("there is no \(self) in \(html)")
    }
    html.replaceSubrange(end..., with: (self.value ?? "").escaped)
    return html
  }

  private func attributes(_ text: String, setting name: String) throws -> String {
    let new = self.value.map { " \(name)=\"\($0.escaped)\"" } ?? ""
    let known = try Regex("\\s\(name)(?:=\"[^\"]*\"|='[^']*')?(?=\\s|$)")
    guard let old = text.firstRange(of: known) else { return text + new }
    return text.replacingCharacters(in: old, with: new)
  }

  private static var empty: Set<String> {
    [
      "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
      "wbr",
    ]
  }
}
