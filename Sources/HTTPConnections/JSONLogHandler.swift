import Foundation
public import Logging
import PlainText

/// Writes each message as a JSON object on its own line, with its metadata as fields:
///
/// ```
/// {"label":"server","level":"info","message":"request","status":"200","time":"2026-11-21T12:41:19.016Z"}
/// ```
///
/// Metadata with the name of a standard field gets the prefix `metadata.`. What would do something to a
/// terminal that shows the line is escaped.
public struct JSONLogHandler: LogHandler {
  public var logLevel = Logger.Level.info
  public var metadata: Logger.Metadata = [:]
  public var metadataProvider: Logger.MetadataProvider?

  private let label: String
  private let now: @Sendable () -> Date
  private let write: @Sendable (Data) -> Void

  /// Writes to standard error.
  public init(label: String) {
    self.init(
      label: label, now: { .now }, write: { LogWriter.standardError.write(Array($0)) })
  }

  /// - Parameters:
  ///   - now: The time of a message.
  ///   - write: Receives a line, including its line end.
  init(
    label: String,
    now: @escaping @Sendable () -> Date,
    write: @escaping @Sendable (Data) -> Void
  ) {
    self.label = label
    self.now = now
    self.write = write
  }

  public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { self.metadata[key] }
    set { self.metadata[key] = newValue }
  }

  public func log(event: LogEvent) {
    let own: [String: Value] = [
      "time": .text(self.now().formatted(Self.timeFormat)),
      "level": .text(event.level.rawValue),
      "label": .text(self.label),
      "message": Value("\(event.message)"),
    ]
    var metadata = self.metadata
    metadata.merge(self.metadataProvider?.get() ?? [:]) { $1 }
    metadata.merge(event.metadata ?? [:]) { $1 }
    if let error = event.error, metadata["error"] == nil {
      metadata["error"] = "\(error)"
    }
    var fields = own
    for (key, value) in metadata {
      fields[own[key] == nil ? key : "metadata.\(key)"] = Value(value)
    }
    // Text, and lists and objects of text, always encode.
    guard let line = try? Self.encoder.encode(fields) else { return }
    self.write(Data("\(String(decoding: line, as: UTF8.self).jsonInOneLine)\n".utf8))
  }

  private static let timeFormat = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }()
}

private enum Value: Encodable {
  case text(String)
  case list([Value])
  case object([String: Value])

  init(_ text: String) {
    self = .text(text.cut(to: LogWriter.textLimit))
  }

  init(_ value: Logger.Metadata.Value) {
    switch value {
    case .string(let text): self.init(text)
    case .stringConvertible(let value): self.init("\(value)")
    case .array(let values): self = .list(values.map(Self.init))
    case .dictionary(let values): self = .object(values.mapValues(Self.init))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .list(let values): try container.encode(values)
    case .object(let values): try container.encode(values)
    }
  }
}
