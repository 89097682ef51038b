import ImmutableUI

/// Writes JSON as bytes. Long HTML strings are copied at memory speed.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ json: StaticString) {
    json.withUTF8Buffer { self.bytes.append(contentsOf: $0) }
  }

  package mutating func write(_ number: some BinaryInteger) {
    self.bytes.append(contentsOf: "\(number)".utf8)
  }

  /// - Parameter number: It must be finite.
  package mutating func write(_ number: Double) {
    let text = "\(number)"
    self.bytes.append(contentsOf: text.utf8.dropLast(text.hasSuffix(".0") ? 2 : 0))
  }

  /// Writes bytes that are JSON already.
  package mutating func write(json bytes: [UInt8]) {
    self.bytes.append(contentsOf: bytes)
  }

  package mutating func write(string text: String) {
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
  package mutating func write<Element>(
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

extension JSONWriter {
  /// Begins a member of the object that was begun last.
  package mutating func write(member name: StaticString) {
    if self.bytes.last != UInt8(ascii: "{") { self.write(",") }
    self.write("\"")
    self.write(name)
    self.write("\":")
  }

  package mutating func write(member name: StaticString, _ text: String) {
    self.write(member: name)
    self.write(string: text)
  }

  package mutating func write(member name: StaticString, _ number: some BinaryInteger) {
    self.write(member: name)
    self.write(number)
  }

  /// Writes an object whose members are sorted by name.
  ///
  /// - Parameter write: Writes a value.
  package mutating func write<Value>(
    object members: [String: Value],
    _ write: (inout JSONWriter, Value) -> Void
  ) {
    self.write("{")
    for (index, (name, value)) in members.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { self.write(",") }
      self.write(string: name)
      self.write(":")
      write(&self, value)
    }
    self.write("}")
  }
}
