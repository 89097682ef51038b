import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Writes events through Hummingbird's response writer, wherever there is no socket to write to.
final class WriterSink: EventSink {
  /// How much may wait for the writer before it counts as slow, in bytes.
  private static let limit = 64 * 1024

  private let events: AsyncStream<ByteBuffer>.Continuation
  private var waiting = 0

  /// - Parameter events: The other end goes to the writer, and reports with ``didWrite(_:)``.
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

  /// Some of what waited has been written.
  func didWrite(_ count: Int) {
    self.waiting -= count
  }
}
