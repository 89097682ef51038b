import AnimalsData
import Foundation
import Synchronization

/// The newest changes of a catalogue, each with the version that the catalogue has with it, for any
/// number of readers that are as far as they are.
///
/// It keeps changes up to a limit in bytes, the oldest go first. A reader keeps no changes, only which
/// it was told last; to one for whom some are missing it says that everything has to be read again.
final class ChangeLog: Sendable {
  /// What a reader is told.
  enum News: Hashable, Sendable {
    /// The lines of a server-sent event.
    case event(String)
    /// There is nothing new.
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

  /// Versions count from the start of the process. So that nobody takes one for that of another
  /// process, this is part of them.
  private let era: String
  private let byteLimit: Int
  private let readerLimit: Int
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - byteLimit: The most bytes of changes that are kept.
  ///   - readerLimit: The most readers that there may be at a time.
  init(byteLimit: Int = 1 << 20, readerLimit: Int = 64) {
    self.era = String(UInt64.random(in: .min ... .max), radix: 36)
    self.byteLimit = byteLimit
    self.readerLimit = readerLimit
  }

  /// - Parameter change: `nil` if nobody knows what has changed.
  /// - Complexity: O(k), k readers; amortised, if changes have to go.
  func append(_ change: CatalogueChange?) {
    self.contents.withLock { contents in
      contents.version += 1
      let event = self.event(change, contents.version)
      contents.events.append(event)
      contents.bytes += event.utf8.count
      if contents.bytes > self.byteLimit { self.forgetOldest(&contents) }
      for reader in contents.readers.values { reader.yield() }
    }
  }

  /// How many bytes of changes are kept.
  var keptBytes: Int {
    self.contents.withLock { $0.bytes }
  }

  /// Has all readers told something, so that they see that the connection is alive.
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

  /// In batches, because each moves what is kept.
  private func forgetOldest(_ contents: inout Contents) {
    var count = 0
    while contents.bytes > self.byteLimit / 2, count < contents.events.count {
      contents.bytes -= contents.events[count].utf8.count
      count += 1
    }
    contents.events.removeFirst(count)
  }

  private func event(_ change: CatalogueChange?, _ version: Int) -> String {
    let event = CatalogueEvent(change, version: "\(self.era)-\(version)")
    // Strings are always JSON; should they not be, everything is read again.
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

  /// The next event for a reader that has a version.
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

  /// One who is told of changes. It counts until it is released, or ended.
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

    /// Ends the reading, from wherever.
    func end() {
      self.log.remove(self.id)
      self.continuation.finish()
    }

    /// Tells all that there is and then what comes, until the log is closed or the reader is ended.
    ///
    /// - Parameter body: Gets the news, and the next when it returns.
    /// - Throws: What `body` throws.
    func read(_ body: (News) async throws -> Void) async throws {
      try await self.tellAll(body)
      for await _ in self.signals {
        if try await self.tellAll(body) == false { try await body(.silence) }
      }
    }

    /// - Returns: Whether there was anything.
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
