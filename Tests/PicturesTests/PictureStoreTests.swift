import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Pictures

struct PictureStoreTests {
  private let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private func store(
    _ limits: PictureStore.Limits = PictureStore.Limits()
  ) throws -> PictureStore {
    try PictureStore(directory: self.folder.url, limits: limits)
  }

  @discardableResult
  private func keep(_ bytes: [UInt8], in store: PictureStore) async throws -> Picture {
    let upload = try store.upload()
    return try await upload.ending { () async throws(PictureStoreError) in
      for start in stride(from: 0, to: bytes.count, by: 7) {
        try upload.write(Array(bytes[start..<min(start + 7, bytes.count)]))
      }
      return try await store.keep(upload)
    }.get()
  }

  @Test func `a picture is read by the hash of its content`() async throws {
    let (store, bytes) = (try self.store(), Sample.png(640, 480))

    let picture = try await self.keep(bytes, in: store)
    let stored = try store.open(picture.hash)

    #expect(picture.description == "\(picture.hash)~image/png~640~480")
    #expect(try self.folder.names == [picture.hash])
    #expect((stored.count, stored.kind) == (bytes.count, .png))
    #expect(try stored.read(0, 100) == bytes)
    #expect(try stored.read(5, 3) == Array(bytes[5..<8]))
  }

