public import ImmutableData
import Synchronization

/// Appends the entries of one server in batches: the entries that arrive while a transaction runs
/// form the next one.
///
/// ```swift
/// let queue = AppendQueue(log)
/// let answer = try await queue.append(AppendRequest(entry))
/// ```
public final class AppendQueue: Sendable {
  public typealias OnAnswer = @Sendable (Result<AppendAnswer, any Error>) -> Void

  /// Keeps transactions short, whatever the size of their entries.
  private static let batchCount = 1_000

  fileprivate struct Waiting: Sendable {
    let request: AppendRequest
    /// Whether it is retried until the log can be reached.
    let isPersistent: Bool
    let onAnswer: OnAnswer
  }

  private struct Contents {
    /// Oldest first. Bounded by ``LogLimits/queueBytes``, except for persistent entries.
    var waiting: [Waiting] = []
    /// The size of these entries and of those that are being appended.
    var bytes = 0
    var isAppending = false
  }

  private let log: any ActionLog
  private let backoff: Backoff
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - log: Where the entries go.
  ///   - backoff: The pauses while the log cannot be reached.
  public init(
    _ log: any ActionLog,
    backoff: Backoff = Backoff(base: .milliseconds(100), limit: .seconds(2))
  ) {
    self.log = log
    self.backoff = backoff
  }

  /// Waits until everything was appended.
  ///
  /// - Parameter limit: How long at most. It ends earlier if the task is cancelled.
  /// - Returns: Whether everything was appended in time.
  public func finish(within limit: Duration) async -> Bool {
    let deadline = ContinuousClock.now + limit
    while self.contents.withLock({ $0.isAppending }) {
      guard ContinuousClock.now < deadline, Task.isCancelled == false else { return false }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return true
  }

  /// Appends an entry. Entries are appended in the order of calls.
  ///
  /// - Throws: ``ActionLogError``: `queueFull`, `tooLarge` or `invalidName`, in which case nothing
  ///   was appended; or the errors of ``ActionLog/append(_:)``.
  /// - Complexity: O(1), besides the log's.
  public func append(_ request: AppendRequest) async throws -> AppendAnswer {
    try await withCheckedThrowingContinuation { continuation in
      self.append(request) { continuation.resume(with: $0) }
    }
  }

  /// Appends an entry without waiting for the answer.
  ///
  /// - Parameters:
  ///   - request: The entry.
  ///   - isPersistent: Whether it is retried until the log can be reached, and never refused because
  ///     the queue is full. It is for the results of effects, which have already happened. The caller
  ///     must bound their number.
  ///   - onAnswer: Receives the result. It may be called before this returns.
  public func append(
    _ request: AppendRequest,
    isPersistent: Bool = false,
    onAnswer: @escaping OnAnswer
  ) {
    do {
      try self.log.limits.check(request.entry)
      try self.enqueue(Waiting(request: request, isPersistent: isPersistent, onAnswer: onAnswer))
    } catch {
      onAnswer(.failure(error))
    }
  }

  private func enqueue(_ waiting: Waiting) throws {
    let limit = self.log.limits.queueBytes
    let begins = try self.contents.withLock { contents in
      guard waiting.isPersistent || contents.bytes + waiting.request.bytes <= limit else {
        throw ActionLogError(
          code: .queueFull,
          message:
            "More than \(limit) bytes wait to be written to the log. Try again when it is faster."
        )
      }
      contents.waiting.append(waiting)
      contents.bytes += waiting.request.bytes
      defer { contents.isAppending = true }
      return contents.isAppending == false
    }
    // Detached, because it also appends what comes after this entry, and from others.
    if begins { Task.detached(executorPreference: self.log.appender) { await self.appendAll() } }
  }

  private func appendAll() async {
    var backoff = self.backoff
    while let batch = self.nextBatch() {
      do {
        let answers = try await self.log.append(batch.map(\.request))
        backoff.reset()
        self.didEnd(batch)
        for (waiting, answer) in zip(batch, answers) { waiting.onAnswer(.success(answer)) }
      } catch {
        let isAway = (error as? ActionLogError)?.code == .unavailable
        self.didEnd(batch, again: batch.filter { isAway && $0.isPersistent })
        for waiting in batch where isAway == false || waiting.isPersistent == false {
          waiting.onAnswer(.failure(error))
        }
        if isAway { try? await Task.sleep(for: backoff.next()) }
      }
    }
  }

  /// - Returns: `nil` if there is nothing to append; then this has ended.
  private func nextBatch() -> [Waiting]? {
    self.contents.withLock { contents in
      guard contents.waiting.isEmpty == false else {
        contents.isAppending = false
        return nil
      }
      var bytes = 0
      let count = contents.waiting.prefix(Self.batchCount).prefix { waiting in
        defer { bytes += waiting.request.bytes }
        return bytes == 0 || bytes + waiting.request.bytes <= self.log.limits.batchBytes
      }.count
      defer { contents.waiting.removeFirst(count) }
      return Array(contents.waiting.prefix(count))
    }
  }

  /// - Parameter again: The entries to retry before all others.
  private func didEnd(_ batch: [Waiting], again: [Waiting] = []) {
    self.contents.withLock { contents in
      contents.waiting.insert(contentsOf: again, at: 0)
      contents.bytes -= (batch.bytes - again.bytes)
    }
  }
}

extension AppendRequest {
  /// The memory that it takes while it waits.
  fileprivate var bytes: Int { self.entry.bytes + 512 }
}

extension Array where Element == AppendQueue.Waiting {
  fileprivate var bytes: Int { self.reduce(0) { $0 + $1.request.bytes } }
}
