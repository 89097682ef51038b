/// Appends the entries of one server, many in a transaction: while one transaction runs, what comes
/// meanwhile forms the next.
///
/// ```swift
/// let queue = AppendQueue(log)
/// let answer = try await queue.append(AppendRequest(entry))
/// ```
public actor AppendQueue {
  /// So that a transaction ends soon, whatever the size of its entries.
  private static let batchCount = 1_000

  private struct Waiting {
    let request: AppendRequest
    let continuation: CheckedContinuation<AppendAnswer, any Error>
  }

  private let log: any ActionLog
  /// Oldest first. Bounded by ``LogLimits/queueBytes``, together with what is being appended.
  private var waiting: [Waiting] = []
  private var bytes = 0
  private var isAppending = false

  public init(_ log: some ActionLog) {
    self.log = log
  }

  /// How many entries wait besides those that are being appended.
  package var waitingCount: Int { self.waiting.count }

  /// Appends an entry. Entries are appended in the order of calls.
  ///
  /// - Throws: ``ActionLogError``: `queueFull`, `tooLarge` or `invalidName`, and then nothing was
  ///   appended; or what ``ActionLog/append(_:)`` throws.
  /// - Complexity: O(1), besides the log's.
  public func append(_ request: AppendRequest) async throws -> AppendAnswer {
    let limits = self.log.limits
    try limits.check(request.entry)
    guard self.bytes + request.bytes <= limits.queueBytes else {
      throw ActionLogError(
        code: .queueFull,
        message: "More than \(limits.queueBytes) bytes wait to be written to the log. "
          + "Try again when it is faster."
      )
    }
    self.bytes += request.bytes
    return try await withCheckedThrowingContinuation { continuation in
      self.waiting.append(Waiting(request: request, continuation: continuation))
      guard self.isAppending == false else { return }
      self.isAppending = true
      Task { await self.appendAll() }
    }
  }

  private func appendAll() async {
    while self.waiting.isEmpty == false {
      let batch = self.nextBatch()
      let requests = batch.map(\.request)
      let result: Result<[AppendAnswer], any Error>
      do { result = .success(try await self.log.append(requests)) } catch {
        result = .failure(error)
      }
      self.bytes -= requests.reduce(0) { $0 + $1.bytes }
      for (index, waiting) in batch.enumerated() {
        waiting.continuation.resume(with: result.map { $0[index] })
      }
    }
    self.isAppending = false
  }

  private func nextBatch() -> [Waiting] {
    var bytes = 0
    let count = self.waiting.prefix(Self.batchCount).prefix { waiting in
      defer { bytes += waiting.request.bytes }
      return bytes == 0 || bytes + waiting.request.bytes <= self.log.limits.batchBytes
    }.count
    defer { self.waiting.removeFirst(count) }
    return Array(self.waiting.prefix(count))
  }
}

extension AppendRequest {
  /// What it takes while it waits.
  fileprivate var bytes: Int { self.entry.bytes + 512 }
}
