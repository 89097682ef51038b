public import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Pictures as files of a folder, each under the hash of its content.
///
/// Equal pictures are kept once. What is kept never changes, so it may be cached for ever.
///
/// ```swift
/// let store = try PictureStore(directory: URL(filePath: "data/pictures"))
/// let upload = try store.upload()
/// try upload.write(bytes)
/// let picture = try store.keep(upload)
/// ```
///
/// Its functions wait for the disk: call them where that is no harm.
public final class PictureStore: Sendable {
  public struct Limits: Sendable {
    /// The most bytes of all pictures together, with those that are under way.
    public var bytes: Int
    /// The most uploads at once.
    public var uploads: Int
    /// For how long a picture is kept that nobody uses, in seconds: somebody may undo, or be about
    /// to use it.
    public var grace: Double

    public init(bytes: Int = 1 << 30, uploads: Int = 64, grace: Double = 3_600) {
      self.bytes = bytes
      self.uploads = uploads
      self.grace = grace
    }
  }

  private struct Contents {
    /// Of the files, and of what is being uploaded. Bounded by ``Limits``.
    var bytes = 0
    var uploads = 0
  }

  public let limits: Limits
  private let directory: URL
  /// The folder. It is locked for as long as it is open.
  private let lock: PictureFile
  private let contents = Mutex(Contents())
  /// Held while files come and go, so that none is removed that has just been kept again.
  private let files = Mutex(())

  /// What the name of an upload ends with.
  private static let suffix = ".part"

  /// Opens a folder, or makes it. What an upload has left behind that was interrupted is removed.
  ///
  /// Only one store at a time, of all processes, has a folder.
  ///
  /// - Throws: ``PictureStoreError`` if the folder cannot be made or read, or if another store has
  ///   it.
  /// - Complexity: O(n), n pictures.
  public init(directory: URL, limits: Limits = Limits()) throws(PictureStoreError) {
    self.directory = directory
    self.limits = limits
    do {
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    } catch {
      throw PictureStoreError(
        .inputOutput, "The folder \(directory.path()) cannot be made: \(error).")
    }
    self.lock = try PictureFile(path: directory.path(percentEncoded: false))
    try self.lock.lock()
    var bytes = 0
    for name in try self.names() {
      if name.hasSuffix(Self.suffix) {
        unlink(self.path(name))
      } else if Picture.isHash(name) {
        bytes += (try? PictureFile(path: self.path(name)).status?.bytes) ?? 0
      }
    }
    self.contents.withLock { $0.bytes = bytes }
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

  private func names() throws(PictureStoreError) -> [String] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: self.directory.path())
    } catch {
      throw PictureStoreError(
        .inputOutput, "The folder \(self.directory.path()) cannot be read: \(error).")
    }
  }

  private func path(_ name: String) -> String {
    self.directory.appending(component: name, directoryHint: .notDirectory).path(
      percentEncoded: false)
  }
}

// Uploads.
extension PictureStore {
  /// Begins an upload. It ends with ``keep(_:)``, or when nobody holds it any more; then nothing of
  /// it stays.
  ///
  /// - Throws: ``PictureStoreError``: `busy`, or what the disk says.
  public func upload() throws(PictureStoreError) -> PictureUpload {
    let isBusy = self.contents.withLock { contents in
      guard contents.uploads < self.limits.uploads else { return true }
      contents.uploads += 1
      return false
    }
    guard isBusy == false else {
      throw PictureStoreError(.busy, "\(self.limits.uploads) uploads are under way.")
    }
    return try self.makeUpload()
  }

  /// The upload is counted already.
  private func makeUpload() throws(PictureStoreError) -> PictureUpload {
    let path = self.path("\(UInt64.random(in: 0...(.max)))\(Self.suffix)")
    do {
      return PictureUpload(try PictureFile(path: path, creates: true), path: path, in: self)
    } catch {
      self.contents.withLock { $0.uploads -= 1 }
      throw error
    }
  }

  /// Keeps what was uploaded, without what cameras and programs write besides pixels. It is on disk
  /// when this returns.
  ///
  /// - Returns: The picture, or why it is none that browsers show; see ``PictureHeader``.
  /// - Throws: ``PictureStoreError``.
  /// - Complexity: O(n), n bytes; it holds some of them at a time.
  public func keep(
    _ upload: PictureUpload
  ) throws(PictureStoreError) -> Result<Picture, UnusablePicture> {
    guard let header = try upload.header() else { return .failure(.unknown) }
    guard header.isAllowed else { return .failure(.tooManyPixels) }
    guard let content = try upload.content(header.kind) else { return .failure(.unknown) }
    self.contents.withLock { $0.uploads += 1 }
    let clean = try self.makeUpload()
    try clean.copy(content, from: upload)
    guard
      let picture = Picture(
        hash: clean.finish(), kind: header.kind, width: header.width, height: header.height)
    else { return .failure(.unknown) }
    try self.keep(clean, as: picture.hash)
    return .success(picture)
  }

