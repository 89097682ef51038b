import Foundation
import Synchronization

extension PictureStore {
  /// Whether pictures may have to be obtained.
  public var hasOrigin: Bool { self.origin != nil }

  /// Whether a picture has to be obtained before it can be opened. Waits for the disk.
  public func mustObtain(_ hash: String) -> Bool {
    self.origin != nil && Picture.isHash(hash) && self.exists(hash) == false
  }

  /// Fetches a picture from the ``PictureOrigin`` if it is not here. Concurrent requests for the
  /// same picture wait for one fetch, for ``Limits/fetchTimeout`` at most.
  ///
  /// - Throws: ``PictureStoreError``: `notFound` if it does not exist; `busy`, `full`, or an error
  ///   of the disk; `originAway`.
  /// - Complexity: O(n), n bytes and pixels, once for each picture.
  public func obtain(_ hash: String) async throws(PictureStoreError) {
    guard let origin = self.origin, Picture.isHash(hash) else { return }
    try await self.fetch(of: hash, from: origin).value.get()
  }

  /// The fetch in progress, or a new one.
  private func fetch(
    of hash: String,
    from origin: any PictureOrigin
  ) throws(PictureStoreError) -> Fetch {
    try self.contents.withLock { contents throws(PictureStoreError) in
      if let fetch = contents.fetches[hash] { return fetch }
      guard contents.fetches.count < self.limits.uploads else {
        throw PictureStoreError(.busy, "\(self.limits.uploads) pictures are being fetched.")
      }
      let work = Fetch {
        // One that still waits for a disk takes room for as long as that lasts.
        defer { self.contents.withLock { $0.fetches[hash] = nil } }
        return await self.fetch(hash, from: origin)
      }
      let fetch = Self.result(of: work, within: self.limits.fetchTimeout)
      contents.fetches[hash] = fetch
      return fetch
    }
  }

  /// The result of a fetch, or a failure after a time. The fetch is cancelled then.
  private static func result(of work: Fetch, within limit: Duration) -> Fetch {
    Fetch {
      let (results, result) = AsyncStream.makeStream(of: Result<Void, PictureStoreError>.self)
      Task { result.yield(await work.value) }
      let timer = Task {
        try await Task.sleep(for: limit)
        work.cancel()
        result.finish()
      }
      defer { timer.cancel() }
      return await results.first { _ in true }
        ?? .failure(PictureStoreError(.originAway, "A picture did not arrive within \(limit)."))
    }
  }

  private func fetch(
    _ hash: String,
    from origin: some PictureOrigin
  ) async -> Result<Void, PictureStoreError> {
    do throws(PictureStoreError) {
      guard await self.onDisk({ self.exists(hash) }) == false else { return .success(()) }
      try await self.makingRoom { () async throws(PictureStoreError) in
        // It is part of the fetch, which has a limit of its own.
        let upload = self.newUpload(mayWait: false)
        let kept = try await upload.ending { () async throws(PictureStoreError) in
          let isThere = try await Self.asking {
            try await origin.fetch(hash) { piece in
              try await self.onDisk { try upload.write(Array(piece)) }
            }
          }
          return isThere ? try await self.keepHere(upload) : .failure(UnusablePicture.unknown)
        }
        // The origin is not trusted: only content with this hash is the picture.
        guard case .success(let picture) = kept, picture.hash == hash else {
          throw PictureStoreError(.notFound, "There is no such picture at the origin.")
        }
      }
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Stores a local picture at the origin.
  func share(_ picture: Picture) async throws(PictureStoreError) {
    guard let origin = self.origin else { return }
    let file = URL(filePath: self.path(picture.hash), directoryHint: .notDirectory)
    try await Self.asking { try await origin.keep(picture, file) }
  }

  private static func asking<Value: Sendable>(
    _ work: () async throws -> Value
  ) async throws(PictureStoreError) -> Value {
    do {
      return try await work()
    } catch let error as PictureStoreError {
      throw error
    } catch {
      throw PictureStoreError(.originAway, "The origin of pictures did not answer: \(error)")
    }
  }
}
