import Dispatch
import Synchronization

/// Checks something on a disk, on a thread of its own. A disk that hangs holds this one thread, however
/// often somebody asks. There is one check at a time, and who asks during a check gets its answer.
package final class DiskCheck: Sendable {
  private let queue = DispatchQueue(label: "DiskCheck")
  /// Those who wait for the check in progress; `nil` if there is none. Bounded by the number of
  /// requests, which wait for ``patience``.
  private let asking = Mutex<Set<AsyncStream<String?>.Continuation>?>(nil)
  private let patience: Duration

  /// - Parameter patience: How long to wait for a check, longer than for the lock of a database (2 s).
  package init(patience: Duration = .seconds(5)) {
    self.patience = patience
  }

  /// - Parameter check: Returns why something cannot be used; `nil` if it can.
  /// - Returns: Its answer, or that the disk may hang.
  package func obstacle(_ check: @escaping @Sendable () -> String?) async -> String? {
    let (answers, asker) = AsyncStream<String?>.makeStream()
    let isFirst = self.asking.withLock { asking in
      defer { asking = (asking ?? []).union([asker]) }
      return asking == nil
    }
    defer { self.asking.withLock { _ = $0?.remove(asker) } }
    if isFirst {
      self.queue.async {
        let obstacle = check()
        for asker in self.asking.withLock({ $0.take() }) ?? [] { asker.yield(obstacle) }
      }
    }
    let timer = Task {
      try? await Task.sleep(for: self.patience)
      asker.finish()
    }
    defer { timer.cancel() }
    return await answers.first { _ in true }
      ?? "It could not be checked within \(self.patience). Its disk may hang."
  }
}
