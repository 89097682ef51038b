import Foundation
import Pictures
import Testing

/// One after another: a script that was just written cannot be run while a process that is being started
/// has it open.
@Suite(.serialized) struct SmallPictureTests {
  private let folder: TemporaryFolder

  init() throws {
    self.folder = try TemporaryFolder()
  }

  private func store(
    _ shrinker: PictureShrinker?,
    _ limits: PictureStore.Limits = PictureStore.Limits()
  ) throws -> PictureStore {
    try PictureStore(
      directory: self.folder.url.appending(component: "pictures"),
      limits: limits,
      shrinker: shrinker
    )
  }

  /// A program that stands in for that which decodes pictures.
  private func shrinker(_ script: String) throws -> PictureShrinker {
    let program = self.folder.url.appending(component: "program")
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: program)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: program.path(percentEncoded: false))
    return try PictureShrinker(program: program)
  }

  /// Ends like a decoder at its deadline. A shell cannot unblock a signal.
  private static let deadline = """
    exec python3 -c 'import os, signal
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
    os.kill(os.getpid(), signal.SIGALRM)'
    """

  private func keep(
    _ bytes: [UInt8],
    in store: PictureStore
  ) async throws -> Result<Picture, UnusablePicture> {
    let upload = try store.upload()
    try upload.write(bytes)
    return try await store.keep(upload)
  }

  private var names: [String] {
    get throws {
      let folder = self.folder.url.appending(component: "pictures").path(percentEncoded: false)
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
  }

  @Test(arguments: [
    (1_000, 500, [96: [96, 48], 640: [640, 320]]),
    (300, 900, [96: [32, 96], 640: [213, 640]]),
    (40, 30, [96: [40, 30], 640: [40, 30]]),
    (2_000, 1, [96: [96, 1], 640: [640, 1]]),
  ])
  func `small pictures fit, and are never larger than the whole`(
    width: Int, height: Int, sizes: [Int: [Int]]
  ) async throws {
    let store = try self.store(.besideThisProgram())

    let picture = try await self.keep(Sample.drawnPNG(width, height), in: store).get()

    #expect(try self.names == [picture.hash, "\(picture.hash)-640", "\(picture.hash)-96"])
    for size in PictureSize.allCases {
      let small = try #require(try store.open(picture.hash, size))
      let header = try #require(PictureHeader(try small.read(0, small.count)))
      #expect(small.kind == .webp)
      #expect([header.width, header.height] == sizes[size.side])
      #expect([picture.fitted(size).width, picture.fitted(size).height] == sizes[size.side])
    }
  }

  @Test func `transparency is kept, and metadata is removed`() async throws {
    let store = try self.store(.besideThisProgram())

    let picture = try await self.keep(Sample.drawnPNG(200, 100), in: store).get()

    let small = try #require(try store.open(picture.hash, .row))
    let bytes = try small.read(0, small.count)
    let text = String(decoding: bytes, as: Unicode.ASCII.self)
    #expect(text.contains("VP8X") && bytes[20] == 0b1_0000)  // It has alpha, and no more.
    #expect(["EXIF", "XMP ", "ICCP"].filter { text.contains($0) } == [])
  }

  @Test(
    arguments: [
      "a PNG file without pixels": Sample.png(640, 480),
      "a JPEG file without pixels": Sample.jpeg(640, 480),
      "lossy WebP without pixels": Sample.lossyWebP(640, 480),
      "lossless WebP without pixels": Sample.losslessWebP(640, 480),
      "much said, nothing there": Sample.png(8_000, 8_000),
      "a hole": Array(Sample.drawnPNG(100, 100)[..<60]) + Sample.drawnPNG(100, 100)[90...],
    ].sorted { $0.key < $1.key }.map { Hostile(name: $0.key, bytes: $0.value) })
  private func `an undecodable picture is refused and leaves nothing behind`(
    picture: Hostile
  ) async throws {
    let store = try self.store(.besideThisProgram())

    let result = try await self.keep(picture.bytes, in: store)

    guard case .failure(let problem) = result else {
      Issue.record("it was kept")
      return
    }
    #expect([.undecodable, .unknown].contains(problem))
    #expect(try self.names == [])
    #expect((store.bytes, store.uploadCount) == (0, 0))
  }

  @Test(arguments: [
    "kill -SEGV $$", "kill -XCPU $$", "exec cat /dev/zero", "exit 65", "echo hello",
  ])
  func `a picture is refused when its decoder fails or exceeds its limits`(script: String)
    async throws
  {
    let store = try self.store(self.shrinker(script))

    let result = try await self.keep(Sample.drawnPNG(10, 10), in: store)

    #expect(throws: UnusablePicture.self) { try result.get() }
    #expect(try self.names == [])
  }

  @Test(arguments: ["exit 3", "kill -KILL $$", Self.deadline])
  func `a decoder error that is not the picture's fault can be retried`(
    script: String
  ) async throws {
    let store = try self.store(self.shrinker(script))

    let error = await #expect(throws: PictureStoreError.self) {
      try await self.keep(Sample.drawnPNG(10, 10), in: store)
    }

    #expect(error?.code == .inputOutput)
    #expect(try self.names == [])
  }

  @Test func `the decoder does not inherit the server's environment`() async throws {
    let found = self.folder.url.appending(component: "found").path(percentEncoded: false)
    let store = try self.store(self.shrinker("env > '\(found)'"))
    setenv("SECRET_OF_THE_SERVER", "1", 1)

    _ = try await self.keep(Sample.drawnPNG(10, 10), in: store)

    #expect(try String(contentsOfFile: found, encoding: .utf8).contains("SECRET") == false)
  }

  @Test func `the error for a missing decoder says how to build it`() throws {
    let error = #expect(throws: PictureStoreError.self) {
      try PictureShrinker(program: self.folder.url.appending(component: "missing"))
    }

    #expect(try #require(error).description.contains("swift build --product PictureShrinker"))
  }

  @Test func `an older upload gets its small pictures once`() async throws {
    let picture = try await self.keep(Sample.drawnPNG(200, 100), in: try self.store(nil)).get()
    #expect(try self.names == [picture.hash])
    let store = try self.store(.besideThisProgram())
    let before = store.bytes

    #expect(try store.open(picture.hash, .row) == nil)
    async let first: Void = store.makeSmall(picture.hash)
    async let second: Void = store.makeSmall(picture.hash)
    _ = try await (first, second)

    let small = try PictureSize.allCases.map { try #require(try store.open(picture.hash, $0)) }
    #expect(store.bytes == before + small.reduce(0) { $0 + $1.count })
    #expect(store.uploadCount == 0)
  }

  @Test func `an older upload that cannot be decoded is tried once`() async throws {
    let picture = try await self.keep(Sample.png(640, 480), in: try self.store(nil)).get()
    var store: PictureStore? = try self.store(.besideThisProgram())
    try await store?.makeSmall(picture.hash)
    store = nil

    let again = try self.store(self.shrinker("exit 3"))
    try await again.makeSmall(picture.hash)

    let error = #expect(throws: PictureStoreError.self) { try again.open(picture.hash, .row) }
    #expect(error?.code == .notFound)
    #expect(again.bytes == Sample.png(640, 480).count)
  }

  @Test func `an older upload is tried again when a busy machine ended its decoder`() async throws {
    let picture = try await self.keep(Sample.drawnPNG(20, 10), in: try self.store(nil)).get()
    var store: PictureStore? = try self.store(self.shrinker(Self.deadline))
    await #expect(throws: PictureStoreError.self) { try await store?.makeSmall(picture.hash) }
    store = nil

    let again = try self.store(.besideThisProgram())
    try await again.makeSmall(picture.hash)

    #expect(try again.open(picture.hash, .row) != nil)
  }

  @Test func `the number of requests waiting for small pictures is limited`() async throws {
    let picture = try await self.keep(Sample.drawnPNG(20, 10), in: try self.store(nil)).get()
    let store = try self.store(.besideThisProgram(), PictureStore.Limits(uploads: 0))

    let error = await #expect(throws: PictureStoreError.self) {
      try await store.makeSmall(picture.hash)
    }

    #expect(error?.code == .busy)
  }

  @Test func `removing a picture removes its small ones`() async throws {
    let store = try self.store(.besideThisProgram(), PictureStore.Limits(grace: 0))
    _ = try await self.keep(Sample.drawnPNG(200, 100), in: store).get()

    let count = try await store.removeUnused { _ in [] }

    #expect(count == 1)
    #expect(try self.names == [])
    #expect(store.bytes == 0)
  }

  @Test func `opening a store counts small pictures too`() async throws {
    var store: PictureStore? = try self.store(.besideThisProgram())
    _ = try await self.keep(Sample.drawnPNG(200, 100), in: #require(store)).get()
    let bytes = store?.bytes
    store = nil

    #expect(try self.store(nil).bytes == bytes)
  }
}

private struct Hostile: CustomTestStringConvertible, Sendable {
  let name: String
  let bytes: [UInt8]

  var testDescription: String { self.name }
}
