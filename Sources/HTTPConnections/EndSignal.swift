import Dispatch
import Foundation

/// Knows at once that the process was asked to end.
///
/// Services are told by tasks, each of which waits behind those of the requests in progress. A server
/// with much to answer would answer it for many seconds before it began to end.
package final class EndSignal: Sendable {
  private let flag = Flag()
  // Made in `init`, cancelled in `deinit`, and otherwise not touched.
  nonisolated(unsafe) private let sources: [any DispatchSourceSignal]

  /// Whether SIGTERM or SIGINT has come since this was made.
  package var hasCome: Bool { self.flag.isSet }

  package init() {
    let queue = DispatchQueue(label: "EndSignal", qos: .userInteractive)
    self.sources = [SIGTERM, SIGINT].map { [flag] number in
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
