/// Encodes 128 bits as 22 characters that never need escaping. Used for tags, windows, streams,
/// sessions and tokens.
///
/// Source: RFC 4648, section 5, without padding.
package enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
  )

  private static let values: [UInt8: UInt8] = Dictionary(
    uniqueKeysWithValues: alphabet.enumerated().map { ($1, UInt8($0)) }
  )

  package static func encode(_ words: [UInt64]) -> String {
    let bytes = words.flatMap { word in
      withUnsafeBytes(of: word.bigEndian, Array.init)
    }
    return String(unsafeUninitializedCapacity: (bytes.count * 4 + 2) / 3) { buffer in
      var count = 0
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let chunk = bytes[start..<min(start + 3, bytes.count)]
        var bits: UInt32 = 0
        for (index, byte) in chunk.enumerated() {
          bits |= UInt32(byte) << (16 - 8 * UInt32(index))
        }
        for index in 0...chunk.count {
          buffer[count] = self.alphabet[Int((bits >> (18 - 6 * UInt32(index))) & 63)]
          count += 1
        }
      }
      return count
    }
  }

  /// - Returns: `nil` unless the text is the encoding of two words.
  package static func decode(_ text: some StringProtocol) -> (UInt64, UInt64)? {
    guard text.utf8.count == 22 else { return nil }
    var words: (high: UInt64, low: UInt64) = (0, 0)
    for (index, character) in text.utf8.enumerated() {
      guard let value = self.values[character] else { return nil }
      // 22 characters are 132 bits; the last 4 are unused.
      let count: UInt64 = index == 21 ? 2 : 6
      guard index < 21 || value & 15 == 0 else { return nil }
      let bits = index == 21 ? UInt64(value >> 4) : UInt64(value)
      words.high = words.high << count | words.low >> (64 - count)
      words.low = words.low << count | bits
    }
    return (words.high, words.low)
  }
}
