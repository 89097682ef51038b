import CZlib

/// Packs events for streams in the content coding `gzip`.
///
/// Each event is packed separately: it does not refer to earlier events, and it ends at a byte
/// boundary. So it has the same bytes on every stream and is packed once for all of them. Small
/// events are packed without compression, which costs five bytes and no time.
///
/// Clients do not wait for the end of a stream, so it needs no checksum.
///
/// Source: RFC 1951, section 3.2.4; RFC 1952, section 2.3; zlib's manual, `Z_FULL_FLUSH`.
final class EventPacker {
  /// The header of a stream: deflate, no name, no time, unknown operating system.
  static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Events of at least this many bytes are compressed.
  static let limit = 1_024
  /// The fastest level, because readers wait while an event is packed.
  private static let level: Int32 = 1

  private var stream = z_stream()
  private let works: Bool

  init() {
    // A negative number means raw deflate, without a header.
    self.works =
      deflateInit2_(
        &self.stream, Self.level, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)
      ) == Z_OK
  }

  deinit {
    if self.works { deflateEnd(&self.stream) }
  }

  /// - Complexity: O(n), n bytes.
  func pack(_ bytes: [UInt8]) -> [UInt8] {
    guard self.works, bytes.count >= Self.limit else { return Self.store(bytes) }
    deflateReset(&self.stream)
    // The bound is for a whole stream; the flush adds an empty block.
    let bound = Int(deflateBound(&self.stream, UInt(bytes.count))) + 16
    var input = bytes
    return input.withUnsafeMutableBufferPointer { input in
      [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        self.stream.next_in = input.baseAddress
        self.stream.avail_in = UInt32(input.count)
        self.stream.next_out = output.baseAddress
        self.stream.avail_out = UInt32(output.count)
        deflate(&self.stream, Z_FULL_FLUSH)
        count = output.count - Int(self.stream.avail_out)
      }
    }
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
