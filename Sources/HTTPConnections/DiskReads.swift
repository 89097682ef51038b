import NIOPosix
import Synchronization

/// Reads files on the threads of a pool. Only so many reads can wait: while a disk hangs, those of
/// clients that have disconnected would take more and more memory.
package final class DiskReads: Sendable {
  package static let shared = DiskReads(.singleton)

  private let pool: NIOThreadPool
  private let limit: Int
  /// The number of reads that wait or are in progress.
  private let count = Atomic(0)

  init(_ pool: NIOThreadPool, limit: Int = 10_000) {
    self.pool = pool
    self.limit = limit
  }

  /// - Throws: ``Exhausted`` if too many reads wait; otherwise what `read` throws.
  package func run<Value: Sendable>(
    _ read: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    defer { self.count.wrappingSubtract(1, ordering: .relaxed) }
    guard self.count.wrappingAdd(1, ordering: .relaxed).newValue <= self.limit else {
      throw Exhausted()
    }
    return try await self.pool.runIfActive(read)
  }

  /// Too many reads wait. The disk may hang.
  package struct Exhausted: Error {}
}
