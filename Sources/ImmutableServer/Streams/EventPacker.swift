import CZlib

/// Packs events for streams in the content coding `gzip`.
///
/// Each event is packed by itself: nothing in it refers to what was sent before, and it ends at a byte.
/// So it is the same bytes on every stream, whatever that has sent, and is packed once for all of them.
/// Small events are packed without compression, which costs five bytes and no time.
///
/// A stream has no end that a client waits for, so it needs no checksum.
///
/// Source: RFC 1951, section 3.2.4; RFC 1952, section 2.3; zlib's manual, `Z_FULL_FLUSH`.
final class EventPacker {
  /// What a stream begins with: deflate, no name, no time, of no particular system.
  static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// Events of so many bytes are compressed.
  static let limit = 1_024
  /// The fastest: an event is packed while its readers wait.
  private static let level: Int32 = 1

  private var stream = z_stream()
  private let works: Bool

  init() {
    // A negative number: without a header of its own.
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
    // The bound is that of a whole stream; the flush adds an empty block.
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

  /// Blocks without compression; each has at most 65,535 bytes.
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
