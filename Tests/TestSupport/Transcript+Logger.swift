public import Logging

extension Transcript<String> {
  /// A logger whose messages become entries, each with its level and its metadata.
  public var logger: Logger {
    Logger(label: "test") { _ in Handler(lines: self) }
  }

  private struct Handler: LogHandler {
    let lines: Transcript<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { self.metadata[key] }
      set { self.metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }
      self.lines.append(
        "\(event.level) \(event.message) "
          + metadata.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
      )
    }
  }
}
