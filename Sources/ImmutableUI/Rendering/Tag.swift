/// Identifies content: equal content has equal tags, on any machine and after any restart.
///
/// 128 bits of SipHash-2-4 with a fixed key. The key need not be secret: a collision takes 2^64
/// tries, and could only make a window of the attacker stale.
///
/// Source: Aumasson and Bernstein, SipHash: a fast short-input PRF, and its reference code.
package struct Tag: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64
}

extension Tag {
  /// 22 characters of base64url.
  package var text: String {
    Base64URL.encode([self.high, self.low])
  }

  package init?(text: some StringProtocol) {
    guard let words = Base64URL.decode(text) else { return nil }
    self.init(high: words.0, low: words.1)
  }
}

/// Computes a ``Tag``.
package struct TagHasher: Sendable {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  /// - Parameter key: The default is the public key for content. With a secret key, the tag is a
  ///   message authentication code.
  package init(key: (UInt64, UInt64) = (0, 0)) {
    self.v0 = 0x736f_6d65_7073_6575 ^ key.0
    self.v1 = 0x646f_7261_6e64_6f6d ^ key.1 ^ 0xee
    self.v2 = 0x6c79_6765_6e65_7261 ^ key.0
    self.v3 = 0x7465_6462_7974_6573 ^ key.1
  }

  /// - Complexity: O(n), n words; about one byte per cycle.
  package mutating func combine(_ word: UInt64) {
    self.v3 ^= word
    self.round()
    self.round()
    self.v0 ^= word
  }

  package mutating func combine(_ tag: Tag) {
    self.combine(tag.high)
    self.combine(tag.low)
  }

  /// Adds the bytes and their count, so that the boundaries between parts matter.
  package mutating func combine(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { self.combine($0) }
  }

  package mutating func combine(_ text: String) {
    var text = text
    text.withUTF8 { self.combine(UnsafeRawBufferPointer($0)) }
  }

  private mutating func combine(_ buffer: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= buffer.count {
      self.combine(
        UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      )
      offset += 8
    }
    var last: UInt64 = 0
    var shift: UInt64 = 0
    while offset < buffer.count {
      last |= UInt64(buffer[offset]) &<< shift
      offset += 1
      shift += 8
    }
    self.combine(last)
    self.combine(UInt64(buffer.count))
  }

  package consuming func finalize() -> Tag {
    self.v2 ^= 0xee
    for _ in 0..<4 { self.round() }
    let high = self.v0 ^ self.v1 ^ self.v2 ^ self.v3
    self.v1 ^= 0xdd
    for _ in 0..<4 { self.round() }
    return Tag(high: high, low: self.v0 ^ self.v1 ^ self.v2 ^ self.v3)
  }

  // This calls no function that rotates, because a debug build would spend most of its time on the
  // calls.
  private mutating func round() {
    self.v0 &+= self.v1
    self.v1 = (self.v1 &<< 13 | self.v1 &>> 51) ^ self.v0
    self.v0 = self.v0 &<< 32 | self.v0 &>> 32
    self.v2 &+= self.v3
    self.v3 = (self.v3 &<< 16 | self.v3 &>> 48) ^ self.v2
    self.v0 &+= self.v3
    self.v3 = (self.v3 &<< 21 | self.v3 &>> 43) ^ self.v0
    self.v2 &+= self.v1
    self.v1 = (self.v1 &<< 17 | self.v1 &>> 47) ^ self.v2
    self.v2 = self.v2 &<< 32 | self.v2 &>> 32
  }
}
