import Foundation
import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Writes events directly to a channel's socket, framed as HTTP/1.1 chunks.
///
/// One event to a thousand windows is a thousand writes. Through the channel's pipeline each write
/// costs nearly twice the system call (Benchmarks/README.md). Bytes that the socket does not accept
/// are handed to the channel, and nothing more is written until the channel has written them. So
/// bytes keep their order, and at most the rest of one event waits.
///
/// - Important: After a channel has closed, its descriptor may be reused for another connection. By
///   then, every writer must have let go of it.
final class SocketSink: EventSink {
  /// The context of the handler that encodes responses. Bytes written from there are not encoded.
  private let context: ChannelHandlerContext
  private let socket: NIOBSDSocket.Handle
  private let onWritable: () -> Void
  private let unread: UnreadBudget
  private let client: String
  /// The number of writes that the channel has not finished.
  private var waiting = 0

  /// - Parameters:
  ///   - encoder: The encoder of the event loop.
  ///   - isPacked: Whether the stream is compressed.
  ///   - unread: Counts the bytes that the socket does not accept. At its limit, the stream ends.
  ///   - client: The network of the client.
  ///   - onWritable: Called when events can be written again.
  init(
    context: ChannelHandlerContext,
    socket: NIOBSDSocket.Handle,
    encoder: ChunkEncoder,
    isPacked: Bool,
    unread: UnreadBudget,
    client: String,
    onWritable: @escaping () -> Void,
    onClose: @escaping () -> Void
  ) {
    self.context = context
    self.socket = socket
    self.onWritable = onWritable
    self.unread = unread
    self.client = client
    super.init(channel: context.channel, encoder: encoder, isPacked: isPacked, onClose: onClose)
    // Bytes that the channel was given earlier go first.
    self.hand(over: isPacked ? ChunkEncoder.frame(EventPacker.header) : ByteBuffer())
  }

  /// At once, although the connection's handler ignores the first request to close it.
  override func closeChannel() {
    self.context.close(promise: nil)
  }

  override var isWritable: Bool {
    self.waiting == 0 && self.isClosed == false
  }

  override func write(_ event: StreamEvent) {
    guard self.isClosed == false else { return }
    let chunk = self.encoder.chunk(event, isPacked: self.isPacked)
    let (bytes, count) = (chunk.bytes, chunk.bytes.readableBytes)
    self.didTake(count)
    let sent = self.waiting == 0 ? self.send(bytes) : 0
    guard sent < count else { return }
    guard chunk.addReader(self.client, self.unread) else { return self.end() }
    self.hand(over: bytes.getSlice(at: sent, length: count - sent) ?? bytes) { [client, unread] in
      chunk.removeReader(client, unread)
    }
  }

  /// - Returns: The number of bytes that the socket accepted; 0 if it failed, which the channel
  ///   will notice itself.
  private func send(_ chunk: ByteBuffer) -> Int {
    chunk.withUnsafeReadableBytes { bytes in
      max(0, Foundation.send(self.socket, bytes.baseAddress, bytes.count, Self.flags))
    }
  }

  /// - Parameter onEnd: Called when the channel has let go of the bytes.
  private func hand(over bytes: ByteBuffer, onEnd: @escaping () -> Void = {}) {
    self.waiting += 1
    let promise = self.context.eventLoop.makePromise(of: Void.self)
    // A write fails only if the channel is closing; the rest is then never written.
    promise.futureResult.assumeIsolated().whenComplete { result in
      onEnd()
      guard case .success = result else { return }
      self.waiting -= 1
      if self.isWritable { self.onWritable() }
    }
    self.context.writeAndFlush(NIOAny(IOData.byteBuffer(bytes)), promise: promise)
  }

  private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
}
