import Foundation
import Synchronization

extension PictureStore {
  /// A small picture.
  ///
  /// - Returns: `nil` if it was not made yet; see ``makeSmall(_:)``.
  /// - Throws: ``PictureStoreError``, `notFound` if it cannot be made.
  public func open(
    _ hash: String,
    _ size: PictureSize
  ) throws(PictureStoreError) -> StoredPicture? {
    guard Picture.isHash(hash) else { throw PictureStoreError(.notFound, "This is no hash.") }
    let name = size.name(of: hash)
    return self.exists(name) ? try StoredPicture(PictureFile(path: self.path(name))) : nil
  }

  /// Makes the small versions of a picture that was uploaded without them. Without a
  /// ``PictureShrinker`` it does nothing.
  ///
  /// - Throws: ``PictureStoreError``: `notFound` if the picture does not exist, `busy` if too many
  ///   requests wait for it, or an error of the disk.
  /// - Complexity: O(n), n pixels, once for each picture.
  public func makeSmall(_ hash: String) async throws(PictureStoreError) {
    guard Picture.isHash(hash) else { throw PictureStoreError(.notFound, "This is no hash.") }
    let isBusy = self.contents.withLock { contents in
      guard contents.waiting < self.limits.uploads else { return true }
      contents.waiting += 1
      return false
    }
    guard isBusy == false else {
      throw PictureStoreError(.busy, "\(self.limits.uploads) wait for small pictures.")
    }
    defer { self.contents.withLock { $0.waiting -= 1 } }
    try await self.makingRoom { () async throws(PictureStoreError) in
      try await self.onWorker { () throws(PictureStoreError) in try self.makeSmallNow(hash) }
    }
  }

  private func makeSmallNow(_ hash: String) throws(PictureStoreError) {
    let isComplete = PictureSize.allCases.allSatisfy { self.exists($0.name(of: hash)) }
    guard isComplete == false else { return }
    do {
      try self.keep(try self.small(of: self.path(hash)), besides: hash)
    } catch let error as PictureStoreError {
      throw error
    } catch {
      // Empty files mark a picture that cannot be decoded, so that it is not tried again.
      for size in PictureSize.allCases {
        try self.keep(self.newUpload(), as: size.name(of: hash), besides: hash)
      }
    }
  }

  /// Makes the small pictures of a file.
  ///
  /// - Throws: ``UnusablePicture`` or ``PictureStoreError``.
  func small(of path: String) throws -> [PictureSize: PictureUpload] {
    guard let shrinker = self.shrinker else { return [:] }
    var small: [PictureSize: PictureUpload] = [:]
    var source = path
    // Each is made from the next larger one, which costs less than the original.
    for size in PictureSize.allCases.sorted(by: { $0.side > $1.side }) {
      guard let bytes = try shrinker.shrink(PictureFile(path: source), to: size) else {
        throw UnusablePicture.undecodable
      }
      let upload = self.newUpload()
      try upload.write(bytes)
      let file = try self.cleaned(upload)
      small[size] = file
      source = file.path
    }
    return small
  }

  func keep(
    _ small: [PictureSize: PictureUpload],
    besides hash: String
  ) throws(PictureStoreError) {
    for (size, file) in small { try self.keep(file, as: size.name(of: hash), besides: hash) }
  }

  func exists(_ name: String) -> Bool {
    access(self.path(name), F_OK) == 0
  }

  /// Runs the decoding of pictures on a separate thread, because it waits for the disk and for
  /// processes.
  func onWorker<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Self.run(work, on: self.workers)
  }

  /// Looks at files, or changes them, on a separate thread, because that waits for the disk.
  func onDisk<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try await Self.run(work, on: self.disk)
  }

  private static func run<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value,
    on queue: OperationQueue
  ) async throws(Failure) -> Value {
    let result = await withCheckedContinuation { continuation in
      let task = WorkerTask(work)
      queue.addOperation { continuation.resume(returning: task.run()) }
    }
    return try result.get()
  }
}

/// Work that is done once. It releases its references before its result is delivered.
private final class WorkerTask<Value: Sendable, Failure: Error>: Sendable {
  typealias Work = @Sendable () throws(Failure) -> Value

  private let work: Mutex<Work?>

  init(_ work: @escaping Work) {
    self.work = Mutex(work)
  }

  func run() -> Result<Value, Failure> {
    let work = self.work.withLock { $0.take() }
    guard let work else { preconditionFailure("it is done once") }
    return Result { () throws(Failure) in try work() }
  }
}
