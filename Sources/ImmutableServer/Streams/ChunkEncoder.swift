import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Frames events as HTTP/1.1 chunks, each event once for all streams of an event loop.
///
/// Source: RFC 9112, section 7.1.
final class ChunkEncoder {
  /// An event as a chunk, whose bytes all streams of the loop share.
  final class Chunk {
    fileprivate let event: StreamEvent
    let bytes: ByteBuffer
    /// The number of streams that have not read it.
    var readers = 0
    /// The address of the client for which it is counted (``UnreadBudget``).
    var client = ""

    fileprivate init(event: StreamEvent, bytes: ByteBuffer) {
      self.event = event
      self.bytes = bytes
    }
  }

  private let packer = EventPacker()
  private var plain: Chunk?
  private var packed: Chunk?

  /// - Parameter isPacked: Whether the stream is compressed.
  func chunk(_ event: StreamEvent, isPacked: Bool) -> Chunk {
    if let chunk = isPacked ? self.packed : self.plain, chunk.event === event { return chunk }
    let chunk = Chunk(event: event, bytes: Self.frame(self.bytes(of: event, isPacked: isPacked)))
    if isPacked {
      self.packed = chunk
    } else {
      self.plain = chunk
    }
    return chunk
  }

  /// The bytes without the frame.
  func bytes(of event: StreamEvent, isPacked: Bool) -> [UInt8] {
    isPacked ? event.packed(self.packer.pack) : event.bytes
  }

  static func frame(_ bytes: [UInt8]) -> ByteBuffer {
    var chunk = ByteBuffer()
    chunk.writeString(String(bytes.count, radix: 16))
    chunk.writeString("\r\n")
    chunk.writeBytes(bytes)
    chunk.writeString("\r\n")
    return chunk
  }
}
