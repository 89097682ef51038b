/// Where one stream's events go.
public protocol StreamSink: AnyObject {
  associatedtype Payload: Sendable

  /// Whether what is written goes out soon. Nothing is written while it is false.
  var isWritable: Bool { get }

  /// Takes an event; it may wait for ``flush()``.
  func write(_ payload: Payload)

  /// Sends what was written.
  func flush()

  /// Sends what was written, then ends the stream.
  func close()

  /// Ends the stream of a client that takes nothing.
  func abort()
}
