import AnimalsData
import Foundation
import Synchronization

/// The newest changes of a catalog, each with the resulting version, for any number of readers at
/// different versions.
///
/// It keeps changes up to a limit in bytes, and drops the oldest first. A reader keeps no changes,
/// only its last version. If the next changes of a reader were dropped, it is told to read
/// everything again.
final class ChangeLog: Sendable {
  /// The news for a reader.
  enum News: Hashable, Sendable {
    /// The lines of a server-sent event.
    case event(String)
    /// Nothing is new.
    case silence
  }

  private struct Contents {
    /// The version after the newest change.
    var version = 0
    /// The newest changes, up to that version.
    var events: [String] = []
    var bytes = 0
    var isClosed = false
    var readerCount = 0
    var readers: [Int: AsyncStream<Void>.Continuation] = [:]
  }

  /// Versions count from the start of the process. This is part of each version, so that it cannot
  /// be mistaken for one of another process.
  private let era: String
  private let byteLimit: Int
  private let readerLimit: Int
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - byteLimit: The maximum size of the kept changes, in bytes.
  ///   - readerLimit: The maximum number of concurrent readers.
  init(byteLimit: Int = 1 << 20, readerLimit: Int = 64) {
    self.era = String(UInt64.random(in: .min ... .max), radix: 36)
    self.byteLimit = byteLimit
    self.readerLimit = readerLimit
  }

  /// - Parameter change: `nil` if the change is unknown.
  /// - Complexity: O(k), k readers; amortised, if changes are dropped.
  func append(_ change: CatalogChange?) {
    self.contents.withLock { contents in
      contents.version += 1
      let event = self.event(change, contents.version)
      contents.events.append(event)
      contents.bytes += event.utf8.count
      if contents.bytes > self.byteLimit { self.forgetOldest(&contents) }
      for reader in contents.readers.values { reader.yield() }
    }
  }

  /// The size of the kept changes, in bytes.
  var keptBytes: Int {
    self.contents.withLock { $0.bytes }
  }

  /// Sends a heartbeat to all readers.
  func beat() {
    self.contents.withLock { contents in
      for reader in contents.readers.values { reader.yield() }
    }
  }

  /// Ends all readers.
  func close() {
    self.contents.withLock { contents in
      contents.isClosed = true
      for reader in contents.readers.values { reader.finish() }
    }
  }

  /// Drops the oldest changes in batches, because each removal moves the remaining ones.
  private func forgetOldest(_ contents: inout Contents) {
    var count = 0
    while contents.bytes > self.byteLimit / 2, count < contents.events.count {
      contents.bytes -= contents.events[count].utf8.count
      count += 1
    }
    contents.events.removeFirst(count)
  }

  private func event(_ change: CatalogChange?, _ version: Int) -> String {
    let event = CatalogEvent(change, version: "\(self.era)-\(version)")
    // Strings can always be encoded. If not, everything is read again.
    return (try? event.serverSentEvent())
      ?? "event: changed\nid: \(self.era)-\(version)\ndata: {}\n\n"
  }
}

// Reading.
extension ChangeLog {
  /// - Parameter lastEventID: The version that the reader has; `nil` if it has none.
  /// - Returns: `nil` if there are too many readers.
  func reader(after lastEventID: String?) -> Reader? {
    let (signals, continuation) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let id = self.contents.withLock { contents -> Int? in
      guard contents.readers.count < self.readerLimit else { return nil }
      contents.readerCount += 1
      contents.readers[contents.readerCount] = continuation
      if contents.isClosed { continuation.finish() }
      return contents.readerCount
    }
    return id.map { Reader(self, $0, signals, continuation, after: self.number(of: lastEventID)) }
  }

  /// The number of a version of this process.
  private func number(of version: String?) -> Int? {
    guard let parts = version?.split(separator: "-"), parts.count == 2, parts[0] == self.era else {
      return nil
    }
    return Int(parts[1])
  }

  /// The next event for a reader at a version.
  private func event(after number: inout Int?) -> String? {
    self.contents.withLock { contents in
      let oldest = contents.version - contents.events.count
      guard let last = number, (oldest...contents.version).contains(last) else {
        number = contents.version
        return self.event(nil, contents.version)
      }
      guard last < contents.version else { return nil }
      number = last + 1
      return contents.events[last - oldest]
    }
  }

  private func remove(_ id: Int) {
    self.contents.withLock { $0.readers[id] = nil }
  }

  /// A reader of changes. It counts until it is released or ended.
  final class Reader: Sendable {
    private let log: ChangeLog
    private let id: Int
    private let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let number: Mutex<Int?>

    fileprivate init(
      _ log: ChangeLog,
      _ id: Int,
      _ signals: AsyncStream<Void>,
      _ continuation: AsyncStream<Void>.Continuation,
      after number: Int?
    ) {
      self.log = log
      self.id = id
      self.signals = signals
      self.continuation = continuation
      self.number = Mutex(number)
    }

    deinit {
      self.end()
    }

    /// Ends the reading. It can be called from any thread.
    func end() {
      self.log.remove(self.id)
      self.continuation.finish()
    }

    /// Delivers all present and then all future events, until the log is closed or the reader is
    /// ended.
    ///
    /// - Parameter body: Receives an event, and the next one when it returns.
    /// - Throws: An error that `body` throws.
    func read(_ body: (News) async throws -> Void) async throws {
      try await self.tellAll(body)
      for await _ in self.signals {
        if try await self.tellAll(body) == false { try await body(.silence) }
      }
    }

    /// - Returns: Whether there was an event.
    @discardableResult private func tellAll(
      _ body: (News) async throws -> Void
    ) async throws -> Bool {
      var isNews = false
      while let event = self.number.withLock({ self.log.event(after: &$0) }) {
        isNews = true
        try await body(.event(event))
      }
      return isNews
    }
  }
}
