import ImmutableUI

/// An event, made once and given to every stream that it concerns.
///
/// It is an object, so that whoever sends it can tell that it is the one that was sent before, and
/// need not prepare it again.
public final class StreamEvent: Sendable {
  /// As server-sent events have it, with the blank line that ends it.
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }
}

/// Where one stream's events go.
public protocol StreamSink: AnyObject {
  /// Whether what is written goes out soon. Nothing is written while it is false.
  var isWritable: Bool { get }

  /// Sends an event.
  func write(_ event: StreamEvent)

  /// Sends what was written, then ends the stream.
  func close()

  /// Ends the stream of a client that takes nothing.
  func abort()
}
