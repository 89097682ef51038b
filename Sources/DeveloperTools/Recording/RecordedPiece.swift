import Foundation
import HTMLTemplates
import ImmutableUI

/// The line of some content, which others refer to by its tag: HTML, or parts that follow one another.
struct RecordedPiece: Codable {
  let html: String?
  /// The tags of the parts.
  let parts: [String]?
  let tag: String

  init(_ tag: Tag, html: some Collection<UInt8>) {
    self.html = String(decoding: html, as: UTF8.self)
    self.parts = nil
    self.tag = tag.text
  }

  init(_ tag: Tag, parts: [String]) {
    self.html = nil
    self.parts = parts
    self.tag = tag.text
  }
}

/// What a file of a recording already has, so that it has it only once.
struct RecordedTags {
  /// Actions with smaller payloads are written each time.
  static let payloadLimit = 1_024

  /// Bounded by the size of the file, which has a line for each.
  private var tags: Set<Tag> = []

  /// - Returns: Whether the file does not have it yet. From now on it does.
  mutating func insert(_ tag: Tag) -> Bool { self.tags.insert(tag).inserted }

  /// The pieces of a region that the file lacks, parts before the whole.
  ///
  /// - Complexity: O(b + n / 32), b bytes of the region and of its changed rows, and n rows.
  mutating func missingPieces(of rendered: Rendered) -> [RecordedPiece] {
    guard self.insert(rendered.tag) else { return [] }
    guard rendered.lists.isEmpty == false else {
      return [RecordedPiece(rendered.tag, html: rendered.bytes)]
    }
    var pieces: [RecordedPiece] = []
    var parts: [String] = []
    var start = 0
    func add(_ bytes: ArraySlice<UInt8>) {
      let bytes = Array(bytes)
      var hasher = TagHasher()
      hasher.combine(bytes)
      let tag = hasher.finalize()
      parts.append(tag.text)
      if self.insert(tag) { pieces.append(RecordedPiece(tag, html: bytes)) }
    }
    for hole in rendered.holes {
      guard let list = hole.content(as: RenderedList.self) else { continue }
      add(rendered.bytes[start..<hole.offset])
      start = hole.offset
      for group in list.groups {
        parts.append(group.tag.text)
        guard self.insert(group.tag) else { continue }
        for row in group.rows where self.insert(row.tag) {
          pieces.append(RecordedPiece(row.tag, html: row.bytes))
        }
        pieces.append(RecordedPiece(group.tag, parts: group.rows.map(\.tag.text)))
      }
    }
    add(rendered.bytes[start...])
    return pieces + [RecordedPiece(rendered.tag, parts: parts)]
  }

  /// How the line of an action refers to a large payload.
  struct Reference {
    let tag: Tag
    /// Whether the file already has the payload.
    let isKnown: Bool
  }

  /// - Parameter payload: An action as JSON. From now on the file has it.
  /// - Returns: `nil` for a small payload.
  /// - Complexity: O(n), n bytes.
  mutating func reference(to payload: [UInt8]) -> Reference? {
    guard payload.count > Self.payloadLimit else { return nil }
    var hasher = TagHasher()
    hasher.combine(payload)
    let tag = hasher.finalize()
    return Reference(tag: tag, isKnown: self.insert(tag) == false)
  }

  /// What follows the payload in the line of an action.
  static let afterPayload = Data(",\"digest\":\"".utf8)
}

/// The lines of a file that others refer to.
struct RecordedIndex {
  private static let beginnings = ["action", "html", "parts"]
    .map { Data("{\"\($0)\":".utf8) }
  private static let tag = Data("\"tag\":\"".utf8)
  /// The tag is among the last bytes of its line.
  private static let tail = 160

  /// The numbers of lines, by tag.
  private var numbers: [String: Int] = [:]

  /// - Complexity: O(n), n lines.
  init(_ lines: [Data]) {
    for (index, line) in lines.enumerated()
    where Self.beginnings.contains(where: { line.starts(with: $0) }) {
      if let tag = Self.tag(of: line), self.numbers[tag] == nil { self.numbers[tag] = index + 1 }
    }
  }

  subscript(tag: String) -> Int? { self.numbers[tag] }

  /// The tag in a line; `nil` if it has none.
  static func tag(of line: Data) -> String? {
    let tail = line.suffix(Self.tail)
    return tail.range(of: Self.tag, options: .backwards).map { range in
      String(decoding: tail[range.upperBound...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }
  }
}
