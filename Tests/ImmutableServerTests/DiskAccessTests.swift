import Foundation
import ImmutableUI
import Logging
import NIOPosix
import TestSupport
import Testing

@testable import HTTPConnections
@testable import ImmutableServer
@testable import Pictures

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

  @Test(.timeLimit(.minutes(5))) func `work that others do counts too`() async throws {
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
        reopening: URL(filePath: "/dev/null/pictures"),
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
      store: PictureStore(reopening: URL(filePath: "/dev/null/pictures")), client: "client",
      disk: DiskAccess(.singleton, limit: 0), logger: Logger(label: "test"))

    await file.append([1])
    let result = await file.finish()

    let message = "Too many pictures are being sent at once. Try again in a moment."
    #expect(result == .failure(Refusal(.unavailable, message, fields: ["picture": message])))
  }

  /// The answer waited for the removal of what was already on disk.
  @Test(.timeLimit(.minutes(5)))
  func `an upload that a hanging disk cannot take is refused at once`() async throws {
    let folder = URL.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (gate, begun) = (Gate(), Transcript<Int>())
    let disk = DiskAccess(.singleton, limit: 1)
    let store = try PictureStore(directory: folder)
    var file = UploadedFile(
      field: "picture", limit: 1_000_000, store: store, client: "client", disk: disk,
      logger: Logger(label: "test"))
    await file.append(Array(repeating: 1, count: 64 << 10))
    async let other: Void = disk.admit {
      begun.append(1)
      await gate.wait()
    }
    await begun.wait { $0 == [1] }
    store.disk.isSuspended = true

    await file.append(Array(repeating: 2, count: 64 << 10))
    let result = await file.finish()

    let message = "Too many pictures are being sent at once. Try again in a moment."
    #expect(result == .failure(Refusal(.unavailable, message, fields: ["picture": message])))
    store.disk.isSuspended = false
    gate.open()
    try await other
    await store.onDisk {}
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
