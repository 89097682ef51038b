import Foundation
import ImmutableUI
import Logging
import NIOPosix
import Pictures
import TestSupport
import Testing

@testable import HTTPConnections
@testable import ImmutableServer

struct DiskAccessTests {
  @Test func `work beyond the limit is refused while the disk hangs`() async throws {
    let pool = NIOThreadPool(numberOfThreads: 1)
    pool.start()
    let (disk, begun) = (DiskAccess(pool, limit: 1), Transcript<Int>())
    let mayEnd = DispatchSemaphore(value: 0)
    async let first = disk.run {
      begun.append(1)
      mayEnd.wait()
      return 1
    }
    await begun.wait { $0 == [1] }

    await #expect(throws: DiskAccess.Exhausted.self) { try await disk.run { 2 } }

    mayEnd.signal()
    #expect(try await first == 1)
    #expect(try await disk.run { 3 } == 3)
    try await pool.shutdownGracefully()
  }

  @Test(.timeLimit(.minutes(1))) func `work that others do counts too`() async throws {
    let (disk, gate, begun) = (DiskAccess(.singleton, limit: 1), Gate(), Transcript<Int>())
    async let first = disk.admit {
      begun.append(1)
      await gate.wait()
      return 1
    }
    await begun.wait { $0 == [1] }

    await #expect(throws: DiskAccess.Exhausted.self) { try await disk.run { 2 } }
    await #expect(throws: DiskAccess.Exhausted.self) { try await disk.admit { 3 } }

    gate.open()
    #expect(try await first == 1)
  }

  /// Otherwise many more than the limit could wait for a disk that hangs.
  @Test func `the limit of uploads is checked without the disk`() async throws {
    var file = UploadedFile(
      field: "picture", limit: 1_000_000,
      store: PictureStore(
        reopening: URL(filePath: "/nonexistent"),
        limits: PictureStore.Limits(uploadsPerClient: 0)),
      client: "client", disk: DiskAccess(.singleton, limit: 0), logger: Logger(label: "test"))

    await file.append([1])
    let result = await file.finish()

    let message =
      "Too many pictures are being sent from your network at once. Wait until one has arrived."
    #expect(result == .failure(Refusal(.conflict, message, fields: ["picture": message])))
  }

  @Test func `an upload that the disk cannot take now is sent again later`() async throws {
    var file = UploadedFile(
      field: "picture", limit: 1_000,
      store: PictureStore(reopening: URL(filePath: "/nonexistent")), client: "client",
      disk: DiskAccess(.singleton, limit: 0), logger: Logger(label: "test"))

    await file.append([1])
    let result = await file.finish()

    let message = "Too many pictures are being sent at once. Try again in a moment."
    #expect(result == .failure(Refusal(.unavailable, message, fields: ["picture": message])))
  }
}
