import PlainText

/// One `name=value` of a URL's query or of a posted form.
public struct QueryItem: Hashable, Sendable {
  public let name: String
  public let value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

/// The parameters of a URL, or the fields of a posted form, in order.
///
/// Source: URL Standard, application/x-www-form-urlencoded parsing and serializing; so that server
/// and browser (`URLSearchParams`) write the same bytes. Only of combining marks, the 128 first in a row
/// are kept, because comparing a text with thousands takes long; U+FFFD takes the place of the others.
public struct Query: Hashable, Sendable {
  public var items: [QueryItem]

  public init(_ items: [QueryItem] = []) {
    self.items = items
  }

  /// Reads a query. Never fails: a broken escape stays as it is, and bytes that are not UTF-8
  /// become U+FFFD.
  ///
  /// - Complexity: O(n), n bytes.
  public init(_ text: some StringProtocol) {
    self.items = Self.pairs(Array(text.utf8)).map { name, value in
      QueryItem(name: Self.decode(name), value: Self.decode(value))
    }
  }

  /// Reads a posted form, strictly.
  ///
  /// - Returns: `nil` for a broken escape, for bytes that are not UTF-8, and for NUL.
  /// - Complexity: O(n), n bytes.
  public init?(form bytes: [UInt8]) {
    // A character may be escaped as a whole, but not in part.
    guard String(validating: bytes, as: UTF8.self) != nil else { return nil }
    var items: [QueryItem] = []
    for (name, value) in Self.pairs(bytes) {
      guard let name = Self.strictlyDecoded(name), let value = Self.strictlyDecoded(value) else {
        return nil
      }
      items.append(QueryItem(name: name, value: value))
    }
    self.items = items
  }

  /// The first value with this name.
  public subscript(name: String) -> String? {
    self.items.first { $0.name == name }?.value
  }

  /// All values with this name, in order.
  public func values(of name: String) -> [String] {
    self.items.lazy.filter { $0.name == name }.map(\.value)
  }

  /// The query as it appears in a URL, without `?`; empty when there are no items.
  public var text: String {
    var text: [UInt8] = []
    for item in self.items {
      if text.isEmpty == false { text.append(UInt8(ascii: "&")) }
      Self.encode(item.name, into: &text)
      text.append(UInt8(ascii: "="))
      Self.encode(item.value, into: &text)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The query with these parameters changed: an empty value removes one.
  ///
  /// - Complexity: O(n · c), n items, c changes, of which there are few.
  public func setting(_ changes: [QueryItem]) -> Query {
    var items = self.items.filter { item in
      changes.contains { $0.name == item.name } == false
    }
    items += changes.filter { $0.value.isEmpty == false }
    return Query(items)
  }
}

extension Query {
  private static func pairs(
    _ bytes: [UInt8]
  ) -> [(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)] {
    bytes.split(separator: UInt8(ascii: "&")).map { pair in
      let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      return (pair[..<equals], pair[equals...].dropFirst())
    }
  }

  /// The decoded text of a path segment, in which `+` stands for itself. Never fails.
  static func decode(segment: some StringProtocol) -> String {
    let bytes = self.bytes(ArraySlice(segment.utf8), plus: UInt8(ascii: "+")).decoded
    return String(decoding: bytes, as: UTF8.self).withoutExcessMarks
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: self.bytes(bytes).decoded, as: UTF8.self).withoutExcessMarks
  }

  /// - Returns: `nil` for a broken escape, for bytes that are not UTF-8, and for NUL.
  private static func strictlyDecoded(_ bytes: ArraySlice<UInt8>) -> String? {
    let (decoded, isWellFormed) = self.bytes(bytes)
    guard isWellFormed, decoded.contains(0) == false else { return nil }
    return String(validating: decoded, as: UTF8.self)?.withoutExcessMarks
  }

  /// - Returns: The decoded bytes, in which a broken escape stays as it is, and whether there is
  ///   none.
  private static func bytes(
    _ bytes: ArraySlice<UInt8>,
    plus: UInt8 = UInt8(ascii: " ")
  ) -> (decoded: [UInt8], isWellFormed: Bool) {
    // This loops over indices, because a debug build takes ten times as long with generic
    // collections.
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var isWellFormed = true
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      switch byte {
      case UInt8(ascii: "+"):
        decoded.append(plus)
      case UInt8(ascii: "%"):
        if let value = Self.byte(bytes, index) {
          decoded.append(value)
          index += 2
        } else {
          decoded.append(byte)
          isWellFormed = false
        }
      default:
        decoded.append(byte)
      }
    }
    return (decoded, isWellFormed)
  }

  /// The byte whose two digits begin at an index.
  private static func byte(_ bytes: ArraySlice<UInt8>, _ index: Int) -> UInt8? {
    guard index + 2 <= bytes.endIndex,
      let high = Character(UnicodeScalar(bytes[index])).hexDigitValue,
      let low = Character(UnicodeScalar(bytes[index + 1])).hexDigitValue
    else { return nil }
    return UInt8(high << 4 | low)
  }

  /// - Parameter space: The character that stands for a space: `+`, only in a query.
  package static func encode(_ text: String, space: StaticString = "+") -> String {
    var encoded: [UInt8] = []
    Self.encode(text, space: space, into: &encoded)
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Appends a text, encoded.
  package static func encode(
    _ text: String,
    space: StaticString = "+",
    into encoded: inout [UInt8]
  ) {
    let isPlain = Self.isPlain
    for byte in text.utf8 {
      if isPlain[Int(byte)] {
        encoded.append(byte)
      } else if byte == UInt8(ascii: " ") {
        space.withUTF8Buffer { encoded.append(contentsOf: $0) }
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(Self.digits[Int(byte >> 4)])
        encoded.append(Self.digits[Int(byte & 15)])
      }
    }
  }

  private static let digits = Array("0123456789ABCDEF".utf8)

  /// For each byte whether it stands for itself. This is a table, because a debug build takes
  /// several times as long with ranges.
  private static let isPlain: [Bool] = (0...UInt8.max).map { byte in
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
