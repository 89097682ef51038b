import Foundation
import Synchronization

extension PictureStore {
  /// Begins an upload. It ends with ``keep(_:isHeld:)``, or is discarded when its last reference is
  /// released. This does not wait for the disk.
  ///
  /// - Parameter client: The client, for its limit of uploads; `nil` for no particular client.
  /// - Throws: ``PictureStoreError``: `busy` or `clientBusy`.
  public func upload(of client: String? = nil) throws(PictureStoreError) -> PictureUpload {
    try self.contents.withLock { contents throws(PictureStoreError) in
      guard contents.uploads < self.limits.uploads else {
        throw PictureStoreError(.busy, "\(self.limits.uploads) uploads are under way.")
      }
      if let client {
        guard contents.clients[client, default: 0] < self.limits.uploadsPerClient else {
          throw PictureStoreError(
            .clientBusy,
            "\(self.limits.uploadsPerClient) uploads of \(client) are under way.")
        }
        contents.clients[client, default: 0] += 1
      }
      contents.uploads += 1
    }
    return self.makeUpload(of: client)
  }

  /// An upload that is a part of another one, or of a fetch, which already counts against a limit.
  ///
  /// - Parameter mayWait: Whether it is only used on threads that may wait for the disk.
  func newUpload(mayWait: Bool = true) -> PictureUpload {
    self.contents.withLock { $0.uploads += 1 }
    return self.makeUpload(of: nil, mayWait: mayWait)
  }

  /// An upload that is already counted.
  private func makeUpload(of client: String?, mayWait: Bool = false) -> PictureUpload {
    let path = self.path("\(UInt64.random(in: 0...(.max)))\(Self.suffix)")
    return PictureUpload(path: path, of: client, in: self, mayWait: mayWait)
  }

  /// Stores an uploaded picture without metadata from cameras and programs, and makes small
  /// versions of it. When this returns, it is on disk, and at the ``PictureOrigin``, if there is
  /// one.
  ///
  /// - Parameters:
  ///   - upload: The complete upload.
  ///   - isHeld: Whether the picture is held until it is passed to ``release(_:wasRefused:)``.
  /// - Returns: The picture, or why browsers could not show it; see ``PictureHeader``.
  /// - Throws: ``PictureStoreError``.
  /// - Complexity: O(n), n bytes and pixels; it holds a part of the bytes at a time.
  public func keep(
    _ upload: PictureUpload,
    isHeld: Bool = false
  ) async throws(PictureStoreError) -> Result<Picture, UnusablePicture> {
    try await upload.ending {
      () async throws(PictureStoreError) -> Result<Picture, UnusablePicture> in
      let kept = try await self.makingRoom { () async throws(PictureStoreError) in
        try await self.keepHere(upload, isHeld: isHeld)
      }
      guard case .success(let picture) = kept else { return kept }
      do throws(PictureStoreError) {
        try await self.share(picture)
      } catch {
        if isHeld { await self.release([picture], wasRefused: true) }
        throw error
      }
      return kept
    }
  }

  func keepHere(
    _ upload: PictureUpload,
    isHeld: Bool = false
  ) async throws(PictureStoreError) -> Result<Picture, UnusablePicture> {
    try await self.inTurn(of: upload.client) { () throws(PictureStoreError) in
      do {
        return .success(try self.keepNow(upload, isHeld: isHeld))
      } catch let problem as UnusablePicture {
        return .failure(problem)
      } catch let error as PictureStoreError {
        throw error
      } catch {
        throw PictureStoreError(.inputOutput, "\(error)")
      }
    }
  }

