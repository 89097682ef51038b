import PlainText

/// An event that a server sent.
///
/// Source: the HTML standard, section 9.2, Server-sent events.
public struct ServerSentEvent: Hashable, Sendable {
  /// `message` if the server gave it no name.
  public let name: String
  /// The id of the newest event with an id; empty if there was none.
  public let id: String
  public let data: String

  public init(name: String, id: String, data: String) {
    self.name = name
    self.id = id
    self.data = data
  }
}

/// Reads server-sent events from bytes that may be split anywhere.
///
/// ```swift
/// var parser = EventParser()
/// try parser.push(Array("id: 7\ndata: one\n\n".utf8))  // [message, 7, "one"]
/// ```
///
/// It holds at most one event, and no more bytes than its limit.
///
/// Source: the HTML standard, section 9.2.6, Interpreting an event stream.
public struct EventParser: Sendable {
  private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

  private let byteLimit: Int
  private var line: [UInt8] = []
  private var isFirstLine = true
  /// Whether the last line ended with a carriage return, which a line feed may follow.
  private var isAfterReturn = false
  private var name = ""
  private var id = ""
  private var data: [UInt8] = []
  private var hasData = false

  /// - Parameter byteLimit: The maximum size of an event, in bytes.
  public init(byteLimit: Int = 1 << 20) {
    self.byteLimit = byteLimit
  }

  /// - Returns: The events that end in these bytes.
  /// - Throws: ``BodyLimitError`` if an event is too large. The parser must not be used afterwards.
  /// - Complexity: O(n), n bytes.
  public mutating func push(_ bytes: some Sequence<UInt8>) throws -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    for byte in bytes {
      let belongsToLast = self.isAfterReturn && byte == 0x0A
      self.isAfterReturn = byte == 0x0D
      if belongsToLast { continue }
      if byte == 0x0A || byte == 0x0D {
        if let event = self.endLine() { events.append(event) }
      } else {
        self.line.append(byte)
        guard self.line.count + self.data.count <= self.byteLimit else {
          throw BodyLimitError(limit: self.byteLimit)
        }
      }
    }
    return events
  }

  private mutating func endLine() -> ServerSentEvent? {
    defer { self.line.removeAll(keepingCapacity: true) }
    if self.isFirstLine {
      self.isFirstLine = false
      if self.line.starts(with: Self.mark) { self.line.removeFirst(Self.mark.count) }
    }
    guard self.line.isEmpty == false else { return self.endEvent() }
    let colon = self.line.firstIndex(of: 0x3A) ?? self.line.endIndex
    var value = self.line[colon...].dropFirst()
    if value.first == 0x20 { value = value.dropFirst() }
    switch Self.text(self.line[..<colon]) {
    case "event": self.name = Self.text(value)
    case "id":
      if value.contains(0) == false { self.id = Self.text(value) }
    case "data":
      if self.hasData { self.data.append(0x0A) }
      self.data.append(contentsOf: value)
      self.hasData = true
    default: break  // a comment, or an unused field
    }
    return nil
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self).withoutExcessMarks
  }

  private mutating func endEvent() -> ServerSentEvent? {
    defer {
      self.name = ""
      self.data = []
      self.hasData = false
    }
    guard self.hasData else { return nil }
    return ServerSentEvent(
      name: self.name.isEmpty ? "message" : self.name,
      id: self.id,
      data: String(decoding: self.data, as: UTF8.self)
    )
  }
}
