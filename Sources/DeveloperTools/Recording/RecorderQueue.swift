import Dispatch
import ImmutableRuntime
import ImmutableUI
import Logging
import Synchronization

/// The events that wait to be written. A finished queue accepts no events, but the writer still gets
/// those that are in it.
final class RecorderQueue<Event: Sendable>: Sendable {
  private struct Contents {
    /// Oldest first. Bounded by ``RecordingFormat/waitingLimit`` and by their size.
    var waiting: [Event] = []
    /// Their size, with the content of pages in them, in bytes of memory.
    var bytes = 0
    /// The content that has been counted, because pages share it. As many as the regions in `waiting`.
    var counted: Set<ObjectIdentifier> = []
    /// How many events the writer waits for; `nil` if it does not wait.
    var awaited: Int?
    var isFinished = false
    /// `nil` as long as nothing has gone wrong.
    var reason: String?
    /// One for each call of ``whenStopped(_:)``, until recording stops.
    var observers: [@Sendable (String) -> Void] = []

    /// Whether the writer waits and can go on. It no longer waits then.
    mutating func takeWaiting() -> Bool {
      guard let awaited, self.isFinished || self.waiting.count >= awaited else { return false }
      self.awaited = nil
      return true
    }
  }

  private let logger: Logger
  private let byteLimit: Int
  private let contents = Mutex(Contents())
  /// Signalled each time that the writer can go on (``Contents/takeWaiting()``).
  private let signal = DispatchSemaphore(value: 0)

  /// - Parameter byteLimit: The maximum size of all events, in bytes of memory.
  init(logger: Logger, byteLimit: Int = RecordingFormat.waitingBytes) {
    self.logger = logger
    self.byteLimit = byteLimit
  }

  /// Adds an event. If too many events wait, recording stops.
  ///
  /// - Parameters:
  ///   - bytes: The size of the event, without the content of a page, in bytes of memory.
  ///   - content: The regions of a page, which the event holds.
  func put(_ event: Event, bytes: Int, content: [ShownPage.Region] = []) {
    let (isFull, isAwaited) = self.contents.withLock { contents in
      guard contents.isFinished == false else { return (false, false) }
      contents.bytes += bytes
      for region in content
      where contents.counted.insert(ObjectIdentifier(region.rendered)).inserted {
        contents.bytes += region.rendered.heapSize(notSharedWith: region.old)
      }
      guard contents.waiting.count < RecordingFormat.waitingLimit,
        contents.bytes <= self.byteLimit
      else { return (true, false) }
      contents.waiting.append(event)
      return (false, contents.takeWaiting())
    }
    if isAwaited { self.signal.signal() }
    if isFull { self.stop("too many events waited to be written") }
  }

  /// Blocks the thread of the writer until there are events, and then a moment for those that follow,
  /// because each wake-up costs more than a line.
  ///
  /// - Returns: `nil` at the end.
  func next() -> [Event]? {
    self.wait(for: 1, until: .distantFuture)
    self.wait(for: RecordingFormat.batch, until: .now() + RecordingFormat.pause)
    let events = self.contents.withLock { contents in
      defer { (contents.waiting, contents.bytes, contents.counted) = ([], 0, []) }
      return contents.waiting
    }
    return events.isEmpty ? nil : events
  }

  /// Waits until there are so many events, or the end.
  private func wait(for count: Int, until time: DispatchTime) {
    let waits = self.contents.withLock { contents in
      contents.awaited = count
      return contents.takeWaiting() == false
    }
    guard waits, self.signal.wait(timeout: time) == .timedOut else { return }
    // There may just have been enough. Then the signal is for this wait, and not for the next.
    if self.contents.withLock({ $0.awaited.take() == nil }) { self.signal.wait() }
  }

  func finish() {
    let isAwaited = self.contents.withLock { contents in
      contents.isFinished = true
      return contents.takeWaiting()
    }
    if isAwaited { self.signal.signal() }
  }

  /// Finishes because something went wrong. Only the first reason is told.
  func stop(_ reason: String) {
    self.finish()
    let observers = self.contents.withLock { contents -> [@Sendable (String) -> Void]? in
      guard contents.reason == nil else { return nil }
      defer { contents.observers = [] }
      contents.reason = reason
      return contents.observers
    }
    guard let observers else { return }
    self.logger.error("Recording has stopped", metadata: ["error": "\(reason)"])
    for observer in observers { observer(reason) }
  }

  /// Calls a closure once recording has stopped because something went wrong; at once if it has.
  func whenStopped(_ body: @escaping @Sendable (_ reason: String) -> Void) {
    let reason = self.contents.withLock { contents -> String? in
      if contents.reason == nil { contents.observers.append(body) }
      return contents.reason
    }
    if let reason { body(reason) }
  }
}
