import ImmutableUI
import Synchronization

/// An event that is encoded once and written to every stream that needs it.
///
/// It is an object, so that a sink can recognise an event that it has just prepared for another
/// stream and need not prepare it again.
public final class StreamEvent: Sendable {
  /// The event in the format of server-sent events, including the blank line at its end.
  public let bytes: [UInt8]
  private let packed = Mutex<[UInt8]?>(nil)

  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The bytes for compressed streams. They are made once, by the first caller; other callers wait
  /// for the result.
  ///
  /// - Parameter pack: Makes the bytes. It must be the same for all callers.
  public func packed(_ pack: ([UInt8]) -> [UInt8]) -> [UInt8] {
    self.packed.withLock { packed in
      if let packed { return packed }
      let bytes = pack(self.bytes)
      packed = bytes
      return bytes
    }
  }
}

/// The destination of one stream's events.
public protocol StreamSink: AnyObject {
  /// Whether a write would go out soon. Do not write while it is false.
  var isWritable: Bool { get }

  /// The number of bytes that it was given to send.
  var sentBytes: Int { get }

  /// How many of them the system has not accepted yet.
  var unsentBytes: Int { get }

  /// Sends an event.
  func write(_ event: StreamEvent)

  /// Sends what was written, then ends the stream.
  func close()

  /// Ends a stream whose client accepts no data.
  func abort()
}
