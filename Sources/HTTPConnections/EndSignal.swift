import Dispatch
import Foundation

/// Notices immediately that the process was asked to end, from when it is made.
///
/// Services are notified by tasks, each of which waits behind the tasks of requests in progress. A
/// busy server would keep answering for many seconds before it began to shut down.
package final class EndSignal: Sendable {
  private let latch: Latch
  private let arrivals: AsyncStream<Void>
  /// One of the signals has arrived.
  let arrive: @Sendable () -> Void
  // Made in `init`, cancelled in `deinit`, and otherwise not touched.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// The signals that end a server. SIGHUP, which a closed terminal sends, is one of them unless
  /// the process ignores it, as nohup starts it, or handles it. That is decided when a server first
  /// runs, before its services start: what they install later does not count.
  private static let all: [CInt] = {
    let before = signal(SIGHUP, SIG_IGN)
    signal(SIGHUP, before)
    // `nil` is SIG_DFL.
    return before == nil ? [SIGTERM, SIGINT, SIGHUP] : [SIGTERM, SIGINT]
  }()

  /// - Parameter latch: It is set as soon as one of the signals arrives.
  package init(setting latch: Latch = Latch()) {
    let (arrivals, arrival) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    let arrive = { @Sendable in
      latch.set()
      _ = arrival.yield()
    }
    (self.latch, self.arrivals, self.arrive) = (latch, arrivals, arrive)
    let queue = DispatchQueue(label: "EndSignal", qos: .userInteractive)
    // Until a source is registered, its signal ends the process. That happens on another thread.
    let registered = DispatchSemaphore(value: 0)
    self.sources = Self.all.map { number in
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: arrive)
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
  var hasCome: Bool { self.latch.isSet }

  /// Waits until one of the signals has arrived, or the task is cancelled. Call it once.
  func wait() async {
    for await _ in self.arrivals { return }
  }
}
