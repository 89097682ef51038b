import ArgumentParser
package import Logging

/// What a server logs, and how.
package struct LogOptions: ParsableArguments {
  @Option(help: "The lowest level to log: trace, debug, info, notice, warning, error or critical.")
  private var logLevel = "notice"

  @Option(help: "The format of the log: text, or json with one object per line.")
  private var logFormat = "text"

  package init() {}

  package func validate() throws {
    guard Logger.Level(rawValue: self.logLevel) != nil else {
      let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--log-level must be one of \(levels), not \(self.logLevel).")
    }
    guard ["text", "json"].contains(self.logFormat) else {
      throw ValidationError("--log-format must be text or json, not \(self.logFormat).")
    }
  }

  package var level: Logger.Level { Logger.Level(rawValue: self.logLevel) ?? .notice }

  package var isJSON: Bool { self.logFormat == "json" }
}
