import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Frames events as HTTP/1.1 chunks, each event once for all streams of an event loop.
///
/// Source: RFC 9112, section 7.1.
final class ChunkEncoder {
  private var event: StreamEvent?
  private var chunk = ByteBuffer()

  func chunk(_ event: StreamEvent) -> ByteBuffer {
    if event !== self.event {
      self.chunk = Self.encode(event.bytes)
      self.event = event
    }
    return self.chunk
  }

  private static func encode(_ bytes: [UInt8]) -> ByteBuffer {
    var chunk = ByteBuffer()
    chunk.writeString(String(bytes.count, radix: 16))
    chunk.writeString("\r\n")
    chunk.writeBytes(bytes)
    chunk.writeString("\r\n")
    return chunk
  }
}
