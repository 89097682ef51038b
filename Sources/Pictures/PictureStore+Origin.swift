import Foundation
import Synchronization

extension PictureStore {
  /// Fetches a picture from the ``PictureOrigin`` if it is not here. Concurrent requests for the
  /// same picture wait for one fetch.
  ///
  /// - Throws: ``PictureStoreError``: `notFound` if it does not exist; `busy`, `full`, or an error
  ///   of the disk; `originAway`.
  /// - Complexity: O(n), n bytes and pixels, once for each picture.
  public func obtain(_ hash: String) async throws(PictureStoreError) {
    guard let origin = self.origin, Picture.isHash(hash) else { return }
    let fetch = try await self.onDisk { () throws(PictureStoreError) in
      try self.fetch(of: hash, from: origin)
    }
    try await fetch?.value.get()
  }

  /// The fetch in progress, or a new one. Only ``onDisk(_:)`` calls this, so no other fetch begins
  /// meanwhile.
  ///
  /// - Returns: `nil` if the picture is here.
  private func fetch(
    of hash: String,
    from origin: any PictureOrigin
  ) throws(PictureStoreError) -> Task<Result<Void, PictureStoreError>, Never>? {
    if let fetch = self.contents.withLock({ $0.fetches[hash] }) { return fetch }
    guard self.exists(hash) == false else { return nil }
    return try self.contents.withLock { contents throws(PictureStoreError) in
      guard contents.fetches.count < self.limits.uploads else {
        throw PictureStoreError(.busy, "\(self.limits.uploads) pictures are being fetched.")
      }
      let fetch = Task {
        defer { self.contents.withLock { $0.fetches[hash] = nil } }
        return await self.fetch(hash, from: origin)
      }
      contents.fetches[hash] = fetch
      return fetch
    }
  }

  private func fetch(
    _ hash: String,
    from origin: some PictureOrigin
  ) async -> Result<Void, PictureStoreError> {
    do throws(PictureStoreError) {
      try await self.makingRoom { () async throws(PictureStoreError) in
        let upload = try await self.onDisk { () throws(PictureStoreError) in
          try self.newUpload()
        }
        let isThere = try await Self.asking {
          try await origin.fetch(hash) { piece in
            try await self.onDisk { try upload.write(Array(piece)) }
          }
        }
        // The origin is not trusted: only content with this hash is the picture.
        guard isThere, case .success(let picture) = try await self.keepHere(upload),
          picture.hash == hash
        else { throw PictureStoreError(.notFound, "There is no such picture at the origin.") }
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
