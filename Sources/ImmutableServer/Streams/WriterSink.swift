import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Writes events through Hummingbird's response writer, for channels without a socket to write to.
final class WriterSink: EventSink {
  /// The number of bytes that may wait for the writer before the stream counts as slow.
  private static let limit = 64 * 1024

  private let events: AsyncStream<ByteBuffer>.Continuation
  private var waiting = 0

  /// - Parameter events: Its other end feeds the writer, which reports with ``didWrite(_:)``.
  init(
    channel: any Channel,
    events: AsyncStream<ByteBuffer>.Continuation,
    onClose: @escaping () -> Void
  ) {
    self.events = events
    super.init(channel: channel, onClose: onClose)
  }

  override var isWritable: Bool {
    self.isClosed == false && self.channel.isWritable && self.waiting < Self.limit
  }

  override func write(_ event: StreamEvent) {
    guard self.isClosed == false else { return }
    self.waiting += event.bytes.count
    self.events.yield(ByteBuffer(bytes: event.bytes))
  }

  /// The writer has written some of the waiting bytes.
  func didWrite(_ count: Int) {
    self.waiting -= count
  }
}
