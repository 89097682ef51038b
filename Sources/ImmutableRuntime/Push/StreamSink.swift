import ImmutableUI

/// An event that is encoded once and written to every stream that needs it.
///
/// It is an object, so that a sink can recognise an event that it has just prepared for another
/// stream and need not prepare it again.
public final class StreamEvent: Sendable {
  /// The event in the format of server-sent events, including the blank line at its end.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// The destination of one stream's events.
public protocol StreamSink: AnyObject {
  /// Whether a write would go out soon. Do not write while it is false.
  var isWritable: Bool { get }

  /// Sends an event.
  func write(_ event: StreamEvent)

  /// Sends what was written, then ends the stream.
  func close()

  /// Ends a stream whose client accepts no data.
  func abort()
}
