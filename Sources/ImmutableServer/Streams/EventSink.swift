import ImmutableRuntime
import ImmutableUI
import NIOCore

/// The destination of a stream's events. It belongs to the event loop of its channel.
class EventSink: StreamSink {
  let channel: any Channel
  private let onClose: () -> Void
  private(set) var isClosed = false

  /// - Parameter onClose: Called once, when the stream has ended.
  init(channel: any Channel, onClose: @escaping () -> Void) {
    self.channel = channel
    self.onClose = onClose
  }

  var isWritable: Bool { self.isClosed == false }

  func write(_ event: StreamEvent) {}

  func close() {
    guard self.isClosed == false else { return }
    self.isClosed = true
    self.onClose()
  }

  func abort() {
    self.close()
    self.channel.close(promise: nil)
  }
}
