package import Foundation

/// Counts combining marks in a row.
///
/// To compare or hash a text, Swift (6.3) sorts the marks of each character, in a time that grows with
/// the square of their number: for the 30,000 that fit into a form, seconds. So texts from others
/// have no more than ``limit`` in a row. What people write has a few.
///
/// Source: UAX #15, section 13, Stream-Safe Text Format, which has 30.
struct CombiningMarks {
  static let limit = 128

  private var count = 0

  /// Whether a scalar is one too many.
  mutating func isTooMany(_ scalar: Unicode.Scalar) -> Bool {
    self.count = Self.isMark(scalar) ? self.count + 1 : 0
    return self.count > Self.limit
  }

  /// Whether it is sorted, or is decomposed into what is.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    // No mark comes before U+0300.
    guard scalar.value >= 0x300 else { return false }
    return scalar.properties.canonicalCombiningClass != .notReordered
      || [0xF73, 0xF75, 0xF81].contains(scalar.value)
  }
}

extension String {
  /// Whether it would take long to compare or hash it.
  ///
  /// - Complexity: O(n), n bytes.
  package var hasTooManyMarks: Bool {
    // The first mark is 0xCC 0x80 in UTF-8.
    guard self.utf8.contains(where: { $0 >= 0xCC }) else { return false }
    var marks = CombiningMarks()
    return self.unicodeScalars.contains { marks.isTooMany($0) }
  }

  /// The text with U+FFFD for each mark that would make it slow to compare or hash. So it stays as
  /// long as it is, and what is too long stays too long.
  ///
  /// - Complexity: O(n), n bytes.
  package var withoutExcessMarks: String {
    guard self.hasTooManyMarks else { return self }
    var marks = CombiningMarks()
    let kept = self.unicodeScalars.map { marks.isTooMany($0) ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(kept))
  }
}

/// Why JSON from others must not be decoded. Its description follows a subject.
package enum JSONProblem: Error, CustomStringConvertible {
  /// `JSONDecoder` would also take UTF-16 and UTF-32, but what is sent has to be UTF-8.
  ///
  /// Source: RFC 8259, section 8.1.
  case notUTF8
  /// A text, escaped or not, would take long to compare or hash. Decoders hash every key.
  case tooManyMarks

  package var description: String {
    switch self {
    case .notUTF8: "is not JSON in UTF-8"
    case .tooManyMarks: "has a text with hundreds of accents on one letter"
    }
  }
}

extension JSONProblem: LocalizedError {
  package var errorDescription: String? { "it \(self)." }
}

extension Data {
  /// Why this must not be decoded as JSON, as far as decoders do not notice; `nil` if it may.
  ///
  /// - Complexity: O(n), n bytes; nothing is copied.
  package var problemAsJSON: JSONProblem? {
    // Decoders recognize other encodings by a byte order mark, or by the zeros around the first
    // character, which is ASCII.
    guard self.prefix(4).contains(0) == false, self.first ?? 0 < 0xFE else { return .notUTF8 }
    return self.hasTooManyMarks ? .tooManyMarks : nil
  }

  /// Whether it has too many marks as JSON in UTF-8.
  private var hasTooManyMarks: Bool {
    self.withUnsafeBytes { bytes in
      var (marks, rest) = (CombiningMarks(), JSONScalars(bytes))
      while let scalar = rest.next() {
        if marks.isTooMany(scalar) { return true }
      }
      return false
    }
  }
}

/// The scalars of JSON, with those of its texts unescaped. What is malformed is U+FFFD, and of bytes
/// in a row that are no part of a mark, only the first is a scalar.
private struct JSONScalars {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  mutating func next() -> Unicode.Scalar? {
    guard self.position < self.bytes.count else { return nil }
    let first = self.bytes[self.position]
    self.position += 1
    if Self.isPlain(first) {
      self.skipPlain()
      return Unicode.Scalar(first)
    }
    switch first {
    case UInt8(ascii: "\\"):
      guard self.position < self.bytes.count else { return nil }
      let kind = self.bytes[self.position]
      self.position += 1
      return kind == UInt8(ascii: "u") ? self.escaped() : Unicode.Scalar(kind)
    case 0xCC...0xDF: return self.encoded(UInt32(first & 0x1F), 1)
    case 0xE0...0xEF: return self.encoded(UInt32(first & 0xF), 2)
    case 0xF0...0xF4: return self.encoded(UInt32(first & 7), 3)
    default: return Unicode.Scalar(first)
    }
  }

  /// Whether neither an escape nor a mark begins with a byte. The first mark is 0xCC 0x80 in UTF-8.
  private static func isPlain(_ byte: UInt8) -> Bool { byte < 0xCC && byte != UInt8(ascii: "\\") }

  /// Skips plain bytes, up to eight at once if they are ASCII, as nearly all are.
  private mutating func skipPlain() {
    while self.position < self.bytes.count {
      if self.position + 8 <= self.bytes.count {
        let eight = self.bytes.loadUnaligned(fromByteOffset: self.position, as: UInt64.self)
        // A byte of this is zero for a backslash. That a byte is zero shows in the highest bits.
        let escapes = eight ^ 0x5C5C_5C5C_5C5C_5C5C
        let zeros = (escapes &- 0x0101_0101_0101_0101) & ~escapes
        if (eight | zeros) & 0x8080_8080_8080_8080 == 0 {
          self.position += 8
          continue
        }
      }
      guard Self.isPlain(self.bytes[self.position]) else { return }
      self.position += 1
    }
  }

  /// The rest of a scalar in UTF-8.
  private mutating func encoded(_ first: UInt32, _ count: Int) -> Unicode.Scalar {
    guard self.position + count <= self.bytes.count else { return "\u{FFFD}" }
    var value = first
    for byte in self.bytes[self.position..<(self.position + count)] {
      guard byte & 0xC0 == 0x80 else { return "\u{FFFD}" }
      value = value << 6 | UInt32(byte & 0x3F)
    }
    self.position += count
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// The scalar of one or two escapes, from after the first `\\u`.
  private mutating func escaped() -> Unicode.Scalar {
    guard let high = self.unit() else { return "\u{FFFD}" }
    guard UTF16.isLeadSurrogate(high) else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    let start = self.position
    guard self.bytes[start...].starts(with: "\\u".utf8) else { return "\u{FFFD}" }
    self.position += 2
    guard let low = self.unit(), UTF16.isTrailSurrogate(low) else {
      self.position = start
      return "\u{FFFD}"
    }
    return UTF16.decode(UTF16.EncodedScalar([high, low]))
  }

  /// A number of four digits.
  private mutating func unit() -> UInt16? {
    guard self.position + 4 <= self.bytes.count else { return nil }
    let digits = self.bytes[self.position..<(self.position + 4)]
    guard let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16) else { return nil }
    self.position += 4
    return unit
  }
}
