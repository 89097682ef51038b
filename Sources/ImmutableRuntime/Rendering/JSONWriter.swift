import ImmutableUI

/// Writes JSON as bytes. Long HTML strings are copied at memory speed.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ json: StaticString) {
    json.withUTF8Buffer { self.bytes.append(contentsOf: $0) }
  }

  mutating func write(_ number: some BinaryInteger) {
    self.bytes.append(contentsOf: "\(number)".utf8)
  }

  /// Writes bytes that are JSON already.
  mutating func write(json bytes: [UInt8]) {
    self.bytes.append(contentsOf: bytes)
  }

  mutating func write(string text: String) {
    self.write(string: Array(text.utf8))
  }

  mutating func write(string utf8: [UInt8]) {
    self.openString()
    self.write(partOfString: utf8)
    self.closeString()
  }

  /// Writes an array.
  ///
  /// - Parameter write: Writes an element.
  mutating func write<Element>(
    list elements: some Sequence<Element>,
    _ write: (inout JSONWriter, Element) -> Void
  ) {
    self.write("[")
    var isFirst = true
    for element in elements {
      if isFirst == false { self.write(",") }
      isFirst = false
      write(&self, element)
    }
    self.write("]")
  }

  mutating func openString() {
    self.bytes.append(UInt8(ascii: "\""))
  }

  mutating func closeString() {
    self.bytes.append(UInt8(ascii: "\""))
  }

  /// - Complexity: O(n), n bytes; runs without special characters are copied whole.
  mutating func write(partOfString utf8: [UInt8]) {
    var start = 0
    for (index, byte) in utf8.enumerated()
    where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
      self.bytes.append(contentsOf: utf8[start..<index])
      self.write(escaped: byte)
      start = index + 1
    }
    self.bytes.append(contentsOf: utf8[start...])
  }

  private mutating func write(escaped byte: UInt8) {
    self.bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): self.bytes.append(byte)
    case UInt8(ascii: "\n"): self.bytes.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\t"): self.bytes.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\r"): self.bytes.append(UInt8(ascii: "r"))
    default:
      let digits = Array("0123456789abcdef".utf8)
      self.write("u00")
      self.bytes.append(digits[Int(byte >> 4)])
      self.bytes.append(digits[Int(byte & 15)])
    }
  }
}
