public import Foundation
import Synchronization

/// Pictures as files of a folder, each under the hash of its content.
///
/// Equal pictures are stored once. A stored picture never changes, so it may be cached forever.
/// With a ``PictureShrinker`` there are small versions of each, next to it: ``PictureSize``.
///
/// ```swift
/// let store = try PictureStore(directory: URL(filePath: "data/pictures"))
/// let upload = try store.upload()
/// try upload.write(bytes)
/// let picture = try await store.keep(upload)
/// ```
///
/// Its functions wait for the disk, unless they are `async`. Call them where waiting is acceptable.
public final class PictureStore: Sendable {
  public struct Limits: Sendable {
    /// The maximum size of all pictures together, including uploads in progress, in bytes.
    public var bytes: Int
    /// The maximum number of concurrent uploads, of concurrent fetches from the origin, and of
    /// visitors who wait for a small picture that is still being made.
    public var uploads: Int
    /// The maximum number of concurrent uploads of one client.
    public var uploadsPerClient: Int
    /// How long an unused picture is kept, in seconds, because a user may undo, or be about to use
    /// it.
    public var grace: Double
    /// The same while there is no room for another picture, in seconds. It must be longer than
    /// ``PictureStore/sweepInterval``, which a picture in use may look unused for, and the time to
    /// undo a deletion together. It must also be longer than the effect takes that brings an
    /// uploaded picture into the catalog.
    public var graceWhenFull: Double
    /// How long a picture may take to come from the origin.
    public var fetchTimeout: Duration

    public init(
      bytes: Int = 1 << 30,
      uploads: Int = 64,
      uploadsPerClient: Int = 16,
      grace: Double = 3_600,
      graceWhenFull: Double = 1_200,
      fetchTimeout: Duration = .seconds(60)
    ) {
      self.bytes = bytes
      self.uploads = uploads
      self.uploadsPerClient = uploadsPerClient
      self.grace = grace
      self.graceWhenFull = graceWhenFull
      self.fetchTimeout = fetchTimeout
    }
  }

  struct Contents {
    /// The size of the files. With that of uploads, it is bounded by ``Limits``.
    var storedBytes = 0
    /// The size of uploads in progress.
    var arrivingBytes = 0
    var uploads = 0
    /// The number of uploads in progress of each client. Bounded by ``Limits``.
    var clients: [String: Int] = [:]
    /// The pictures of each client that are being decoded, or wait for that. Bounded by ``Limits``.
    var turns: [String: Turns] = [:]
    /// The pictures that are being fetched from the origin, by their hashes. Bounded by ``Limits``.
    var fetches: [String: Fetch] = [:]
    /// The requests that wait for small pictures. Bounded by ``Limits``.
    var waiting = 0
    /// The pictures of posts that have no answer yet, by their hashes. Bounded by the number of
    /// requests.
    var holds: [String: Hold] = [:]
    /// How unused pictures are removed; `nil` while nobody removes them.
    var removal: Removal?
    var clearing = Clearing()
  }

  struct Turns {
    var count = 0
    /// Ends with the newest one.
    var last: Task<Void, Never>?
  }

  typealias Fetch = Task<Result<Void, PictureStoreError>, Never>

  /// The posts that have uploaded the same picture and have no answer yet.
  struct Hold {
    var count = 0
    /// Whether the picture was not here before, and all posts that have been answered were refused.
    var isRemovable = true
  }

  struct Removal: Sendable {
    /// Returns the used pictures among these.
    let used: UsedPictures
    /// Receives the reason why unused pictures may be left.
    let onError: @Sendable (any Error) -> Void
  }

  /// The removal of unused pictures because there is no room.
  struct Clearing {
    /// The removal that is running.
    var task: Task<Void, Never>?
    /// When the newest one ended.
    var ended: ContinuousClock.Instant?
  }

  /// Returns the used pictures among these. It receives at most 500 hashes at a time.
  public typealias UsedPictures = @Sendable (Set<String>) async throws -> Set<String>

  public let limits: Limits
  /// The path of the folder.
  private let folder: String
  let shrinker: PictureShrinker?
  let origin: (any PictureOrigin)?
  /// The newest folder that could be opened. It is locked as long as it is open.
  private let openFolder = Mutex<PictureFile?>(nil)
  let contents = Mutex(Contents())
  /// Held while files are added or removed, so that a file is not removed just after it was stored
  /// again.
  let files = Mutex(())
  /// Decodes pictures, two at a time. The waiting ones are bounded by ``Limits``.
  let workers = OperationQueue()
  /// Looks at files and changes them, one operation at a time. The waiting ones are bounded by the
  /// number of requests.
  let disk = OperationQueue()

  /// The time between two searches for unused pictures, in seconds.
  static let sweepInterval: Double = 600

  /// The suffix of the names of uploads.
  static let suffix = ".part"

