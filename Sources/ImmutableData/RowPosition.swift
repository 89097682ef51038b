public import HashTreeCollections

/// The position to which a row was moved, in an order that users arrange.
///
/// A position is a string of bytes, and there is always another position between two of them. So a
/// move changes only one row. A row that was never moved has no position; see ``ArrangedRow``.
///
/// ```swift
/// RowPosition.between(cat.place, dog.place)  // after the cat and before the dog
/// ```
public struct RowPosition: Hashable, Sendable {
  /// The last byte is not 0, as in a fraction, because there is nothing between `1` and `10`.
  let bytes: [UInt8]

  /// The maximum size of a position: that of a name and an id, and room for some hundred moves
  /// between the same two rows, each of which takes a bit.
  static let byteLimit = 1_024

  init?(_ bytes: [UInt8]) {
    guard (1...Self.byteLimit).contains(bytes.count), bytes.last != 0 else { return nil }
    self.bytes = bytes
  }
}

// The text form.
extension RowPosition: LosslessStringConvertible {
  private static let digits = Array("0123456789abcdef".utf8)

  /// - Parameter description: Two lower-case hexadecimal digits for each byte.
  public init?(_ description: String) {
    let count = description.utf8.count
    guard count.isMultiple(of: 2), count <= 2 * Self.byteLimit else { return nil }
    let values = description.utf8.compactMap { Self.digits.firstIndex(of: $0) }
    guard values.count == count else { return nil }
    self.init(stride(from: 0, to: count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) })
  }

  public var description: String {
    let digits = self.bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }
    return String(decoding: digits, as: UTF8.self)
  }
}

// As JSON, it is its text.
extension RowPosition: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let position = Self(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "Not a position")
    }
    self = position
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self.description)
  }
}

// A position consists of the bytes of names, so it is as personal as these.
extension RowPosition {
  /// A position as long as this one.
  ///
  /// - Parameter pseudonym: Receives a lowercase letter for each half of a byte; see
  ///   ``Redactable``.
  /// - Returns: `nil` if the pseudonym is shorter than a byte.
  public func redacted(_ pseudonym: (String) -> String) -> Self? {
    let first = UInt8(ascii: "a")
    let letters = self.bytes.flatMap { [first + ($0 >> 4), first + ($0 & 15)] }
    let halves = pseudonym(String(decoding: letters, as: UTF8.self)).utf8.map { ($0 &- first) & 15 }
    var bytes = stride(from: 1, to: halves.count, by: 2).map { halves[$0 - 1] << 4 | halves[$0] }
    if bytes.last == 0 { bytes[bytes.count - 1] = 0x80 }
    return Self(bytes)
  }
}

// Positions between two rows.
extension RowPosition {
  /// The position between two places of a list, or next to one if there is only one.
  ///
  /// - Parameters:
  ///   - lower: The place before it; `nil` to make it the first.
  ///   - upper: The place after it; `nil` to make it the last.
  /// - Returns: `nil` if both are `nil`, or there is no room.
  /// - Complexity: O(n), n bytes of the places.
  public static func between(_ lower: RowPlace?, _ upper: RowPlace?) -> Self? {
    switch (lower, upper) {
    case (nil, nil): return nil
    // A concurrent move has moved one past the other, or both are the same row.
    case (let lower?, let upper?) where upper <= lower: return .behind(lower)
    default: return Self.middle(lower.map(Array.init) ?? [], upper.map(Array.init))
    }
  }

  /// A position immediately after a place.
  static func behind(_ place: RowPlace) -> Self? {
    Self(place + [0x80])
  }

  /// A position immediately before a place.
  static func before(_ place: RowPlace) -> Self? {
    var bytes = Array(place)
    guard let last = bytes.popLast(), last > 0 else { return nil }
    return Self(bytes + [last - 1, 0x80])
  }

  /// A short string of bytes between two others, read as fractions. It differs from both before its
  /// end, so bytes that follow do not matter.
  ///
  /// - Returns: `nil` if there is no room, as between equal fractions.
  private static func middle(_ lower: [UInt8], _ upper: [UInt8]?) -> Self? {
    var (upper, middle) = (upper, [UInt8]())
    while middle.count < Self.byteLimit {
      let index = middle.count
      let low = index < lower.count ? Int(lower[index]) : 0
      let high = upper.map { index < $0.count ? Int($0[index]) : 0 } ?? 256
      guard high - low < 2 else { return Self(middle + [UInt8((low + high) / 2)]) }
      middle.append(UInt8(low))
      // With this byte, it is already below the other.
      if low < high { upper = nil }
    }
    return nil
  }
}

extension TreeDictionary where Value: ArrangedRow, Key == Value.ID {
  /// The position between two rows.
  ///
  /// - Parameters:
  ///   - after: The row before it; `nil` to make it the first.
  ///   - before: The row after it; `nil` to make it the last.
  /// - Returns: `nil` if neither exists, or there is no room. If one was deleted, it is next to the
  ///   other.
  /// - Complexity: O(log n), n rows.
  public func position(after: Key?, before: Key?) -> RowPosition? {
    let lower = after.flatMap { self[$0]?.place }
    let upper = before.flatMap { self[$0]?.place }
    switch (lower, upper) {
    case (let lower?, nil) where before != nil: return .behind(lower)
    case (nil, let upper?) where after != nil: return .before(upper)
    default: return .between(lower, upper)
    }
  }
}
