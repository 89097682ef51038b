import Foundation
import Synchronization

/// A picture that arrives piece by piece, in its own file. The file is removed unless it is kept.
public final class PictureUpload: Sendable {
  private let part: PartOfPicture
  /// Whether it is only used on threads that may wait for the disk.
  private let mayWait: Bool

  init(path: String, of client: String?, in store: PictureStore, mayWait: Bool) {
    self.part = PartOfPicture(path: path, of: client, in: store)
    self.mayWait = mayWait
  }

  deinit {
    let part = self.part
    // The last reference may be released anywhere, also on a thread of Swift's pool.
    if self.mayWait || part.isOnDisk == false {
      part.end()
    } else {
      part.store.disk.addOperation { part.end() }
    }
  }

  var path: String { self.part.path }
  var client: String? { self.part.client }

  /// The number of bytes so far.
  public var count: Int {
    self.part.contents.withLock { $0.count }
  }

  /// Appends bytes. Waits for the disk.
  ///
  /// - Throws: ``PictureStoreError``: `full`, or an error of the disk. The upload cannot be kept.
  public func write(_ bytes: [UInt8]) throws(PictureStoreError) {
    let file = try self.part.file()
    try self.part.store.reserve(bytes.count)
    self.part.contents.withLock { contents in
      contents.count += bytes.count
      contents.hasher?.update(bytes)
    }
    try file.write(bytes)
  }

  /// Ends it now. Unless it was kept, its file is removed before this returns. Otherwise that follows
  /// soon after the last reference is released.
  public func end() async {
    guard self.part.isOnDisk else { return self.part.end() }
    await self.part.store.onDisk { self.part.end() }
  }

  /// Does some work with it, and ends it.
  func ending<Value>(
    after work: () async throws(PictureStoreError) -> Value
  ) async throws(PictureStoreError) -> Value {
    do {
      let value = try await work()
      await self.end()
      return value
    } catch {
      await self.end()
      throw error
    }
  }

  func header() throws(PictureStoreError) -> PictureHeader? {
    try PictureHeader(try self.part.file().read)
  }

  func content(_ kind: Picture.Kind) throws(PictureStoreError) -> PictureContent? {
    try PictureContent(kind, try self.part.file().read)
  }

  func copy(_ content: PictureContent, from other: PictureUpload) throws(PictureStoreError) {
    self.part.contents.withLock { $0.hasher = ContentHasher() }
    for part in content.parts {
      switch part {
      case .bytes(let bytes):
        try self.write(bytes)
      case .range(let range):
        for start in stride(from: range.lowerBound, to: range.upperBound, by: 64 << 10) {
          let count = min(64 << 10, range.upperBound - start)
          try self.write(try other.part.file().read(start, count))
        }
      }
    }
  }

  /// The hash of the copied bytes.
  func finish() -> String {
    self.part.contents.withLock { $0.hasher?.finalize() } ?? ""
  }

  func synchronize() throws(PictureStoreError) {
    try self.part.file().synchronize()
  }

  func didKeep() {
    let count = self.part.contents.withLock { contents in
      contents.isKept = true
      return contents.count
    }
    self.part.store.didKeep(count)
  }
}

/// The file of an upload, and what counts for it.
private final class PartOfPicture: Sendable {
  struct Contents {
    /// Made by the first write.
    var file: PictureFile?
    /// `nil` for a file that is not kept unchanged.
    var hasher: ContentHasher?
    var count = 0
    var isKept = false
    var hasEnded = false
  }

  let path: String
  let store: PictureStore
  let client: String?
  let contents = Mutex(Contents())

  init(path: String, of client: String?, in store: PictureStore) {
    self.path = path
    self.client = client
    self.store = store
  }

  var isOnDisk: Bool { self.contents.withLock { $0.file != nil } }

  func file() throws(PictureStoreError) -> PictureFile {
    try self.contents.withLock { contents throws(PictureStoreError) in
      if let file = contents.file { return file }
      guard contents.hasEnded == false else {
        throw PictureStoreError(.inputOutput, "The upload has ended.")
      }
      _ = try self.store.opened()
      let file = try PictureFile(path: self.path, creates: true)
      contents.file = file
      return file
    }
  }

  /// Removes the file, unless it was kept, and closes it.
  func end() {
    let contents = self.contents.withLock { contents in
      defer { contents = Contents(hasEnded: true) }
      return contents
    }
    guard contents.hasEnded == false else { return }
    if contents.file != nil, contents.isKept == false { unlink(self.path) }
    self.store.didEnd(contents.isKept ? 0 : contents.count, of: self.client)
  }
}
