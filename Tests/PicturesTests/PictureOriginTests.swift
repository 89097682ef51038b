import Foundation
import Pictures
import Synchronization
import TestSupport
import Testing

/// Two stores with one origin.
struct PictureOriginTests {
  private final class Origin: PictureOrigin {
    let pictures = Mutex<[String: Data]>([:])
    let isAway = Mutex(false)
    let fetchCount = Mutex(0)

    func keep(_ picture: Picture, _ file: URL) async throws {
      try self.check()
      let data = try Data(contentsOf: file)
      self.pictures.withLock { $0[picture.hash] = data }
    }

    func fetch(
      _ hash: String,
      _ write: @Sendable (Data) async throws -> Void
    ) async throws -> Bool {
      try self.check()
      self.fetchCount.withLock { $0 += 1 }
      // Others come meanwhile.
      for _ in 0..<100 { await Task.yield() }
      guard let data = self.pictures.withLock({ $0[hash] }) else { return false }
      for start in stride(from: 0, to: data.count, by: 7) {
        try await write(data.dropFirst(start).prefix(7))
      }
      return true
    }

    private func check() throws {
      if self.isAway.withLock({ $0 }) { throw CocoaError(.fileReadUnknown) }
    }
  }

  private let folders: [TemporaryFolder]
  private let origin = Origin()
  private let stores: [PictureStore]

  init() throws {
    let (folders, origin) = (try [TemporaryFolder(), TemporaryFolder()], self.origin)
    self.folders = folders
    self.stores = try folders.map { try PictureStore(directory: $0.url, origin: origin) }
  }

  private func upload(_ bytes: [UInt8]) async throws -> Picture {
    let upload = try self.stores[0].upload()
    try upload.write(bytes)
    return try await self.stores[0].keep(upload).get()
  }

  @Test(arguments: [Sample.png(640, 480), Sample.gif(64, 48), Sample.lossyWebP(640, 480)])
  func `a picture uploaded to one server can be obtained by another`(_ bytes: [UInt8]) async throws
  {
    let picture = try await self.upload(bytes)

    try await self.stores[1].obtain(picture.hash)
    // What is here is asked for nowhere.
    self.origin.isAway.withLock { $0 = true }
    try await self.stores[1].obtain(picture.hash)

    let (kept, obtained) = (
      try self.stores[0].open(picture.hash), try self.stores[1].open(picture.hash)
    )
    #expect(try kept.read(0, kept.count) == obtained.read(0, obtained.count))
    #expect(self.stores[1].bytes == kept.count)
  }

  @Test func `concurrent requests for a picture fetch it once`() async throws {
    let picture = try await self.upload(Sample.png(640, 480))
    let store = self.stores[1]

    try await withThrowingTaskGroup { group in
      for _ in 0..<200 { group.addTask { try await store.obtain(picture.hash) } }
      try await group.waitForAll()
    }

    #expect(self.origin.fetchCount.withLock { $0 } == 1)
    #expect(store.uploadCount == 0)
  }

  /// Answers nothing until its gate is opened.
  private final class StuckOrigin: PictureOrigin {
    let gate = Gate()
    let asked = AsyncStream.makeStream(of: String.self)

    func keep(_ picture: Picture, _ file: URL) async throws {
      self.asked.continuation.yield(picture.hash)
      await self.gate.wait()
    }

    func fetch(
      _ hash: String,
      _ write: @Sendable (Data) async throws -> Void
    ) async throws -> Bool {
      self.asked.continuation.yield(hash)
      await self.gate.wait()
      return false
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `an upload counts until the origin has its picture`() async throws {
    let origin = StuckOrigin()
    let store = try PictureStore(
      directory: try #require(self.folders.first).url.appending(path: "other"),
      limits: PictureStore.Limits(uploads: 1), origin: origin)
    let upload = try store.upload()
    try upload.write(Sample.gif(1, 1))
    let keeping = Task { try await store.keep(upload) }
    var asked = origin.asked.stream.makeAsyncIterator()
    _ = await asked.next()

    let busy = #expect(throws: PictureStoreError.self) { try store.upload() }
    origin.gate.open()
    _ = try await keeping.value.get()

    #expect(busy?.code == .busy)
    #expect(store.uploadCount == 0)
  }

  @Test func `concurrent fetches are limited`() async throws {
    let origin = StuckOrigin()
    let store = try PictureStore(
      directory: try #require(self.folders.first).url.appending(path: "other"),
      limits: PictureStore.Limits(uploads: 2), origin: origin)
    let hashes = ["0", "1", "2"].map { String(repeating: $0, count: 64) }
    let fetches = hashes[..<2].map { hash in Task { try? await store.obtain(hash) } }
    var asked = origin.asked.stream.makeAsyncIterator()
    for _ in fetches { _ = await asked.next() }

    let busy = await #expect(throws: PictureStoreError.self) { try await store.obtain(hashes[2]) }
    origin.gate.open()
    for fetch in fetches { await fetch.value }
    let missing = await #expect(throws: PictureStoreError.self) {
      try await store.obtain(hashes[2])
    }

    #expect((busy?.code, missing?.code) == (.busy, .notFound))
  }

