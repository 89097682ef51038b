import Dispatch
import NIOPosix
import TestSupport
import Testing

@testable import HTTPConnections

struct DiskReadsTests {
  @Test func `reads beyond the limit are refused while the disk hangs`() async throws {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    let (reads, begun) = (DiskReads(pool, limit: 1), Transcript<Int>())
    let disk = DispatchSemaphore(value: 0)
    async let first = reads.run {
      begun.append(1)
      disk.wait()
      return 1
    }
    await begun.wait { $0 == [1] }

    await #expect(throws: DiskReads.Exhausted.self) { try await reads.run { 2 } }

    disk.signal()
    #expect(try await first == 1)
    #expect(try await reads.run { 3 } == 3)
    try await pool.shutdownGracefully()
  }
}
