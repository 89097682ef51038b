public import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Pictures as files of a folder, each under the hash of its content.
///
/// Equal pictures are kept once. What is kept never changes, so it may be cached for ever. With a
/// ``PictureShrinker`` it has small pictures of each, beside it: ``PictureSize``.
///
/// ```swift
/// let store = try PictureStore(directory: URL(filePath: "data/pictures"))
/// let upload = try store.upload()
/// try upload.write(bytes)
/// let picture = try await store.keep(upload)
/// ```
///
/// Its functions wait for the disk, unless they are `async`: call them where that is no harm.
public final class PictureStore: Sendable {
  public struct Limits: Sendable {
    /// The most bytes of all pictures together, with those that are under way.
    public var bytes: Int
    /// The most uploads at once, the most pictures at once that are fetched from the origin, and the most
    /// visitors at once who wait for a small picture that is still to be made.
    public var uploads: Int
    /// The most uploads at once of one client.
    public var uploadsPerClient: Int
    /// For how long a picture is kept that nobody uses, in seconds: somebody may undo, or be about
    /// to use it.
    public var grace: Double

    public init(
      bytes: Int = 1 << 30,
      uploads: Int = 64,
      uploadsPerClient: Int = 16,
      grace: Double = 3_600
    ) {
      self.bytes = bytes
      self.uploads = uploads
      self.uploadsPerClient = uploadsPerClient
      self.grace = grace
    }
  }

  struct Contents {
    /// Of the files, and of what is being uploaded. Bounded by ``Limits``.
    var bytes = 0
    var uploads = 0
    /// How many uploads of each client are under way. Bounded by ``Limits``.
    var clients: [String: Int] = [:]
    /// The pictures that are being fetched from the origin, by their hashes. Bounded by ``Limits``.
    var fetches: [String: Task<Result<Void, PictureStoreError>, Never>] = [:]
    /// Those who wait for small pictures. Bounded by ``Limits``.
    var waiting = 0
  }

  public let limits: Limits
  private let directory: URL
  let shrinker: PictureShrinker?
  let origin: (any PictureOrigin)?
  /// The folder. It is locked for as long as it is open.
  let lock: PictureFile
  let contents = Mutex(Contents())
  /// Held while files come and go, so that none is removed that has just been kept again.
  let files = Mutex(())
  /// Where pictures are decoded: two at a time. What waits is bounded by ``Limits``.
  let workers = OperationQueue()

  /// What the name of an upload ends with.
  static let suffix = ".part"

  /// Opens a folder, or makes it. What an upload has left behind that was interrupted is removed.
  ///
  /// Only one store at a time, of all processes, has a folder.
  ///
  /// - Parameters:
  ///   - directory: The folder.
  ///   - limits: How much it keeps.
  ///   - shrinker: Makes small pictures; without it there are none.
  ///   - origin: Keeps all pictures, for several servers; `nil`: this store is the only one.
  /// - Throws: ``PictureStoreError`` if the folder cannot be made or read, or if another store has
  ///   it.
  /// - Complexity: O(n), n pictures.
  public init(
    directory: URL,
    limits: Limits = Limits(),
    shrinker: PictureShrinker? = nil,
    origin: (any PictureOrigin)? = nil
  ) throws(PictureStoreError) {
    self.directory = directory
    self.limits = limits
    self.shrinker = shrinker
    self.origin = origin
    self.workers.maxConcurrentOperationCount = 2
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw PictureStoreError(
        .inputOutput, "The folder \(directory.path()) cannot be made: \(error).")
    }
    self.lock = try PictureFile(path: directory.path(percentEncoded: false))
    try self.lock.lock()
    let names = try self.names()
    for name in names where name.hasSuffix(Self.suffix) { unlink(self.path(name)) }
    let bytes = names.lazy.filter { Picture.isHash($0) }
      .flatMap { hash in [hash] + PictureSize.allCases.map { $0.name(of: hash) } }
      .reduce(0) { $0 + (self.byteCount($1) ?? 0) }
    self.contents.withLock { $0.bytes = bytes }
  }

  deinit {
    self.lock.unlock()
  }

  /// The bytes of all pictures, with those that are being uploaded.
  public var bytes: Int {
    self.contents.withLock { $0.bytes }
  }

  /// How many uploads are under way.
  public var uploadCount: Int {
    self.contents.withLock { $0.uploads }
  }

  /// A picture by its hash.
  ///
  /// - Throws: ``PictureStoreError``, `notFound` if there is none.
  public func open(_ hash: String) throws(PictureStoreError) -> StoredPicture {
    guard Picture.isHash(hash) else { throw PictureStoreError(.notFound, "This is no hash.") }
    return try StoredPicture(PictureFile(path: self.path(hash)))
  }

  /// - Returns: `nil` if there is no such file.
  func byteCount(_ name: String) -> Int? {
    try? PictureFile(path: self.path(name)).status?.bytes
  }

  func names() throws(PictureStoreError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: self.directory.path())
    } catch {
      throw PictureStoreError(
        .inputOutput, "The folder \(self.directory.path()) cannot be read: \(error).")
    }
  }

  func path(_ name: String) -> String {
    self.directory.appending(component: name, directoryHint: .notDirectory).path(
      percentEncoded: false)
  }
}
