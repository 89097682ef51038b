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
    /// The number of streams of each client that have not read it, by the client's network.
    private var readers: [String: Int] = [:]
    /// The client for which it is counted (``UnreadBudget``).
    private var payer: String?

    fileprivate init(event: StreamEvent, bytes: ByteBuffer) {
      self.event = event
      self.bytes = bytes
    }

    /// Counts a stream that has not read it. All streams share the bytes, so they are counted once.
    ///
    /// - Parameter client: The network of the stream's client.
    /// - Returns: Whether there is room. If not, nothing is counted.
    func addReader(_ client: String, _ unread: UnreadBudget) -> Bool {
      if self.payer == nil {
        guard unread.addEvent(self.bytes.readableBytes, for: client) else { return false }
        self.payer = client
      }
      self.readers[client, default: 0] += 1
      return true
    }

    /// Ends ``addReader(_:_:)``. A client with no stream left does not pay for the others.
    func removeReader(_ client: String, _ unread: UnreadBudget) {
      let count = (self.readers[client] ?? 0) - 1
      self.readers[client] = count > 0 ? count : nil
      guard count <= 0, client == self.payer else { return }
      self.payer = self.readers.keys.first
      unread.moveEvent(self.bytes.readableBytes, from: client, to: self.payer)
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
