import Dispatch
import Foundation

/// Notices immediately that the process was asked to end, from when it is made.
///
/// Services are notified by tasks, each of which waits behind the tasks of requests in progress. A
/// busy server would keep answering for many seconds before it began to shut down.
package final class EndSignal: Sendable {
  private let latch: Latch
  private let arrivals: AsyncStream<String>
  /// When the server has to have ended.
  package let deadline: EndDeadline
  /// A signal of this name has arrived.
  let arrive: @Sendable (String) -> Void
  // Made in `init`, cancelled in `deinit`, and otherwise not touched.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// The signals that end a server. SIGHUP, which a closed terminal sends, is one of them unless
  /// the process ignores it, as nohup starts it, or handles it. That is decided when a server first
  /// runs, before its services start: what they install later does not count.
  private static let all: [(number: CInt, name: String)] = {
    let before = signal(SIGHUP, SIG_IGN)
    signal(SIGHUP, before)
    // `nil` is SIG_DFL.
    let others = [(SIGTERM, "SIGTERM"), (SIGINT, "SIGINT")]
    return before == nil ? others + [(SIGHUP, "SIGHUP")] : others
  }()

  /// - Parameters:
  ///   - latch: It is set as soon as one of the signals arrives.
  ///   - limit: How long the process may take to end, from when the signal arrives.
  package init(setting latch: Latch = Latch(), within limit: Duration = .seconds(10)) {
    let deadline = EndDeadline(limit)
    let (arrivals, arrival) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(1))
    let arrive = { @Sendable (name: String) in
      deadline.begin()
      latch.set()
      _ = arrival.yield(name)
    }
    (self.latch, self.arrivals, self.arrive) = (latch, arrivals, arrive)
    self.deadline = deadline
    let queue = DispatchQueue(label: "EndSignal", qos: .userInteractive)
    // Until a source is registered, its signal ends the process. That happens on another thread.
    let registered = DispatchSemaphore(value: 0)
    self.sources = Self.all.map { number, name in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { arrive(name) }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    for _ in self.sources { _ = registered.wait(timeout: .now() + 1) }
  }

  deinit {
    for source in self.sources { source.cancel() }
  }

  /// Whether the latch is set.
  package var hasCome: Bool { self.latch.isSet }

  /// Waits until one of the signals has arrived, or the task is cancelled. Call it once.
  ///
  /// - Returns: The name of the signal.
  func wait() async -> String? {
    await self.arrivals.first { _ in true }
  }
}
