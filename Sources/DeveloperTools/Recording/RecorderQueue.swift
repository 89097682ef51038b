import Logging

/// The events that wait to be written. A finished queue accepts no events, but the writer still gets
/// those that are in it.
struct RecorderQueue<Event: Sendable>: Sendable {
  /// The events, oldest first. They share their payloads with the states that they led to. Bounded
  /// by ``RecordingFormat/waitingLimit``.
  let events: AsyncStream<Event>
  private let continuation: AsyncStream<Event>.Continuation
  private let logger: Logger

  init(logger: Logger) {
    (self.events, self.continuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(RecordingFormat.waitingLimit))
    self.logger = logger
  }

  /// Adds an event. If too many events wait, recording ends.
  func put(_ event: Event) {
    guard case .dropped = self.continuation.yield(event) else { return }
    self.finish()
    self.logger.error("Recording has stopped", metadata: ["error": "too many events waited"])
  }

  func finish() { self.continuation.finish() }
}
