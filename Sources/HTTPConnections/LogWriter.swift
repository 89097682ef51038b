import Dispatch
import Foundation
package import Logging
import PlainText
import Synchronization

/// Writes the lines of a log. Whoever logs does not wait for whoever reads the log: a pipe that nobody
/// reads, or a disk that hangs, would hold one thread after another.
///
/// A line is written at once to a pipe that is ready. Otherwise it waits in memory, and a thread writes it.
/// Whoever logs waits for that if it is no pipe, so that the line is not missing if the process crashes
/// afterwards, but no longer than ``patience``, and not again before that thread goes on.
package final class LogWriter: Sendable {
  package static let standardError = LogWriter(STDERR_FILENO) { lines in
    Logger(label: "log").warning(
      "Lines of the log were lost, because they could not be written",
      metadata: ["lines": "\(lines)"])
  }

  private struct Contents {
    /// Complete lines. Bounded by ``limit``: further ones are lost.
    var waiting: [UInt8] = []
    var lostCount = 0
    /// Whether the thread writes.
    var isWriting = false
    /// Whether nobody waits for the thread, because it has taken too long, or lines were lost.
    var isStuck = false
  }

  private static let limit = 1 << 20
  /// The maximum size of a text in the log, in bytes. Servers that this one asks, and other programs,
  /// decide how long some are.
  static let textLimit = 16 << 10
  /// How long the end of the process waits.
  private static let endTimeout = Duration.seconds(2)

  private let descriptor: Int32
  /// Whether it is a pipe or a socket. Nobody knows whether a write to anything else waits, for example for
  /// a disk.
  private let isPipe: Bool
  private let patience: Duration
  private let onLoss: @Sendable (Int) -> Void
  private let contents = Mutex(Contents())
  private let queue = DispatchQueue(label: "LogWriter")
  /// Until when the end of the process waits; `nil` before it begins.
  private let end = Mutex<ContinuousClock.Instant?>(nil)

  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - isPipe: Whether it is a pipe or a socket; `nil` to look.
  ///   - patience: How long a line may take to be written to anything else before nobody waits for it.
  ///   - onLoss: Receives how many lines were lost, once lines can be written again.
  init(
    _ descriptor: Int32,
    isPipe: Bool? = nil,
    patience: Duration = .milliseconds(250),
    onLoss: @escaping @Sendable (Int) -> Void
  ) {
    self.isPipe = isPipe ?? Self.isPipe(descriptor)
    self.descriptor = descriptor
    self.patience = patience
    self.onLoss = onLoss
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0
      && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
  }

  /// - Parameter line: Complete lines.
  package func write(_ line: [UInt8]) {
    let mustWait = self.contents.withLock { contents in
      guard contents.isWriting || self.takesAtOnce(line.count) == false else {
        self.writeNow(line)
        return false
      }
      guard contents.waiting.isEmpty || contents.waiting.count + line.count <= Self.limit else {
        contents.lostCount += 1
        contents.isStuck = true
        return false
      }
      contents.waiting += line
      if contents.isWriting == false {
        contents.isWriting = true
        self.queue.async { self.writeWaiting() }
      }
      return self.isPipe == false && contents.isStuck == false
    }
    guard mustWait, self.finish(within: self.patience) == false else { return }
    self.contents.withLock { contents in
      if contents.isWriting { contents.isStuck = true }
    }
  }

  /// Writes the line with which the process ends, and waits for it.
  package func writeLast(_ line: String) {
    self.write(Array(line.utf8))
    self.finish()
  }

  /// Waits until everything has been written: for two seconds from the first call, and then for a moment.
  ///
  /// - Parameter deadline: When the process has to have ended.
  package func finish(by deadline: EndDeadline? = nil) {
    let end = self.end.withLock { end in
      let limit = min(Self.endTimeout, deadline?.left(for: .log) ?? Self.endTimeout)
      let instant = end ?? .now + limit
      end = instant
      return instant
    }
    self.finish(within: max(.milliseconds(100), ContinuousClock.now.duration(to: end)))
  }

  /// - Returns: Whether everything was written within a time.
  @discardableResult
  func finish(within limit: Duration) -> Bool {
    let end = DispatchSemaphore(value: 0)
    self.queue.async { end.signal() }
    return end.wait(timeout: .now() + limit / .seconds(1)) == .success
  }

  private func writeWaiting() {
    while let lines = self.takeWaiting() { self.writeNow(lines) }
    let lostCount = self.contents.withLock { contents in
      defer { contents.lostCount = 0 }
      return contents.lostCount
    }
    if lostCount > 0 { self.onLoss(lostCount) }
    // Only now, because this thread must not wait for itself if that writes a line.
    self.contents.withLock { $0.isStuck = false }
  }

  /// - Returns: `nil` if nothing waits. Then the thread writes no more.
  private func takeWaiting() -> [UInt8]? {
    self.contents.withLock { contents in
      contents.isWriting = contents.waiting.isEmpty == false
      defer { contents.waiting = [] }
      return contents.isWriting ? contents.waiting : nil
    }
  }

  /// Whether a write of so many bytes would not wait.
  ///
  /// Source: pipe(7). A pipe or a socket that is ready takes so many bytes.
  private func takesAtOnce(_ count: Int) -> Bool {
    self.isPipe && count <= Int(PIPE_BUF) && self.awaitReadiness(0)
  }

  private func awaitReadiness(_ milliseconds: Int32) -> Bool {
    var file = pollfd(fd: self.descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&file, 1, milliseconds) != 0
  }

  /// The server goes on even if its log cannot be written.
  private func writeNow(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while rest.isEmpty == false {
      let count = rest.withUnsafeBytes {
        Foundation.write(self.descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      // Others may have made the descriptor non-blocking.
      if count < 0, errno == EAGAIN, self.awaitReadiness(-1) { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

/// Writes each message in one line, because what others have sent must not look like another message.
struct LogStream: TextOutputStream, Sendable {
  let writer: LogWriter

  /// - Parameter line: A message with its line end.
  func write(_ line: String) {
    let end = line.utf8.last == UInt8(ascii: "\n") ? 1 : 0
    let message = String(Substring(line.utf8.dropLast(end)))
    self.writer.write(Array("\(message.cut(to: LogWriter.textLimit).inOneLine)\n".utf8))
  }
}

extension LoggingSystem {
  /// Makes all loggers write to standard error, without waiting for whoever reads it. Call it once.
  ///
  /// - Parameters:
  ///   - level: The lowest level to log.
  ///   - isJSON: Whether each message is a JSON object; see ``JSONLogHandler``.
  package static func writeToStandardError(from level: Logger.Level, isJSON: Bool) {
    Self.bootstrap { label in
      var handler: any LogHandler =
        isJSON
        ? JSONLogHandler(label: label)
        : StreamLogHandler(label: label, stream: LogStream(writer: .standardError))
      handler.logLevel = level
      return handler
    }
  }
}
