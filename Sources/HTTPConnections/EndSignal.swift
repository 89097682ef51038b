import Dispatch
import Foundation
package import UnixSignals

/// Notices immediately that the process was asked to end.
///
/// Services are notified by tasks, each of which waits behind the tasks of requests in progress. A
/// busy server would keep answering for many seconds before it began to shut down.
package final class EndSignal: Sendable {
  private let flag = Flag()
  // Made in `init`, cancelled in `deinit`, and otherwise not touched.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// The signals that end a server. SIGHUP, which a closed terminal sends, is one of them unless
  /// the process ignores it, as nohup starts it, or handles it. That is decided when a server first
  /// runs, before its services start: what they install later does not count.
  package static let all: [UnixSignal] = {
    let before = signal(SIGHUP, SIG_IGN)
    guard before == nil else {  // `nil` is SIG_DFL
      signal(SIGHUP, before)
      return [.sigterm, .sigint]
    }
    return [.sigterm, .sigint, .sighup]
  }()

  /// Whether one of these signals has arrived since this was created.
  package var hasCome: Bool { self.flag.isSet }

  package init() {
    let queue = DispatchQueue(label: "EndSignal", qos: .userInteractive)
    self.sources = Self.all.map(\.rawValue).map { [flag] number in
      signal(number, SIG_IGN)  // otherwise it would end the process before it is handled
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { flag.set() }
      source.resume()
      return source
    }
  }

  deinit {
    for source in self.sources { source.cancel() }
  }
}
