import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Writes events through Hummingbird's response writer, for channels without a socket to write to.
final class WriterSink: EventSink {
  /// The number of bytes that may wait for the writer before the stream counts as slow.
  private static let limit = 64 * 1024

  private let events: AsyncStream<ByteBuffer>.Continuation
  private var waiting = 0

  /// - Parameters:
  ///   - encoder: The encoder of the event loop.
  ///   - isPacked: Whether the stream is compressed.
  ///   - events: Its other end feeds the writer, which reports with ``didWrite(_:)``.
  init(
    channel: any Channel,
    encoder: ChunkEncoder,
    isPacked: Bool,
    events: AsyncStream<ByteBuffer>.Continuation,
    onClose: @escaping () -> Void
  ) {
    self.events = events
    super.init(channel: channel, encoder: encoder, isPacked: isPacked, onClose: onClose)
    if isPacked { self.write(bytes: EventPacker.header) }
  }

  override var isWritable: Bool {
    self.isClosed == false && self.channel.isWritable && self.waiting < Self.limit
  }

  override func write(_ event: StreamEvent) {
    guard self.isClosed == false else { return }
    self.write(bytes: self.encoder.bytes(of: event, isPacked: self.isPacked))
  }

  private func write(bytes: [UInt8]) {
    self.waiting += bytes.count
    self.didTake(bytes.count)
    self.events.yield(ByteBuffer(bytes: bytes))
  }

  /// The writer has written some of the waiting bytes.
  func didWrite(_ count: Int) {
    self.waiting -= count
  }
}
