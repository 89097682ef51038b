/// The parameters of a header field, such as `form-data; name="a"; filename="b"`. Browsers quote each and
/// escape quotes as `%22`, so a quote ends it.
///
/// Clients can send any number of them. For those of a form, a regular expression takes seconds.
///
/// Source: RFC 9110, section 5.6.6.
struct HeaderParameters {
  private let bytes: ArraySlice<UInt8>

  /// - Parameter bytes: The value of the field.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
  }

  /// The last value of a parameter.
  ///
  /// - Parameter name: Small letters.
  /// - Complexity: O(n), n bytes.
  subscript(name: String) -> ArraySlice<UInt8>? {
    var (rest, value) = (self.bytes, ArraySlice<UInt8>?.none)
    while let parameter = Self.next(in: &rest) {
      if parameter.name.elementsEqual(name.utf8, by: { $0 | 0x20 == $1 }) {
        value = parameter.value
      }
    }
    return value
  }

  private static func next(
    in rest: inout ArraySlice<UInt8>
  ) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)? {
    while let semicolon = rest.firstIndex(of: UInt8(ascii: ";")) {
      rest = rest[(semicolon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
      let name = rest.prefix { $0 != UInt8(ascii: "=") && self.endsValue($0) == false }
      rest = rest[name.endIndex...]
      guard name.isEmpty == false, rest.popFirst() == UInt8(ascii: "=") else { continue }
      let isQuoted = rest.first == UInt8(ascii: "\"")
      if isQuoted { rest.removeFirst() }
      let value = rest.prefix {
        isQuoted ? $0 != UInt8(ascii: "\"") : self.endsValue($0) == false
      }
      rest = rest[value.endIndex...]
      // A quote without an end.
      if isQuoted, rest.popFirst() == nil { return nil }
      return (name, value)
    }
    return nil
  }

  private static let ends = Array("; \t\r\n\"".utf8)

  /// Whether an unquoted value ends there. Some clients write `boundary=----=_Part_0`.
  private static func endsValue(_ byte: UInt8) -> Bool {
    Self.ends.contains(byte)
  }
}