  /// Runs the decoding of pictures when the earlier ones of the same client have been decoded. So nobody
  /// waits for more than one picture of each other client.
  private func inTurn<Value: Sendable>(
    of client: String?,
    _ work: @escaping @Sendable () throws(PictureStoreError) -> Value
  ) async throws(PictureStoreError) -> Value {
    guard let client else { return try await self.onWorker(work) }
    let task = self.contents.withLock { contents in
      let previous = contents.turns[client]?.last
      let task = Task { () -> Result<Value, PictureStoreError> in
        await previous?.value
        do throws(PictureStoreError) {
          return .success(try await self.onWorker(work))
        } catch {
          return .failure(error)
        }
      }
      contents.turns[client, default: Turns()].count += 1
      contents.turns[client]?.last = Task { _ = await task.value }
      return task
    }
    let result = await task.value
    self.contents.withLock { contents in
      contents.turns[client]?.count -= 1
      if contents.turns[client]?.count == 0 { contents.turns[client] = nil }
    }
    return try result.get()
  }

  /// - Throws: ``UnusablePicture`` or ``PictureStoreError``.
  private func keepNow(_ upload: PictureUpload, isHeld: Bool) throws -> Picture {
    let clean = try self.cleaned(upload)
    // Servers that get this file later compare it with this picture.
    guard let header = try clean.header(),
      let picture = Picture(
        hash: clean.finish(), kind: header.kind, width: header.width, height: header.height)
    else { throw UnusablePicture.unknown }
    let small = try self.small(of: clean.path)
    try self.keep(clean, as: picture.hash, isHeld: isHeld)
    do {
      try self.keep(small, besides: picture.hash)
    } catch {
      if isHeld { self.endHold(of: picture.hash, wasRefused: true) }
      throw error
    }
    return picture
  }

  /// - Throws: ``UnusablePicture`` or ``PictureStoreError``.
  func cleaned(_ upload: PictureUpload) throws -> PictureUpload {
    guard let header = try upload.header() else { throw UnusablePicture.unknown }
    guard header.isAllowed else { throw UnusablePicture.tooManyPixels }
    guard let content = try upload.content(header.kind) else { throw UnusablePicture.unknown }
    let clean = self.newUpload()
    try clean.copy(content, from: upload)
    return clean
  }

  /// - Parameters:
  ///   - upload: A complete upload.
  ///   - name: The name of its file.
  ///   - whole: A file that must still exist.
  ///   - isHeld: Whether it is held; see ``Hold``.
  func keep(
    _ upload: PictureUpload,
    as name: String,
    besides whole: String? = nil,
    isHeld: Bool = false
  ) throws(PictureStoreError) {
    try upload.synchronize()
    let path = self.path(name)
    try self.files.withLock { _ throws(PictureStoreError) in
      if let whole, access(self.path(whole), F_OK) != 0 { throw PictureStoreError(errno: errno) }
      // Uploading an existing picture renews it, so that it is not removed for a while.
      if access(path, F_OK) == 0 {
        guard utimes(path, nil) == 0 else { throw PictureStoreError(errno: errno) }
        if isHeld { self.hold(name, isNew: false) }
        return
      }
      guard rename(upload.path, path) == 0 else { throw PictureStoreError(errno: errno) }
      upload.didKeep()
      // A file name is on disk only once its folder is.
      try self.opened().synchronize()
      if isHeld { self.hold(name, isNew: true) }
    }
  }

  /// - Throws: ``PictureStoreError``, `full`.
  func reserve(_ bytes: Int) throws(PictureStoreError) {
    let isFull = self.contents.withLock { contents in
      let all = contents.storedBytes + contents.arrivingBytes + bytes
      guard all <= self.limits.bytes else { return true }
      contents.arrivingBytes += bytes
      return false
    }
    if isFull {
      throw PictureStoreError(.full, "All pictures together have \(self.limits.bytes) bytes.")
    }
  }

  /// An upload has become a picture.
  func didKeep(_ bytes: Int) {
    self.contents.withLock { contents in
      contents.arrivingBytes -= bytes
      contents.storedBytes += bytes
    }
  }

  /// - Parameters:
  ///   - bytes: The number of removed bytes.
  ///   - client: The client of the upload.
  func didEnd(_ bytes: Int, of client: String?) {
    self.contents.withLock { contents in
      contents.uploads -= 1
      contents.arrivingBytes -= bytes
      guard let client, let count = contents.clients[client] else { return }
      contents.clients[client] = count > 1 ? count - 1 : nil
    }
  }
}