  private func keep(_ upload: PictureUpload, as hash: String) throws(PictureStoreError) {
    try upload.synchronize()
    let path = self.path(hash)
    try self.files.withLock { _ throws(PictureStoreError) in
      // Whoever uploads what is there makes it new again. Nobody removes it for a while.
      if access(path, F_OK) == 0 {
        guard utimes(path, nil) == 0 else { throw PictureStoreError(errno: errno) }
        return
      }
      guard rename(upload.path, path) == 0 else { throw PictureStoreError(errno: errno) }
      upload.didKeep()
      // A name is only on disk once its folder is.
      try self.lock.synchronize()
    }
  }

  /// - Throws: ``PictureStoreError``, `full`.
  func reserve(_ bytes: Int) throws(PictureStoreError) {
    let isFull = self.contents.withLock { contents in
      guard contents.bytes + bytes <= self.limits.bytes else { return true }
      contents.bytes += bytes
      return false
    }
    if isFull {
      throw PictureStoreError(.full, "All pictures together have \(self.limits.bytes) bytes.")
    }
  }

  /// - Parameter bytes: Those that are gone.
  func didEnd(_ bytes: Int) {
    self.contents.withLock { contents in
      contents.uploads -= 1
      contents.bytes -= bytes
    }
  }
}

// Those that nobody uses.
extension PictureStore {
  /// Removes pictures that have been there for a while and that nobody uses.
  ///
  /// - Parameter used: Which of these are used. It gets at most 500 at a time.
  /// - Returns: How many were removed.
  /// - Throws: ``PictureStoreError``, or what `used` throws; then some of them may be there still.
  /// - Complexity: O(n), n pictures; it holds their names.
  @discardableResult
  public func removeUnused(
    except used: @Sendable (Set<String>) async throws -> Set<String>
  ) async throws -> Int {
    let latest = Date.now.timeIntervalSince1970 - self.limits.grace
    let old = try self.names().filter { Picture.isHash($0) && self.isOld($0, latest) }
    var count = 0
    for start in stride(from: 0, to: old.count, by: 500) {
      let batch = Set(old[start..<min(start + 500, old.count)])
      for hash in batch.subtracting(try await used(batch)) where self.remove(hash, latest) {
        count += 1
      }
    }
    return count
  }

  private func isOld(_ hash: String, _ latest: Double) -> Bool {
    guard let file = try? PictureFile(path: self.path(hash)), let status = file.status else {
      return false
    }
    return status.changed <= latest
  }

  private func remove(_ hash: String, _ latest: Double) -> Bool {
    let bytes = self.files.withLock { _ -> Int? in
      // It may have been uploaded again since.
      guard let status = try? PictureFile(path: self.path(hash)).status,
        status.changed <= latest, unlink(self.path(hash)) == 0
      else { return nil }
      return status.bytes
    }
    guard let bytes else { return false }
    self.contents.withLock { $0.bytes -= bytes }
    return true
  }
}

/// Why an upload is no picture that is shown.
public enum UnusablePicture: Error, Hashable, Sendable {
  /// It is something else, or broken.
  case unknown
  case tooManyPixels
}

/// A picture that is kept, open to be read.
public final class StoredPicture: Sendable {
  private let file: PictureFile
  /// The number of its bytes.
  public let count: Int
  public let kind: Picture.Kind

  fileprivate init(_ file: PictureFile) throws(PictureStoreError) {
    guard let status = file.status else {
      throw PictureStoreError(.notFound, "This is no picture.")
    }
    // Its type is what it is, whatever somebody says that it is.
    let header: PictureHeader?
    do {
      header = try PictureHeader(file.read)
    } catch let error as PictureStoreError {
      throw error
    } catch {
      throw PictureStoreError(.inputOutput, "\(error)")
    }
    guard let header else { throw PictureStoreError(.notFound, "This is no picture.") }
    self.file = file
    self.count = status.bytes
    self.kind = header.kind
  }

  /// - Returns: As many bytes as there are from an offset, and no more than `count`.
  /// - Throws: ``PictureStoreError``.
  public func read(_ offset: Int, _ count: Int) throws(PictureStoreError) -> [UInt8] {
    try self.file.read(offset, count)
  }
}
