/// HTML under construction: bytes, and holes in them whose content is decided later.
public struct HTMLWriter: Sendable {
  /// A position between two bytes where content is inserted later.
  public struct Hole: Sendable {
    /// The number of bytes before it.
    public let offset: Int
    public let content: any Sendable
  }

  public private(set) var bytes: [UInt8] = []
  /// In the order of their offsets.
  public private(set) var holes: [Hole] = []

  /// - Parameter capacity: The expected number of bytes.
  public init(capacity: Int = 0) {
    self.bytes.reserveCapacity(capacity)
  }

  /// Writes markup that is part of the program.
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

  /// Writes text that is HTML already. Never pass text that a user or a feed can influence.
  public mutating func write(trusted html: String) {
    self.bytes.append(contentsOf: html.utf8)
  }

  /// Writes text, escaped for use between tags and in quoted attributes.
  ///
  /// It works on bytes, not characters: a quotation mark with a combining mark is one character,
  /// but would still end an attribute.
  ///
  /// - Complexity: O(n), n bytes; runs without special characters are copied whole.
  public mutating func escape(_ text: consuming String) {
    text.withUTF8 { self.escape(UnsafeRawBufferPointer($0)) }
  }

  /// Writes the bytes of a text, escaped as above.
  public mutating func escape(bytes: [UInt8]) {
    bytes.withUnsafeBytes { self.escape($0) }
  }

  /// Leaves a hole at the current position.
  public mutating func hole(_ content: any Sendable) {
    self.holes.append(Hole(offset: self.bytes.count, content: content))
  }
}

// Escapes.
extension HTMLWriter {
  private mutating func escape(_ utf8: UnsafeRawBufferPointer) {
    // This loops over indices, because a debug build takes several times as long with slices and
    // closures.
    var (start, index) = (0, 0)
    while index < utf8.count {
      let byte = utf8[index]
      if byte < 64, Self.specials &>> UInt64(byte) & 1 == 1 {
        self.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start..<index]))
        Self.escape(byte).withUTF8Buffer { self.bytes.append(contentsOf: $0) }
        start = index + 1
      }
      index += 1
    }
    self.bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: utf8[start...]))
  }

  /// The bytes that have to be escaped, as a bit set: byte n is bit n. All are less than 64.
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
