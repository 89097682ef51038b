import Logging
import TestSupport

/// Keeps what is logged at level error or above.
struct LineLog: LogHandler {
  let lines: Transcript<String>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.error

  init(lines: Transcript<String>) {
    self.lines = lines
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { self.metadata[key] }
    set { self.metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    self.lines.append("\(event.message) \(event.metadata ?? [:])")
  }
}