  /// Opens a folder, or creates it. Leftovers of interrupted uploads are removed.
  ///
  /// Only one store of all processes can use a folder at a time.
  ///
  /// - Parameters:
  ///   - directory: The folder.
  ///   - limits: The limits of the store.
  ///   - shrinker: Makes small pictures; without it there are none.
  ///   - origin: Stores all pictures of several servers; `nil` if this store is the only one.
  /// - Throws: ``PictureStoreError`` if the folder cannot be created or read, or if another store
  ///   is using it.
  /// - Complexity: O(n), n pictures.
  public convenience init(
    directory: URL,
    limits: Limits = Limits(),
    shrinker: PictureShrinker? = nil,
    origin: (any PictureOrigin)? = nil
  ) throws(PictureStoreError) {
    self.init(reopening: directory, limits: limits, shrinker: shrinker, origin: origin)
    _ = try self.opened()
  }

  /// Opens a folder, or creates it. As long as that fails, each operation tries again, and fails with
  /// the reason (``obstacle``).
  ///
  /// - Parameters:
  ///   - directory: The folder.
  ///   - limits: The limits of the store.
  ///   - shrinker: Makes small pictures; without it there are none.
  ///   - origin: Stores all pictures of several servers; `nil` if this store is the only one.
  /// - Complexity: O(n), n pictures.
  public init(
    reopening directory: URL,
    limits: Limits = Limits(),
    shrinker: PictureShrinker? = nil,
    origin: (any PictureOrigin)? = nil
  ) {
    self.folder = directory.path(percentEncoded: false)
    self.limits = limits
    self.shrinker = shrinker
    self.origin = origin
    self.workers.maxConcurrentOperationCount = 2
    self.disk.maxConcurrentOperationCount = 1
    _ = try? self.opened()
  }

  deinit {
    self.openFolder.withLock { $0?.unlock() }
  }

  /// Why pictures cannot be stored now, as a sentence; `nil` if they can. Tries to open the folder.
  public var obstacle: String? {
    do throws(PictureStoreError) {
      _ = try self.opened()
      guard access(self.folder, R_OK | W_OK | X_OK) == 0 else {
        throw PictureStoreError(folder: self.folder, errno: errno)
      }
      return nil
    } catch {
      return error.description
    }
  }

  /// The locked folder. If another one has its name by now, for example that of a backup, it is that
  /// one. A folder that is gone is not made again, because it may be on a volume that comes back. For
  /// the same reason one on another volume is not used.
  ///
  /// - Throws: ``PictureStoreError`` if it cannot be opened yet, or is gone.
  func opened() throws(PictureStoreError) -> PictureFile {
    try self.openFolder.withLock { folder throws(PictureStoreError) in
      if let folder, try folder.isStill(at: self.folder) { return folder }
      let opened = try self.open()
      folder?.unlock()
      folder = opened
      return opened
    }
  }

  private func open() throws(PictureStoreError) -> PictureFile {
    do {
      try FileManager.default.createDirectory(
        atPath: self.folder, withIntermediateDirectories: true)
    } catch {
      throw PictureStoreError(
        .inputOutput, "The folder \(self.folder) cannot be made: \(error).")
    }
    let folder = try PictureFile(path: self.folder)
    try folder.lock()
    let names = try self.names()
    for name in names where name.hasSuffix(Self.suffix) { unlink(self.path(name)) }
    let bytes = names.lazy.filter { Picture.isHash($0) }
      .flatMap { hash in [hash] + PictureSize.allCases.map { $0.name(of: hash) } }
      .reduce(0) { $0 + (self.byteCount($1) ?? 0) }
    self.contents.withLock { $0.storedBytes = bytes }
    return folder
  }

  /// The size of all pictures, including uploads in progress, in bytes.
  public var bytes: Int {
    self.contents.withLock { $0.storedBytes + $0.arrivingBytes }
  }

  /// The number of uploads in progress.
  public var uploadCount: Int {
    self.contents.withLock { $0.uploads }
  }

  /// A picture by its hash.
  ///
  /// - Throws: ``PictureStoreError``, `notFound` if there is none.
  public func open(_ hash: String) throws(PictureStoreError) -> StoredPicture {
    guard Picture.isHash(hash) else { throw PictureStoreError(.notFound, "This is no hash.") }
    _ = try self.opened()
    return try StoredPicture(PictureFile(path: self.path(hash)))
  }

  /// - Returns: `nil` if the file does not exist.
  func byteCount(_ name: String) -> Int? {
    try? PictureFile(path: self.path(name)).status?.bytes
  }

  func names() throws(PictureStoreError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: self.folder)
    } catch {
      throw PictureStoreError(
        .inputOutput, "The folder \(self.folder) cannot be read: \(error).")
    }
  }

  func path(_ name: String) -> String {
    "\(self.folder)/\(name)"
  }
}
