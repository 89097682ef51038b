import Foundation

extension PictureStore {
  /// Gets a picture from the ``PictureOrigin`` if it is not here.
  ///
  /// - Throws: ``PictureStoreError``: `notFound` if it is nowhere; `busy`, `full`, or what the disk says;
  ///   `originAway`.
  /// - Complexity: O(n), n bytes, once for each picture.
  public func obtain(_ hash: String) async throws(PictureStoreError) {
    guard let origin = self.origin, Picture.isHash(hash), self.exists(hash) == false else { return }
    let upload = try self.upload()
    let isThere = try await Self.asking {
      try await origin.fetch(hash) { try upload.write(Array($0)) }
    }
    // Whoever has the origin can say anything: only what has this hash is this picture.
    guard isThere, case .success(let picture) = try await self.keepHere(upload),
      picture.hash == hash
    else { throw PictureStoreError(.notFound, "There is no such picture at the origin.") }
  }

  /// Has the origin keep a picture that is here.
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
