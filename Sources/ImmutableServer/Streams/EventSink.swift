import ImmutableUI
import NIOCore
import NIOHTTP1

/// Where a stream's events go: raw to the channel, below HTTP encoding, or to a response writer.
///
/// It belongs to the channel's event loop.
final class EventSink: StreamSink {
  typealias Payload = StreamPayload

  /// How much may wait for a response writer before it counts as slow, in bytes.
  private static let pendingLimit = 64 * 1024

  private enum Output {
    case raw(ChannelHandlerContext)
    case writer(AsyncStream<ByteBuffer>.Continuation)
  }

  private let channel: any Channel
  private let output: Output
  private let onClose: () -> Void
  private var pending = 0
  private var isClosed = false

  /// Writes raw.
  ///
  /// - Parameter context: Of the handler that encodes responses: what is written from there goes to
  ///   the socket as it is.
  init(raw context: ChannelHandlerContext, onClose: @escaping () -> Void) {
    self.channel = context.channel
    self.output = .raw(context)
    self.onClose = onClose
  }

  /// Writes to whoever reads the other end of the continuation, and reports with ``didWrite(_:)``.
  init(
    channel: any Channel,
    writer: AsyncStream<ByteBuffer>.Continuation,
    onClose: @escaping () -> Void
  ) {
    self.channel = channel
    self.output = .writer(writer)
    self.onClose = onClose
  }

  var isWritable: Bool {
    self.isClosed == false && self.channel.isWritable && self.pending < Self.pendingLimit
  }

  func write(_ payload: StreamPayload) {
    guard self.isClosed == false else { return }
    switch self.output {
    case .raw(let context):
      context.write(NIOAny(IOData.byteBuffer(payload.chunk)), promise: nil)
    case .writer(let writer):
      self.pending += payload.plain.readableBytes
      writer.yield(payload.plain)
    }
  }

  func flush() {
    if case .raw(let context) = self.output, self.isClosed == false {
      context.flush()
    }
  }

  /// Some of what waited has been written.
  func didWrite(_ count: Int) {
    self.pending -= count
  }

  func close() {
    guard self.isClosed == false else { return }
    self.flush()
    self.isClosed = true
    if case .writer(let writer) = self.output {
      writer.finish()
    }
    self.onClose()
  }

  func abort() {
    self.close()
    self.channel.close(promise: nil)
  }
}