  @Test(.timeLimit(.minutes(5)))
  func `a fetch that takes too long fails, and counts until it has ended`() async throws {
    let origin = StuckOrigin()
    let store = try PictureStore(
      directory: try #require(self.folders.first).url.appending(path: "other"),
      limits: PictureStore.Limits(uploads: 1, fetchTimeout: .zero), origin: origin)
    let hashes = ["0", "1"].map { String(repeating: $0, count: 64) }

    let late = await #expect(throws: PictureStoreError.self) { try await store.obtain(hashes[0]) }
    let again = await #expect(throws: PictureStoreError.self) { try await store.obtain(hashes[0]) }
    let busy = await #expect(throws: PictureStoreError.self) { try await store.obtain(hashes[1]) }

    #expect([late?.code, again?.code, busy?.code] == [.originAway, .originAway, .busy])
    origin.gate.open()
  }

  @Test(.timeLimit(.minutes(5))) func `a fetch that takes too long is cancelled`() async throws {
    let origin = DrippingOrigin()
    let store = try PictureStore(
      directory: try #require(self.folders.first).url.appending(path: "other"),
      limits: PictureStore.Limits(fetchTimeout: .zero), origin: origin)

    let late = await #expect(throws: PictureStoreError.self) {
      try await store.obtain(String(repeating: "0", count: 64))
    }
    for await _ in origin.cancelled.stream {}

    #expect(late?.code == .originAway)
  }

  /// Sends a byte from time to time, for ever.
  private final class DrippingOrigin: PictureOrigin {
    let cancelled = AsyncStream.makeStream(of: Never.self)

    func keep(_ picture: Picture, _ file: URL) async throws {}

    func fetch(
      _ hash: String,
      _ write: @Sendable (Data) async throws -> Void
    ) async throws -> Bool {
      defer { self.cancelled.continuation.finish() }
      while true {
        try Task.checkCancellation()
        try await write(Data([0]))
      }
    }
  }

  @Test func `an upload is not kept while the origin is away`() async throws {
    self.origin.isAway.withLock { $0 = true }

    let error = await #expect(throws: PictureStoreError.self) {
      try await self.upload(Sample.png(640, 480))
    }

    #expect(error?.code == .originAway)
    #expect(self.stores[0].uploadCount == 0)
  }

  @Test func `a picture that could not be shared is held for no post`() async throws {
    let folder = try TemporaryFolder()
    let store = try PictureStore(
      directory: folder.url, limits: PictureStore.Limits(grace: 0), origin: self.origin)
    self.origin.isAway.withLock { $0 = true }
    let upload = try store.upload()
    try upload.write(Sample.png(640, 480))

    await #expect(throws: PictureStoreError.self) {
      try await store.keep(upload, isHeld: true)
    }

    #expect(try await store.removeUnused { _ in [] } == 1)
  }

  @Test func `a missing picture is not found, and an unreachable origin is reported`()
    async throws
  {
    let hash = String(repeating: "0", count: 64)
    let missing = await #expect(throws: PictureStoreError.self) {
      try await self.stores[1].obtain(hash)
    }
    self.origin.isAway.withLock { $0 = true }
    let away = await #expect(throws: PictureStoreError.self) {
      try await self.stores[1].obtain(hash)
    }

    #expect((missing?.code, away?.code) == (.notFound, .originAway))
    #expect(try self.folders[1].names == [])
    #expect((self.stores[1].bytes, self.stores[1].uploadCount) == (0, 0))
  }

  @Test func `a picture from the origin with another hash is rejected`() async throws {
    let picture = try await self.upload(Sample.png(640, 480))
    self.origin.pictures.withLock { $0[picture.hash] = Data(Sample.gif(64, 48)) }

    let error = await #expect(throws: PictureStoreError.self) {
      try await self.stores[1].obtain(picture.hash)
    }

    #expect(error?.code == .notFound)
    #expect(throws: PictureStoreError.self) { try self.stores[1].open(picture.hash) }
  }
}