  @Test func `a hash is a SHA-256`() async throws {
    let store = try self.store()

    let picture = try await self.keep(Sample.gif(1, 1), in: store)

    #expect(
      picture.hash == "c08f79affac974d0c787a60e8e07ec2434a587aa7a1aeaaf030a89792307c272")
  }

  @Test func `equal pictures are kept once`() async throws {
    let store = try self.store()

    let first = try await self.keep(Sample.gif(640, 480), in: store)
    let second = try await self.keep(Sample.gif(640, 480), in: store)

    #expect(first == second)
    #expect(try self.folder.names == [first.hash])
    #expect((store.bytes, store.uploadCount) == (Sample.gif(640, 480).count, 0))
  }

  @Test func `an upload that is not a picture leaves nothing behind`() async throws {
    let store = try self.store()
    var upload: PictureUpload? = try store.upload()
    try upload?.write(Array("<svg/>".utf8))

    let result = try await store.keep(#require(upload))
    upload = nil

    #expect(result == .failure(.unknown))
    #expect(try self.folder.names == [])
    #expect((store.bytes, store.uploadCount) == (0, 0))
  }

  @Test func `a picture with too many pixels is refused with that reason`() async throws {
    let store = try self.store()
    let upload = try store.upload()
    try upload.write(Sample.png(60_000, 60_000))

    #expect(try await store.keep(upload) == .failure(.tooManyPixels))
  }

  @Test func `an abandoned upload leaves nothing behind`() async throws {
    let store = try self.store()
    var upload: PictureUpload? = try store.upload()
    try upload?.write(Sample.png(640, 480))
    #expect(try self.folder.names.count == 1)

    upload = nil
    await store.onDisk {}

    #expect(try self.folder.names == [])
    #expect((store.bytes, store.uploadCount) == (0, 0))
  }

  /// Their files were removed on threads of Swift's pool.
  @Test(.timeLimit(.minutes(5)))
  func `uploads that are abandoned while the disk hangs block no threads`() async throws {
    let store = try self.store()
    let mayEnd = DispatchSemaphore(value: 0)
    store.disk.addOperation { mayEnd.wait() }

    for _ in 0..<50 {
      await Task { try? store.upload().write([1]) }.value
    }
    let (names, count) = (try self.folder.names.count, store.uploadCount)
    mayEnd.signal()
    await store.onDisk {}

    #expect((names, count) == (50, 50))
    #expect(try self.folder.names == [])
    #expect((store.bytes, store.uploadCount) == (0, 0))
  }

  @Test func `an upload begins without the disk`() throws {
    let file = self.folder.url.appending(component: "file")
    try Data().write(to: file)
    let store = PictureStore(reopening: file.appending(component: "pictures"))

    let upload = try store.upload()

    let error = #expect(throws: PictureStoreError.self) { try upload.write([1]) }
    #expect(error?.code == .inputOutput)
    #expect((store.bytes, upload.count) == (0, 0))
  }

  @Test func `opening a store removes only what a crash left behind`() async throws {
    let picture = try await self.keep(Sample.png(640, 480), in: try self.store())
    try Data("half".utf8).write(to: self.folder.url.appending(component: "77.part"))
    try Data("mine".utf8).write(to: self.folder.url.appending(component: "notes.txt"))

    let store = try self.store()

    #expect(try self.folder.names == [picture.hash, "notes.txt"].sorted())
    #expect(store.bytes == Sample.png(640, 480).count)
  }

  @Test func `a folder has one store`() throws {
    let first = try self.store()

    let error = #expect(throws: PictureStoreError.self) { try self.store() }

    #expect(error?.code == .inUse)
    withExtendedLifetime(first) {}
  }

  @Test func `a folder that cannot be opened is opened later`() async throws {
    let other = try self.store()
    let store = PictureStore(reopening: self.folder.url)
    #expect(store.obstacle == "The folder with the pictures is in use by another process.")
    #expect(throws: PictureStoreError.self) { try store.upload().write([1]) }
    try other.opened().unlock()

    let picture = try await self.keep(Sample.gif(1, 1), in: store)

    #expect(store.obstacle == nil)
    #expect(try store.open(picture.hash).kind == .gif)
  }

  @Test func `a folder that replaces the one in use is counted and locked`() async throws {
    let directory = self.folder.url.appending(component: "pictures")
    let moved = self.folder.url.appending(component: "moved")
    let store = try PictureStore(directory: directory)
    let arriving = try store.upload()
    try arriving.write([1, 2, 3])
    let gif = try await self.keep(Sample.gif(1, 1), in: store)
    try await self.keep(Sample.png(640, 480), in: store)

    try FileManager.default.moveItem(at: directory, to: moved)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      at: moved.appending(component: gif.hash), to: directory.appending(component: gif.hash))
    let obstacle = store.obstacle

    #expect(obstacle == nil)
    #expect(store.bytes == Sample.gif(1, 1).count + 3)
    let error = #expect(throws: PictureStoreError.self) { try PictureStore(directory: directory) }
    #expect(error?.code == .inUse)
    // The other one is free.
    _ = try PictureStore(directory: moved)
    await arriving.end()
    #expect(store.bytes == Sample.gif(1, 1).count)
  }

  @Test func `a folder that is gone is not made again, and is used when it is back`() async throws {
    let directory = self.folder.url.appending(component: "pictures")
    let moved = self.folder.url.appending(component: "moved")
    let store = try PictureStore(directory: directory)
    let picture = try await self.keep(Sample.gif(1, 1), in: store)

    try FileManager.default.moveItem(at: directory, to: moved)

    #expect(store.obstacle?.contains("No such file or directory") == true)
    let refused = #expect(throws: PictureStoreError.self) { try store.upload().write([1]) }
    let unread = #expect(throws: PictureStoreError.self) { try store.open(picture.hash) }
    #expect((refused?.code, unread?.code) == (.inputOutput, .inputOutput))
    #expect(try self.folder.names == ["moved"])
    try FileManager.default.moveItem(at: moved, to: directory)
    #expect(store.obstacle == nil)
    #expect(try store.open(picture.hash).kind == .gif)
    try await self.keep(Sample.png(640, 480), in: store)
  }

  /// As when the folder is where a volume is mounted, and that is unmounted.
  @Test func `a folder on another volume is not used, and the first one is when it is back`()
    async throws
  {
    let link = self.folder.url.appending(component: "volume")
    let (here, elsewhere) = (
      self.folder.url.appending(component: "here"), URL(filePath: "/dev/shm/\(UUID())")
    )
    defer { try? FileManager.default.removeItem(at: elsewhere) }
    for volume in [here, elsewhere] {
      try FileManager.default.createDirectory(
        at: volume.appending(component: "pictures"), withIntermediateDirectories: true)
    }
    func mount(_ volume: URL) throws {
      try? FileManager.default.removeItem(at: link)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: volume)
    }
    try mount(here)
    let store = try PictureStore(directory: link.appending(component: "pictures"))
    let picture = try await self.keep(Sample.gif(1, 1), in: store)

    try mount(elsewhere)

    #expect(store.obstacle?.contains("is on another volume than before") == true)
    let refused = #expect(throws: PictureStoreError.self) { try store.upload().write([1]) }
    #expect(refused?.code == .inputOutput)
    let path = elsewhere.appending(component: "pictures").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == [])
    try mount(here)
    #expect(store.obstacle == nil)
    #expect(try store.open(picture.hash).kind == .gif)
  }

  @Test func `the total size of pictures is limited`() async throws {
    let (png, gif) = (Sample.png(640, 480).count, Sample.gif(640, 480).count)
    // An upload and what is kept of it are there at the same time.
    let store = try self.store(PictureStore.Limits(bytes: 2 * png + gif - 1))
    _ = try await self.keep(Sample.png(640, 480), in: store)

    _ = try await self.keep(Sample.gif(640, 480), in: store)
    let error = await #expect(throws: PictureStoreError.self) {
      try await self.keep(Sample.png(320, 240), in: store)
    }

    #expect(error?.code == .full)
    #expect((store.bytes, store.uploadCount) == (png + gif, 0))
  }

  @Test func `concurrent uploads are limited`() throws {
    let store = try self.store(PictureStore.Limits(uploads: 1))
    var upload: PictureUpload? = try store.upload()

    let error = #expect(throws: PictureStoreError.self) { try store.upload() }
    withExtendedLifetime(upload) {}
    upload = nil

    #expect(error?.code == .busy)
    #expect(throws: Never.self) { try store.upload() }
  }

  @Test func `each client gets only a share of the uploads`() throws {
    let store = try self.store(PictureStore.Limits(uploads: 4, uploadsPerClient: 2))
    var uploads = [try store.upload(of: "a"), try store.upload(of: "a")]

    let error = #expect(throws: PictureStoreError.self) { try store.upload(of: "a") }
    uploads.append(try store.upload(of: "b"))
    uploads.removeFirst()
    uploads.append(try store.upload(of: "a"))

    #expect(error?.code == .clientBusy)
    #expect(store.uploadCount == 3)
    uploads = []
    uploads += [try store.upload(of: "a"), try store.upload(of: "a")]
    #expect(store.uploadCount == 2)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an upload without a file ends at once while the disk hangs`() async throws {
    let store = try self.store()
    let upload = try store.upload(of: "a")
    store.disk.isSuspended = true

    await upload.end()

    #expect(store.uploadCount == 0)
    #expect(throws: PictureStoreError.self) { try upload.write([1]) }
    #expect(try self.folder.names == [])
  }

  /// One client's large pictures held up everybody else's.
  @Test(.timeLimit(.minutes(5))) func `the pictures of clients are decoded in turn`() async throws {
    let store = try self.store()
    store.workers.maxConcurrentOperationCount = 1
    store.workers.isSuspended = true
    let kept = Transcript<String>()
    let keeping = try ["a", "a", "a", "a", "b"].enumerated().map { index, client in
      let upload = try store.upload(of: client)
      try upload.write(Sample.png(640 + index, 480))
      return Task {
        _ = try await store.keep(upload)
        kept.append(client)
      }
    }
    // All wait, and the first one of each client has its turn.
    while store.contents.withLock({ $0.turns.values.reduce(0) { $0 + $1.count } }) < keeping.count
      || store.workers.operationCount < 2
    { await letOthersGoOn() }
    store.workers.isSuspended = false
    for task in keeping { try await task.value }

    #expect(try #require(kept.entries.firstIndex(of: "b")) <= 2)
    #expect(store.contents.withLock { $0.turns.isEmpty })
  }

  @Test(arguments: [
    "../notes.txt", "", "notes.txt", String(repeating: "a", count: 64),
    String(repeating: "A", count: 64),
  ])
  func `only pictures can be opened`(name: String) throws {
    let store = try self.store()
    try Data("mine".utf8).write(to: self.folder.url.appending(component: "notes.txt"))

    let error = #expect(throws: PictureStoreError.self) { try store.open(name) }

    #expect(error?.code == .notFound)
  }

  @Test func `a link is not followed`() throws {
    let store = try self.store()
    let hash = String(repeating: "a", count: 64)
    let target = self.folder.url.appending(component: "notes.png")
    try Data(Sample.png(1, 1)).write(to: target)
    try FileManager.default.createSymbolicLink(
      at: self.folder.url.appending(component: hash), withDestinationURL: target)

    let error = #expect(throws: PictureStoreError.self) { try store.open(hash) }

    #expect(error?.code == .notFound)
  }

  @Test func `unused pictures are removed, used ones are kept`() async throws {
    let store = try self.store(PictureStore.Limits(grace: 0))
    let used = try await self.keep(Sample.png(640, 480), in: store)
    _ = try await self.keep(Sample.gif(640, 480), in: store)

    let count = try await store.removeUnused { hashes in hashes.intersection([used.hash]) }

    #expect(count == 1)
    #expect(try self.folder.names == [used.hash])
    #expect(store.bytes == Sample.png(640, 480).count)
  }

  @Test func `a new picture is not removed, so that an undo can restore it`() async throws {
    let store = try self.store()
    let picture = try await self.keep(Sample.png(640, 480), in: store)

    let count = try await store.removeUnused { _ in [] }

    #expect(count == 0)
    #expect(try self.folder.names == [picture.hash])
  }

  /// It was kept, and counted against the limit, until that time came.
  @Test func `a picture used while the clock was ahead is used now`() async throws {
    let store = try self.store()
    let picture = try await self.keep(Sample.png(640, 480), in: store)
    let path = self.folder.url.appending(path: picture.hash).path(percentEncoded: false)
    let ahead = Date.now + 86_400
    try FileManager.default.setAttributes([.modificationDate: ahead], ofItemAtPath: path)

    let count = try await store.removeUnused { _ in [] }

    let changed = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    #expect(count == 0)
    #expect(try #require(changed) < ahead - 3_600)
  }

  @Test func `a picture used until now is kept, although it was uploaded long ago`()
    async throws
  {
    let store = try self.store()
    let used = try await self.keep(Sample.png(640, 480), in: store)
    let unused = try await self.keep(Sample.gif(640, 480), in: store)
    for hash in [used.hash, unused.hash] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date.now - 7_200],
        ofItemAtPath: self.folder.url.appending(path: hash).path(percentEncoded: false)
      )
    }

    let first = try await store.removeUnused { hashes in hashes.intersection([used.hash]) }
    let second = try await store.removeUnused { _ in [] }

    #expect((first, second) == (1, 0))
    #expect(try self.folder.names == [used.hash])
  }

  // Pictures of posts.

  private func hold(_ bytes: [UInt8], in store: PictureStore) async throws -> Picture {
    let upload = try store.upload()
    try upload.write(bytes)
    return try await store.keep(upload, isHeld: true).get()
  }

  /// Runs a body while the store knows which pictures are used.
  private func knowingUsed<Value>(
    _ used: Set<String> = [],
    in store: PictureStore,
    onAsk: @escaping @Sendable (Set<String>) async throws -> Void = { _ in },
    onError: @escaping @Sendable (any Error) -> Void = { _ in },
    _ body: () async throws -> Value
  ) async throws -> Value {
    let (asked, continuation) = AsyncStream.makeStream(of: Void.self)
    let removing = Task {
      await store.keepRemovingUnused { hashes in
        continuation.yield()
        try await onAsk(hashes)
        return hashes.intersection(used)
      } onError: { error in
        onError(error)
      }
    }
    defer { removing.cancel() }
    // It asks about the pictures that are here, so there must be one.
    for await _ in asked { break }
    return try await body()
  }

  private func age(_ picture: Picture, by seconds: Double) throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date.now - seconds],
      ofItemAtPath: self.folder.url.appending(path: picture.hash).path(percentEncoded: false)
    )
  }

  @Test func `a picture that is uploaded again is kept like a new one`() async throws {
    let store = try self.store()
    let picture = try await self.keep(Sample.png(640, 480), in: store)
    try self.age(picture, by: 7_200)

    try await self.keep(Sample.png(640, 480), in: store)

    #expect(try await store.removeUnused { _ in [] } == 0)
  }

  @Test func `a picture is kept like a new one from when its post is accepted`() async throws {
    let store = try self.store()
    let picture = try await self.hold(Sample.png(640, 480), in: store)
    try self.age(picture, by: 7_200)

    await store.release([picture], wasRefused: false)

    #expect(try await store.removeUnused { _ in [] } == 0)
  }

  @Test func `the picture of a refused post is removed`() async throws {
    let store = try self.store()
    let other = try await self.keep(Sample.gif(64, 48), in: store)

    try await self.knowingUsed(in: store) {
      let picture = try await self.hold(Sample.png(640, 480), in: store)
      await store.release([picture], wasRefused: true)
    }

    #expect(try self.folder.names == [other.hash])
    #expect(store.bytes == Sample.gif(64, 48).count)
  }

  @Test func `the picture of a refused post stays if it was here before`() async throws {
    let store = try self.store()
    let picture = try await self.keep(Sample.png(640, 480), in: store)

    try await self.knowingUsed(in: store) {
      let same = try await self.hold(Sample.png(640, 480), in: store)
      await store.release([same], wasRefused: true)
    }

    #expect(try self.folder.names == [picture.hash])
  }

  @Test func `the picture of a refused post stays if an animal uses it`() async throws {
    let store = try self.store()
    let picture = try await self.hold(Sample.png(640, 480), in: store)

    try await self.knowingUsed([picture.hash], in: store) {
      await store.release([picture], wasRefused: true)
    }

    #expect(try self.folder.names == [picture.hash])
  }

  @Test(arguments: [[true, false], [false, true], [true, true]])
  func `a picture of several posts stays if one of them was accepted`(refused: [Bool]) async throws
  {
    let store = try self.store()
    let other = try await self.keep(Sample.gif(64, 48), in: store)

    let picture = try await self.knowingUsed(in: store) {
      let first = try await self.hold(Sample.png(640, 480), in: store)
      let second = try await self.hold(Sample.png(640, 480), in: store)
      await store.release([first], wasRefused: refused[0])
      #expect(throws: Never.self) { try store.open(first.hash) }
      await store.release([second], wasRefused: refused[1])
      return first
    }

    let names = refused.contains(false) ? [picture.hash, other.hash] : [other.hash]
    #expect(try self.folder.names == names.sorted())
  }

  @Test func `a picture stays if a post with it is accepted while its use is looked up`()
    async throws
  {
    let store = try self.store()
    let other = try await self.keep(Sample.gif(64, 48), in: store)
    let png = Sample.png(640, 480)
    let picture = try await self.hold(png, in: store)

    try await self.knowingUsed(in: store) { hashes in
      guard hashes == [picture.hash] else { return }
      let same = try await self.hold(png, in: store)
      await store.release([same], wasRefused: false)
    } _: {
      await store.release([picture], wasRefused: true)
    }

    #expect(try self.folder.names == [picture.hash, other.hash].sorted())
  }

  /// They waited on threads of Swift's pool, so a slow disk held up everything else.
  @Test(.timeLimit(.minutes(5))) func `posts that wait for the disk block no threads`() async throws
  {
    let store = try self.store()
    let picture = try await self.hold(Sample.png(640, 480), in: store)
    let (isWaiting, waits) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      store.files.withLock { _ in
        waits.finish()
        mayEnd.wait()
      }
    }
    for await _ in isWaiting {}

    let releases = (0..<1_000).map { _ in
      Task { await store.release([picture], wasRefused: false) }
    }
    await Task { _ = mayEnd.signal() }.value

    for release in releases { await release.value }
    #expect(try self.folder.names == [picture.hash])
  }

  @Test func `a picture of a post that has no answer yet is not removed`() async throws {
    let store = try self.store(PictureStore.Limits(grace: 0))
    let picture = try await self.hold(Sample.png(640, 480), in: store)

    let held = try await store.removeUnused { _ in [] }
    await store.release([picture], wasRefused: false)
    let released = try await store.removeUnused { _ in [] }

    #expect((held, released) == (0, 1))
  }

  @Test func `when there is no room, pictures that were unused for twenty minutes are removed`()
    async throws
  {
    let png = Sample.png(640, 480)
    let store = try self.store(PictureStore.Limits(bytes: 3 * png.count))
    let used = try await self.keep(png, in: store)
    let unused = try await self.keep(Sample.png(320, 240), in: store)
    for picture in [used, unused] { try self.age(picture, by: 1_201) }

    let new = try await self.knowingUsed([used.hash], in: store) {
      try await store.makingRoom {
        let upload = try store.upload()
        try upload.write(Sample.png(160, 120))
        return try await store.keep(upload).get()
      }
    }

    #expect(try self.folder.names == [used.hash, new.hash].sorted())
  }

  @Test func `if the search for unused pictures fails because there is no room, that is reported`()
    async throws
  {
    struct Unavailable: Error {}
    let png = Sample.png(640, 480)
    let store = try self.store(PictureStore.Limits(bytes: 2 * png.count))
    try await self.keep(png, in: store)
    let isAvailable = Mutex(true)
    let errors = Mutex(0)

    try await self.knowingUsed(in: store) { _ in
      guard isAvailable.withLock({ $0 }) else { throw Unavailable() }
    } onError: { error in
      if error is Unavailable { errors.withLock { $0 += 1 } }
    } _: {
      isAvailable.withLock { $0 = false }
      await #expect(throws: PictureStoreError.self) {
        try await store.makingRoom { try await self.keep(Sample.png(320, 240), in: store) }
      }
    }

    #expect(errors.withLock { $0 } == 1)
  }

  @Test func `when there is no room, the picture of an animal that was just deleted stays`()
    async throws
  {
    let png = Sample.png(640, 480)
    let store = try self.store(PictureStore.Limits(bytes: 2 * png.count))
    let unused = try await self.keep(png, in: store)
    // It was in use when unused ones were last searched, and its animal was deleted just now.
    try self.age(unused, by: 605)

    let error = try await self.knowingUsed(in: store) {
      await #expect(throws: PictureStoreError.self) {
        try await store.makingRoom { try await self.keep(Sample.png(320, 240), in: store) }
      }
    }

    #expect(error?.code == .full)
    #expect(try self.folder.names == [unused.hash])
  }
}
