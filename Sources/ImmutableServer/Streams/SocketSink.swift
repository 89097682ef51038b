import Foundation
import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Writes events straight to a channel's socket, in the framing of HTTP/1.1 chunks.
///
/// One event to a thousand windows is a thousand writes; through the channel's pipeline each costs
/// nearly as much again as the system call (Benchmarks/README.md). What the socket does not take goes
/// to the channel, which waits for it, and nothing is written until the channel has got rid of it:
/// so bytes keep their order, and at most the rest of one event waits.
///
/// - Important: The descriptor of a channel that has closed may be another's: whoever writes to it must
///   have let go of it by then.
final class SocketSink: EventSink {
  /// Of the handler that encodes responses: what is written from there goes out as it is.
  private let context: ChannelHandlerContext
  private let socket: NIOBSDSocket.Handle
  private let encoder: ChunkEncoder
  private let onWritable: () -> Void
  /// How many writes the channel has not finished.
  private var waiting = 0

  /// - Parameters:
  ///   - encoder: That of the loop's sinks.
  ///   - onWritable: Is called when events can be written again.
  init(
    context: ChannelHandlerContext,
    socket: NIOBSDSocket.Handle,
    encoder: ChunkEncoder,
    onWritable: @escaping () -> Void,
    onClose: @escaping () -> Void
  ) {
    self.context = context
    self.socket = socket
    self.encoder = encoder
    self.onWritable = onWritable
    super.init(channel: context.channel, onClose: onClose)
    // Whatever the channel was given before goes first.
    self.hand(over: ByteBuffer())
  }

  override var isWritable: Bool {
    self.waiting == 0 && self.isClosed == false
  }

  override func write(_ event: StreamEvent) {
    guard self.isClosed == false else { return }
    let chunk = self.encoder.chunk(event)
    let sent = self.waiting == 0 ? self.send(chunk) : 0
    if sent < chunk.readableBytes {
      self.hand(over: chunk.getSlice(at: sent, length: chunk.readableBytes - sent) ?? chunk)
    }
  }

  /// - Returns: How many bytes the socket took; none when it failed, which the channel then finds.
  private func send(_ chunk: ByteBuffer) -> Int {
    chunk.withUnsafeReadableBytes { bytes in
      max(0, Foundation.send(self.socket, bytes.baseAddress, bytes.count, Self.flags))
    }
  }

  private func hand(over bytes: ByteBuffer) {
    self.waiting += 1
    let promise = self.context.eventLoop.makePromise(of: Void.self)
    // A write that fails is one of a channel that closes: then the rest waits for good.
    promise.futureResult.assumeIsolated().whenSuccess {
      self.waiting -= 1
      if self.isWritable { self.onWritable() }
    }
    self.context.writeAndFlush(NIOAny(IOData.byteBuffer(bytes)), promise: promise)
  }

  private static let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
}
