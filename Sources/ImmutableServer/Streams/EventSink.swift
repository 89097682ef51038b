import ImmutableRuntime
import ImmutableUI
import NIOCore

/// The destination of a stream's events. It belongs to the event loop of its channel.
class EventSink: StreamSink {
  let channel: any Channel
  /// The encoder of the event loop.
  let encoder: ChunkEncoder
  /// Whether the stream is compressed.
  let isPacked: Bool
  private let onClose: () -> Void
  private(set) var isClosed = false
  private(set) var sentBytes = 0

  /// - Parameters:
  ///   - encoder: The encoder of the event loop.
  ///   - isPacked: Whether the stream is compressed.
  ///   - onClose: Called once, when the stream has ended.
  init(
    channel: any Channel,
    encoder: ChunkEncoder,
    isPacked: Bool,
    onClose: @escaping () -> Void
  ) {
    self.channel = channel
    self.encoder = encoder
    self.isPacked = isPacked
    self.onClose = onClose
  }

  var isWritable: Bool { self.isClosed == false }

  final var unsentBytes: Int {
    (try? self.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
  }

  func write(_ event: StreamEvent) {}

  /// Counts the bytes that it was given to send.
  final func didTake(_ count: Int) { self.sentBytes += count }

  func close() {
    guard self.isClosed == false else { return }
    self.isClosed = true
    self.onClose()
  }

  /// Ends the stream, but not while its hub writes.
  final func end() {
    self.close()
    self.channel.eventLoop.assumeIsolated().execute { self.abort() }
  }

  func abort() {
    self.close()
    self.closeChannel()
  }

  func closeChannel() {
    self.channel.close(promise: nil)
  }
}
