/// Packs events for streams in the content coding `gzip`.
///
/// Each event is packed separately: it does not refer to earlier events, and it ends at a byte
/// boundary. So it has the same bytes on every stream and is packed once for all of them. Small
/// events are packed without compression, which costs five bytes and no time.
///
/// Clients do not wait for the end of a stream, so it needs no checksum.
///
/// Source: RFC 1951, section 3.2.4; RFC 1952, section 2.3.
struct EventPacker {
  /// The header of a stream: deflate, no name, no time, unknown operating system.
  static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Events of at least this many bytes are compressed.
  static let limit = 1_024
  /// The fastest level, because readers wait while an event is packed.
  private static let level: Int32 = 1

  /// `nil` if zlib has no memory.
  private let gzip = Gzip(level: EventPacker.level, hasHeader: false)

  /// - Complexity: O(n), n bytes.
  func pack(_ bytes: [UInt8]) -> [UInt8] {
    guard let gzip, bytes.count >= Self.limit else { return Self.store(bytes) }
    return gzip.compressAlone(bytes)
  }

  /// Stored blocks; each has at most 65,535 bytes.
  private static func store(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    packed.reserveCapacity(bytes.count + 5)
    for start in stride(from: 0, to: bytes.count, by: 0xFFFF) {
      let block = bytes[start..<min(start + 0xFFFF, bytes.count)]
      let length = UInt16(block.count)
      packed.append(0)
      for number in [length, ~length] {
        packed.append(UInt8(number & 0xFF))
        packed.append(UInt8(number >> 8))
      }
      packed.append(contentsOf: block)
    }
    return packed
  }
}
