/// Reads HTML that ``HTMLTemplates`` wrote, tag by tag. It does not support other HTML, such as
/// comments or attributes without quotation marks.
struct HTMLScanner {
  struct Tag {
    /// From `<` to `>`.
    let range: Range<Int>
    let name: Range<Int>
    /// The text between the name and the end.
    let attributes: Range<Int>
    let isEnd: Bool
    /// Whether the element has no content and no end tag.
    let isEmpty: Bool
  }

  struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var isAtEnd: Bool { self.position == self.bytes.count }

  /// The text before the next tag, which may be empty.
  mutating func text() -> Range<Int> {
    let start = self.position
    self.position = self.bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? self.bytes.count
    return start..<self.position
  }

  /// The tag that begins here; `nil` if its kind is not supported.
  mutating func tag() -> Tag? {
    let start = self.position
    var index = start + 1
    let isEnd = index < self.bytes.count && self.bytes[index] == UInt8(ascii: "/")
    if isEnd { index += 1 }
    let name = index..<(self.bytes[index...].firstIndex { Self.isName($0) == false } ?? index)
    guard name.isEmpty == false else { return nil }
    var quote: UInt8?
    for index in name.upperBound..<self.bytes.count {
      let byte = self.bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        let isClosed = self.bytes[index - 1] == UInt8(ascii: "/")
        self.position = index + 1
        return Tag(
          range: start..<self.position,
          name: name,
          attributes: name.upperBound..<max(name.upperBound, isClosed ? index - 1 : index),
          isEnd: isEnd,
          isEmpty: isClosed || Self.empty.contains { self.bytes[name].elementsEqual($0) }
        )
      }
    }
    return nil
  }

  /// The attributes of a tag; `nil` if one is written in an unsupported way.
  func attributes(of tag: Tag) -> [Attribute]? {
    var attributes: [Attribute] = []
    var rest = self.bytes[tag.attributes]
    while true {
      rest = rest.drop { Self.isSpace($0) }
      guard rest.isEmpty == false else { return attributes }
      let end = rest.firstIndex { $0 == UInt8(ascii: "=") || Self.isSpace($0) } ?? rest.endIndex
      let name = rest.startIndex..<end
      rest = rest[end...]
      guard name.isEmpty == false else { return nil }
      guard rest.first == UInt8(ascii: "=") else {
        attributes.append(Attribute(name: name, value: end..<end))
        continue
      }
      rest = rest.dropFirst()
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.dropFirst().firstIndex(of: quote)
      else { return nil }
      attributes.append(Attribute(name: name, value: (rest.startIndex + 1)..<end))
      rest = rest[(end + 1)...]
    }
  }

  /// The text that some HTML represents; `nil` if it has a character reference that
  /// ``HTMLTemplates`` does not write.
  func unescaped(_ range: Range<Int>) -> [UInt8]? {
    var text: [UInt8] = []
    var rest = self.bytes[range]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      text.append(contentsOf: rest[..<start])
      rest = rest[start...]
      guard let escape = Self.escapes.first(where: { rest.starts(with: $0.html) }) else {
        return nil
      }
      text.append(escape.byte)
      rest = rest.dropFirst(escape.html.count)
    }
    return text + rest
  }

  /// Elements without content and without an end tag.
  ///
  /// Source: HTML Standard, section Elements, void elements.
  private static let empty = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track",
    "wbr",
  ].map { Array($0.utf8) }

  private static let escapes: [(html: [UInt8], byte: UInt8)] = [
    ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"),
  ].map { (Array($0.0.utf8), Array($0.1.utf8)[0]) }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
