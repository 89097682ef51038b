import NIOPosix
import Synchronization

/// Reads and writes files on the threads of a pool. Only so much work can wait: while a disk hangs,
/// that of clients that have disconnected would take more and more memory.
package final class DiskAccess: Sendable {
  package static let shared = DiskAccess(.singleton)

  private let pool: NIOThreadPool
  private let limit: Int
  /// How much work waits or is in progress.
  private let count = Atomic(0)

  init(_ pool: NIOThreadPool, limit: Int = 10_000) {
    self.pool = pool
    self.limit = limit
  }

  /// - Throws: ``Exhausted`` if too much work waits; otherwise what `work` throws.
  package func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await self.admit { try await self.pool.runIfActive(work) }
  }

  /// Waits for other work that waits for a disk, and counts like the work that is run here.
  ///
  /// - Throws: ``Exhausted`` if too much work waits; otherwise what `work` throws.
  package func admit<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    defer { self.count.wrappingSubtract(1, ordering: .relaxed) }
    guard self.count.wrappingAdd(1, ordering: .relaxed).newValue <= self.limit else {
      throw Exhausted()
    }
    return try await work()
  }

  /// Too much work waits. The disk may hang.
  package struct Exhausted: Error {}
}
