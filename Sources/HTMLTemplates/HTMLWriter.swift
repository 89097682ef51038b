/// HTML under construction: bytes, and the holes in them whose content is decided later.
public struct HTMLWriter: Sendable {
  /// A place between two bytes where somebody will put something.
  public struct Hole: Sendable {
    /// How many bytes stand before it.
    public let offset: Int
    public let content: any Sendable
  }

  public private(set) var bytes: [UInt8] = []
  /// In the order of their offsets.
  public private(set) var holes: [Hole] = []

  /// - Parameter capacity: How many bytes to expect.
  public init(capacity: Int = 0) {
    self.bytes.reserveCapacity(capacity)
  }

  /// Writes markup of the program's own.
  public mutating func write(_ html: StaticString) {
    html.withUTF8Buffer { self.bytes.append(contentsOf: $0) }
  }

  /// Writes bytes that are HTML already.
  public mutating func write(bytes: [UInt8]) {
    self.write(bytes: bytes[...])
  }

  /// Writes bytes that are HTML already.
  public mutating func write(bytes: ArraySlice<UInt8>) {
    bytes.withUnsafeBufferPointer { self.bytes.append(contentsOf: $0) }
  }

  /// Writes text that is HTML already. Never give it what a user or a feed can reach.
  public mutating func write(trusted html: String) {
    self.bytes.append(contentsOf: html.utf8)
  }

  public mutating func write(_ number: Int) {
    self.bytes.append(contentsOf: String(number).utf8)
  }

  /// Writes text so that it means itself, between tags and in quoted attributes alike.
  ///
  /// It looks at bytes, not at characters: a quotation mark with a combining mark on it is one
  /// character, and would still end an attribute.
  ///
  /// - Complexity: O(n), n bytes; runs without special characters are copied whole.
  public mutating func escape(_ text: consuming String) {
    text.withUTF8 { self.escape($0) }
  }

  /// Leaves a hole where the next byte will be written.
  public mutating func hole(_ content: any Sendable) {
    self.holes.append(Hole(offset: self.bytes.count, content: content))
  }
}

// Escapes.
extension HTMLWriter {
  private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while let index = utf8[start...].firstIndex(where: { Self.specials >> $0 & 1 == 1 }) {
      self.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
      Self.escape(utf8[index]).withUTF8Buffer { self.bytes.append(contentsOf: $0) }
      start = index + 1
    }
    self.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
  }

  /// The bytes that have an escape, as bits: the byte n is bit n. None is greater than 63.
  private static let specials: UInt64 =
    1 << UInt8(ascii: "&") | 1 << UInt8(ascii: "<") | 1 << UInt8(ascii: ">")
    | 1 << UInt8(ascii: "\"") | 1 << UInt8(ascii: "'")

  private static func escape(_ byte: UInt8) -> StaticString {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    default: "&#39;"
    }
  }
}
