import Dispatch
import Synchronization

/// Something on a disk that may not be available yet. Each operation on it tries to open it until it
/// is open.
final class Reopening<Opened: Sendable>: Sendable {
  private let openIt: @Sendable () throws -> Opened
  private let check: @Sendable (Opened) throws -> Void
  private let opened: Mutex<Opened?> = Mutex(nil)
  private let isClosed = Atomic(false)
  /// The tasks that wait until it is open; `nil` once it is. Bounded by the number of tasks that
  /// follow changes.
  private let waiting = Mutex<Set<AsyncStream<Never>.Continuation>?>([])
  /// Where operations open it. That may wait for a lock or a disk, so it must not block threads of
  /// Swift's pool.
  private let opening = DispatchQueue(label: "Reopening.opening")
  private let checking: DiskCheck

  /// - Parameters:
  ///   - open: Opens it.
  ///   - patience: How long to wait for a check, longer than for a lock (2 s).
  ///   - check: Throws if it was open and has lost its files.
  init(
    _ open: @escaping @Sendable () throws -> Opened,
    patience: Duration = .seconds(5),
    check: @escaping @Sendable (Opened) throws -> Void = { _ in }
  ) {
    self.openIt = open
    self.checking = DiskCheck(patience: patience)
    self.check = check
  }

  /// Why it cannot be used; `nil` if it can. Tries to open it, unless that is in progress.
  var obstacle: String? {
    get async { await self.checking.obstacle { self.obstacleNow } }
  }

  private var obstacleNow: String? {
    do {
      let isOpen = self.waiting.withLock { $0 == nil }
      let opened =
        try isOpen ? self.openNow() : self.opened.withLockIfAvailable { try self.open(&$0) }
      guard let opened else { return "It is being opened." }
      // Without the lock: the check may wait for a disk, and operations need not wait for the check.
      try self.check(opened)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// From now on, it is not opened any more. This waits for an attempt in progress.
  ///
  /// - Returns: What is open; `nil` if nothing is.
  func close() -> Opened? {
    self.isClosed.store(true, ordering: .sequentiallyConsistent)
    return self.opened.withLock(\.self)
  }

  /// - Throws: ``LocalStoreError``, `closed`.
  func requireOpen() throws {
    guard self.isClosed.load(ordering: .sequentiallyConsistent) == false else {
      throw LocalStoreError(code: .closed)
    }
  }

  func open() async throws -> Opened {
    try self.requireOpen()
    if let opened = self.opened.withLockIfAvailable(\.self) ?? nil { return opened }
    return try await withCheckedThrowingContinuation { continuation in
      self.opening.async { continuation.resume(with: Result { try self.openNow() }) }
    }
  }

  @discardableResult func openNow() throws -> Opened {
    try self.opened.withLock { try self.open(&$0) }
  }

  private func open(_ opened: inout Opened?) throws -> Opened {
    try self.requireOpen()
    if let opened { return opened }
    let new = try self.openIt()
    opened = new
    let tasks = self.waiting.withLock { $0.take() }
    for task in tasks ?? [] { task.finish() }
    return new
  }

  /// Waits until something else has opened it. Following changes does not open it, because each
  /// attempt may take seconds.
  func whenOpen() async throws -> Opened {
    // Each task has a stream of its own, because a cancellation ends a stream.
    let (stream, task) = AsyncStream<Never>.makeStream()
    let isOpen = self.waiting.withLock { waiting in
      waiting?.insert(task)
      return waiting == nil
    }
    if isOpen { task.finish() }
    defer { self.waiting.withLock { _ = $0?.remove(task) } }
    for await _ in stream {}
    try Task.checkCancellation()
    return try await self.open()
  }
}
