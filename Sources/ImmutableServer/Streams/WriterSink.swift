import ImmutableRuntime
import ImmutableUI
import NIOCore

/// Writes events through Hummingbird's response writer, for channels without a socket to write to.
final class WriterSink: EventSink {
  /// The number of bytes that may wait for the writer before the stream counts as slow.
  private static let limit = 64 * 1024

  private let events: AsyncStream<ByteBuffer>.Continuation
  private let unread: UnreadBudget
  private let client: String
  private var waiting = 0

  /// - Parameters:
  ///   - encoder: The encoder of the event loop.
  ///   - isPacked: Whether the stream is compressed.
  ///   - unread: Counts the waiting bytes. At its limit, the stream ends.
  ///   - client: The network of the client.
  ///   - events: Its other end feeds the writer, which reports with ``didWrite(_:)``.
  init(
    channel: any Channel,
    encoder: ChunkEncoder,
    isPacked: Bool,
    unread: UnreadBudget,
    client: String,
    events: AsyncStream<ByteBuffer>.Continuation,
    onClose: @escaping () -> Void
  ) {
    self.events = events
    self.unread = unread
    self.client = client
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
    guard self.unread.addEvent(bytes.count, for: self.client) else { return self.end() }
    self.waiting += bytes.count
    self.didTake(bytes.count)
    self.events.yield(ByteBuffer(bytes: bytes))
  }

  /// The writer has written some of the waiting bytes.
  func didWrite(_ count: Int) {
    self.waiting -= count
    self.unread.moveEvent(count, from: self.client, to: nil)
  }

  deinit {
    self.unread.moveEvent(self.waiting, from: self.client, to: nil)
  }
}
