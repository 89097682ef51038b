import ImmutableRuntime
import ImmutableUI
import Synchronization

/// An event that was sent on a stream.
public struct Push: Hashable, Sendable, CustomStringConvertible {
  /// `show`, `frame`, `move` or `version`.
  public let event: String
  /// The version that the window has with it.
  public let version: UInt64
  /// Its JSON, on one line.
  public let data: String

  public var description: String {
    "\(self.event) \(self.data)"
  }

  init(_ bytes: [UInt8]) {
    var (event, version, data) = ("frame", UInt64(0), "")
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      if line.hasPrefix("event: ") { event = String(line.dropFirst(7)) }
      if line.hasPrefix("id: ") { version = UInt64(line.dropFirst(4)) ?? 0 }
      if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
    }
    self.event = event
    self.version = version
    self.data = data
  }
}

/// Streams that keep their events.
final class TestStreams: Sendable {
  private final class Sink: StreamSink {
    var isWritable = true
    /// Events that change the page.
    var pushes: [Push] = []
    var toasts: [Push] = []
    var sentBytes = 0
    let unsentBytes = 0

    func write(_ event: StreamEvent) {
      self.sentBytes += event.bytes.count
      let push = Push(event.bytes)
      switch push.event {
      case "toast": self.toasts.append(push)
      case "ended", "presence": break  // only for scripts
      default: self.pushes.append(push)
      }
    }

    func close() {}
    func abort() {}
  }

  /// Windows that moved while their streams were held up, with the tags of what they have.
  private final class Outdated {
    var windows: [(window: Identifier, tags: [String: String])] = []
  }

  private struct Contents {
    let hub: Hub
    let outdated: Outdated
    var sinks: [Identifier: Sink] = [:]
  }

  private let contents: Mutex<Contents>

  init() {
    let outdated = Outdated()
    let hub = Hub { outdated.windows.append(($0, $1)) }
    self.contents = Mutex(Contents(hub: hub, outdated: outdated))
  }

  func reports() -> [Identifier: StreamReport] {
    self.contents.withLock { $0.hub.reports(now: .now) }
  }

  func open(_ id: Identifier) {
    self.contents.withLock { contents in
      let sink = Sink()
      contents.hub.open(id, sink)
      contents.sinks[id] = sink
    }
  }

  /// Holds up a stream, as if its client read nothing, or lets it catch up.
  ///
  /// - Returns: The windows that then have to be shown again, with the tags of what they have.
  func hold(_ id: Identifier, _ isHeld: Bool) -> [(window: Identifier, tags: [String: String])] {
    self.contents.withLock { contents in
      contents.sinks[id]?.isWritable = isHeld == false
      if isHeld == false { contents.hub.catchUp(id) }
      defer { contents.outdated.windows = [] }
      return contents.outdated.windows
    }
  }

  func perform(_ commands: [HubCommand]) {
    self.contents.withLock { $0.hub.perform(commands, now: .now) }
  }

  /// The events of the stream since the last call.
  func take(_ id: Identifier) -> (pushes: [Push], toasts: [Push]) {
    self.contents.withLock { contents in
      guard let sink = contents.sinks[id] else { return ([], []) }
      defer { (sink.pushes, sink.toasts) = ([], []) }
      return (sink.pushes, sink.toasts)
    }
  }

  func takeAll() -> [Push] {
    self.contents.withLock { contents in
      contents.sinks.values.flatMap { sink in
        defer { sink.pushes = [] }
        return sink.pushes
      }
    }
  }
}
