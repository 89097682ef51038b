import Foundation

/// Walks over the bytes of JSON, and decodes only the requested values.
///
/// It is strict about structure, because truncated input must be noticed, and lenient about values:
/// a value of another type than requested is skipped, and so is a number such as `NaN`. It does not
/// recurse, so nesting can be as deep as the input is long.
///
/// Source: RFC 8259.
struct JSONScanner {
  /// The text ends too early, or has something unexpected.
  struct Malformed: Error {}

  let bytes: [UInt8]
  private(set) var position: Int

  init(_ data: Data) {
    self.bytes = Array(data)
    let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.position = self.bytes.starts(with: byteOrderMark) ? byteOrderMark.count : 0
  }

  /// - Returns: The position of the next value.
  mutating func start() -> Int {
    self.skipSpace()
    return self.position
  }

  /// Whether nothing but white space is left.
  mutating func isAtEnd() -> Bool {
    self.skipSpace()
    return self.position == self.bytes.count
  }
}

// Structure.
extension JSONScanner {
  /// Walks over an object.
  ///
  /// - Parameter member: Receives the range of each key, and must consume its value.
  /// - Returns: Whether it was an object; if not, it has been skipped.
  mutating func object(
    _ member: (inout JSONScanner, Range<Int>) throws -> Void
  ) throws -> Bool {
    guard try self.peek() == UInt8(ascii: "{") else {
      try self.skip()
      return false
    }
    self.position += 1
    if try self.peek() == UInt8(ascii: "}") {
      self.position += 1
      return true
    }
    repeat {
      guard try self.peek() == UInt8(ascii: "\"") else { throw Malformed() }
      let key = try self.skipString()
      guard try self.peek() == UInt8(ascii: ":") else { throw Malformed() }
      self.position += 1
      try member(&self, key)
    } while try self.hasMore(before: UInt8(ascii: "}"))
    return true
  }

  /// Walks over an array.
  ///
  /// - Parameter element: Must consume a value.
  /// - Returns: Whether it was an array; if not, it has been skipped.
  mutating func array(_ element: (inout JSONScanner) throws -> Void) throws -> Bool {
    guard try self.peek() == UInt8(ascii: "[") else {
      try self.skip()
      return false
    }
    self.position += 1
    if try self.peek() == UInt8(ascii: "]") {
      self.position += 1
      return true
    }
    repeat {
      try element(&self)
    } while try self.hasMore(before: UInt8(ascii: "]"))
    return true
  }

  private mutating func hasMore(before end: UInt8) throws -> Bool {
    let byte = try self.peek()
    guard byte == end || byte == UInt8(ascii: ",") else { throw Malformed() }
    self.position += 1
    return byte != end
  }

  /// Whether a key equals a name. A key with escapes never does: feeds have no reason to escape
  /// keys, and decoding them would cost an attacker little and this server much.
  func key(_ key: Range<Int>, is name: StaticString) -> Bool {
    name.withUTF8Buffer { $0.elementsEqual(self.bytes[key]) }
  }
}

// Values.
extension JSONScanner {
  enum Number {
    case null
    case number(Double)
    case other
  }

  /// - Returns: `nil` if it is not a string, or not valid UTF-8; it has been skipped.
  mutating func string() throws -> String? {
    guard try self.peek() == UInt8(ascii: "\"") else {
      try self.skip()
      return nil
    }
    return self.text(try self.skipString())
  }

  /// - Returns: `other` if it is not a number that fits into a `Double`; it has been skipped.
  mutating func number() throws -> Number {
    switch try self.peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      try self.skip()
      return .other
    default:
      let token = try self.skipToken()
      if self.bytes[token].elementsEqual("null".utf8) { return .null }
      return self.double(token).map { .number($0) } ?? .other
    }
  }

  /// Skips an object if it has the same bytes as one that was read before.
  ///
  /// - Parameters:
  ///   - object: The range of that object.
  ///   - other: What it was read from.
  /// - Returns: Whether it has. If not, nothing is skipped but white space.
  /// - Complexity: O(n), n bytes up to the first that differs.
  mutating func skip(_ object: Range<Int>, of other: [UInt8]) -> Bool {
    let start = self.start()
    guard object.count <= self.bytes.count - start else { return false }
    let isEqual = self.bytes.withUnsafeBytes { bytes in
      other.withUnsafeBytes { other -> Bool in
        let own = UnsafeRawBufferPointer(rebasing: bytes[start..<start + object.count])
        let old = UnsafeRawBufferPointer(rebasing: other[object])
        guard let ownStart = own.baseAddress, let oldStart = old.baseAddress else { return false }
        return memcmp(ownStart, oldStart, object.count) == 0
      }
    }
    if isEqual { self.position += object.count }
    return isEqual
  }

  /// Skips a value of any type.
  mutating func skip() throws {
    var ends: [UInt8] = []
    repeat {
      let byte = try self.peek()
      switch byte {
      case UInt8(ascii: "\""):
        _ = try self.skipString()
      case UInt8(ascii: "{"):
        ends.append(UInt8(ascii: "}"))
        self.position += 1
      case UInt8(ascii: "["):
        ends.append(UInt8(ascii: "]"))
        self.position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard ends.popLast() == byte else { throw Malformed() }
        self.position += 1
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard ends.isEmpty == false else { throw Malformed() }
        self.position += 1
      default:
        _ = try self.skipToken()
      }
    } while ends.isEmpty == false
  }
}

