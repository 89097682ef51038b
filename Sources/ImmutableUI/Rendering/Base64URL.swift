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
    let alphabet = self.alphabet
    return String(unsafeUninitializedCapacity: (words.count * 32 + 2) / 3) { buffer in
      var count = 0
      // The bits that no character stands for yet are the lowest of these.
      var (bits, bitCount): (UInt64, UInt64) = (0, 0)
      for word in words {
        for byte: UInt64 in 0..<8 {
          bits = bits << 8 | word >> (56 - 8 * byte) & 0xFF
          bitCount += 8
          while bitCount >= 6 {
            bitCount -= 6
            buffer[count] = alphabet[Int(bits >> bitCount & 63)]
            count += 1
          }
        }
      }
      if bitCount > 0 {
        buffer[count] = alphabet[Int(bits << (6 - bitCount) & 63)]
        count += 1
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
