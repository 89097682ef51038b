import Dispatch
import Foundation

/// The queue of a session's delegate. A session that is ahead of its delegate waits.
///
/// A session decompresses what it receives, and adds an operation for each 16 kB. With an ordinary
/// queue, a megabyte that becomes a gigabyte is in memory before the delegate can end it.
///
/// `OperationQueue` is `@unchecked Sendable`, which a subclass must restate. This one adds no mutable
/// state.
final class NarrowQueue: OperationQueue, @unchecked Sendable {
  /// The maximum number of operations that wait.
  private static let limit = 64

  private let room = DispatchSemaphore(value: NarrowQueue.limit)

  override init() {
    super.init()
    self.maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    self.room.wait()
    super.addOperation {
      block()
      self.room.signal()
    }
  }
}