// Bytes.
extension JSONScanner {
  private mutating func skipSpace() {
    while self.position < self.bytes.count {
      switch self.bytes[self.position] {
      case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
        self.position += 1
      default: return
      }
    }
  }

  /// - Returns: The first byte of the next token.
  private mutating func peek() throws -> UInt8 {
    self.skipSpace()
    guard self.position < self.bytes.count else { throw Malformed() }
    return self.bytes[self.position]
  }

  /// - Returns: Its range, without the quotes.
  private mutating func skipString() throws -> Range<Int> {
    let start = self.position + 1
    var end = start
    while end < self.bytes.count {
      switch self.bytes[end] {
      case UInt8(ascii: "\""):
        self.position = end + 1
        return start..<end
      case UInt8(ascii: "\\"): end += 2
      default: end += 1
      }
    }
    throw Malformed()
  }

  /// - Returns: The range of the number or the word.
  private mutating func skipToken() throws -> Range<Int> {
    let start = self.position
    var end = start
    scan: while end < self.bytes.count {
      switch self.bytes[end] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."):
        end += 1
      default: break scan
      }
    }
    guard end > start else { throw Malformed() }
    self.position = end
    return start..<end
  }
}

// Decoding.
extension JSONScanner {
  private func text(_ range: Range<Int>) -> String? {
    let bytes = self.bytes[range]
    guard bytes.contains(UInt8(ascii: "\\")) else {
      return String(validating: bytes, as: UTF8.self)
    }
    // Escapes are rare, so Foundation decodes them.
    let quoted = Data([UInt8(ascii: "\"")]) + Data(bytes) + Data([UInt8(ascii: "\"")])
    return try? JSONDecoder().decode(String.self, from: quoted)
  }

  /// Ordinary numbers in feeds are converted exactly in a few steps; the library converts the
  /// others.
  ///
  /// Source: W. D. Clinger, How to Read Floating Point Numbers Accurately: an integer and a power
  /// of ten that both are exact in a `Double` have a product or quotient that is rounded once.
  private func double(_ range: Range<Int>) -> Double? {
    let byteLimit = 100
    guard range.count <= byteLimit else { return nil }
    var rest = self.bytes[range]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    var digits = Digits()
    let whole = digits.take(from: &rest)
    guard whole == 1 || (whole > 1 && self.bytes[range].first(where: \.isDigit) != .zeroDigit)
    else { return nil }
    var exponent = 0
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      let fraction = digits.take(from: &rest)
      guard fraction > 0 else { return nil }
      exponent = -fraction
    }
    if rest.isEmpty, digits.isExact, exponent >= -22 {
      let value = Double(digits.value) / Self.powersOfTen[-exponent]
      return isNegative ? -value : value
    }
    if rest.first == UInt8(ascii: "e") || rest.first == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
        rest = rest.dropFirst()
      }
      guard digits.take(from: &rest) > 0 else { return nil }
    }
    guard rest.isEmpty, let value = Double(String(decoding: self.bytes[range], as: UTF8.self)),
      value.isFinite
    else { return nil }
    return value
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  private struct Digits {
    private(set) var value: UInt64 = 0
    private var isTooLarge = false

    /// Whether the number fits into a `Double`.
    var isExact: Bool { self.isTooLarge == false && self.value <= 1 << 53 }

    /// - Returns: The number of digits.
    mutating func take(from bytes: inout ArraySlice<UInt8>) -> Int {
      var count = 0
      for byte in bytes {
        guard byte.isDigit else { break }
        if self.value > 1 << 56 { self.isTooLarge = true }
        self.value = self.value &* 10 &+ UInt64(byte - .zeroDigit)
        count += 1
      }
      bytes = bytes.dropFirst(count)
      return count
    }
  }
}

extension UInt8 {
  fileprivate static let zeroDigit = UInt8(ascii: "0")

  fileprivate var isDigit: Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }
}
