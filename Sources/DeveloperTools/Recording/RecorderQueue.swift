import Logging
import Synchronization

/// The events that wait to be written. A finished queue accepts no events, but the writer still gets
/// those that are in it.
final class RecorderQueue<Event: Sendable>: Sendable {
  private struct Ending {
    /// `nil` as long as nothing has gone wrong.
    var reason: String?
    /// One for each call of ``whenStopped(_:)``, until recording stops.
    var observers: [@Sendable (String) -> Void] = []
  }

  /// The events, oldest first. They share their payloads with the states that they led to. Bounded
  /// by ``RecordingFormat/waitingLimit``.
  let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let logger: Logger
  private let ending = Mutex(Ending())

  init(logger: Logger) {
    (self.events, self.continuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(RecordingFormat.waitingLimit))
    self.logger = logger
  }

  /// Adds an event. If too many events wait, recording stops.
  func put(_ event: Event) {
    guard case .dropped = self.continuation.yield(event) else { return }
    self.stop("too many events waited to be written")
  }

  func finish() { self.continuation.finish() }

  /// Finishes because something went wrong. Only the first reason is told.
  func stop(_ reason: String) {
    self.finish()
    let observers = self.ending.withLock { ending -> [@Sendable (String) -> Void]? in
      guard ending.reason == nil else { return nil }
      defer { ending.observers = [] }
      ending.reason = reason
      return ending.observers
    }
    guard let observers else { return }
    self.logger.error("Recording has stopped", metadata: ["error": "\(reason)"])
    for observer in observers { observer(reason) }
  }

  /// Calls a closure once recording has stopped because something went wrong; at once if it has.
  func whenStopped(_ body: @escaping @Sendable (_ reason: String) -> Void) {
    let reason = self.ending.withLock { ending -> String? in
      if ending.reason == nil { ending.observers.append(body) }
      return ending.reason
    }
    if let reason { body(reason) }
  }
}
