import Dispatch
import Foundation
package import Logging
import Synchronization

/// Writes the lines of a log. Whoever logs does not wait for whoever reads the log: a pipe that nobody
/// reads, or a disk that hangs, would hold one thread after another.
///
/// A line is written at once if that takes no time, so that it is not missing if the process crashes
/// afterwards. Otherwise it waits in memory, and a thread writes it.
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
  }

  private static let limit = 1 << 20

  private let descriptor: Int32
  /// Whether it is a pipe or a socket. Nobody knows whether a write to anything else waits, for example for
  /// a disk.
  private let isPipe: Bool
  private let onLoss: @Sendable (Int) -> Void
  private let contents = Mutex(Contents())
  private let queue = DispatchQueue(label: "LogWriter")

  /// - Parameters:
  ///   - descriptor: The open file.
  ///   - onLoss: Receives how many lines were lost, once lines can be written again.
  init(_ descriptor: Int32, onLoss: @escaping @Sendable (Int) -> Void) {
    var status = stat()
    self.isPipe =
      fstat(descriptor, &status) == 0 && [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    self.descriptor = descriptor
    self.onLoss = onLoss
  }

  /// - Parameter line: Complete lines.
  package func write(_ line: [UInt8]) {
    self.contents.withLock { contents in
      guard contents.isWriting || self.takesAtOnce(line.count) == false else {
        return self.writeNow(line)
      }
      guard contents.waiting.isEmpty || contents.waiting.count + line.count <= Self.limit else {
        contents.lostCount += 1
        return
      }
      contents.waiting += line
      guard contents.isWriting == false else { return }
      contents.isWriting = true
      self.queue.async { self.writeWaiting() }
    }
  }

  /// Waits until everything has been written. Call it before the process ends.
  package func finish(within limit: Duration = .milliseconds(100)) {
    let end = DispatchSemaphore(value: 0)
    self.queue.async { end.signal() }
    _ = end.wait(timeout: .now() + limit / .seconds(1))
  }

  private func writeWaiting() {
    while let lines = self.takeWaiting() { self.writeNow(lines) }
    let lostCount = self.contents.withLock { contents in
      defer { contents.lostCount = 0 }
      return contents.lostCount
    }
    if lostCount > 0 { self.onLoss(lostCount) }
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

/// Standard error, for a handler of log messages.
package struct LogStream: TextOutputStream, Sendable {
  package init() {}

  package func write(_ line: String) {
    LogWriter.standardError.write(Array(line.utf8))
  }
}

extension StreamLogHandler {
  /// Writes to standard error, but does not wait for it.
  package static func toStandardError(label: String) -> StreamLogHandler {
    StreamLogHandler(label: label, stream: LogStream())
  }
}
