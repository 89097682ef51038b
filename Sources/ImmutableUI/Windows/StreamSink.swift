/// Where one stream's events go.
public protocol StreamSink: AnyObject {
  associatedtype Payload: Sendable

  /// Whether what is written goes out soon. Nothing is written while it is false.
  var isWritable: Bool { get }

  /// Sends an event.
  func write(_ payload: Payload)

  /// Sends what was written, then ends the stream.
  func close()

  /// Ends the stream of a client that takes nothing.
  func abort()
}
