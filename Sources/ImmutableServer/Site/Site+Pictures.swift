import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableUI
import Logging
import NIOCore
import Pictures

extension Site {
  /// An uploaded picture, `HASH`, or a small version of it, `HASH/96`. It never changes, so it may
  /// be cached forever.
  func picture(_ request: Request, _ name: String) async throws -> Response {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let size = parts.count == 2 ? PictureSize(name: parts[1]) : nil
    guard let store = self.configuration.pictures, let hash = parts.first.map(String.init),
      Picture.isHash(hash), parts.count == 1 || size != nil
    else { throw Self.noPicture }
    try await self.obtain(hash, for: store)
    guard let size else {
      return self.response(to: request, try await self.whole(hash, of: store), tag: hash)
    }
    guard let small = try await self.small(hash, size, of: store) else {
      _ = try await self.whole(hash, of: store)
      return Response(
        status: .temporaryRedirect,
        headers: [.location: Picture.path + hash, .cacheControl: "no-cache"]
      )
    }
    return self.response(to: request, small, tag: "\(hash)-\(size.side)")
  }

  private static let noPicture = HTTPFailure(
    status: .notFound, message: "There is no such picture.")

  private static let unavailable = HTTPFailure(
    status: .serviceUnavailable,
    message: "This picture cannot be shown at the moment. Try again later.",
    headers: [.retryAfter: "10"]
  )

  /// Fetches it from the place that servers share, if that is needed.
  private func obtain(_ hash: String, for store: PictureStore) async throws {
    guard store.hasOrigin else { return }
    do {
      let disk = DiskAccess.shared
      guard try await disk.run({ store.mustObtain(hash) }) else { return }
      try await disk.admit { try await store.obtain(hash) }
    } catch is DiskAccess.Exhausted, is CancellationError {
      throw Self.unavailable
    } catch let error as PictureStoreError where error.code == .notFound {
      throw Self.noPicture
    } catch {
      self.configuration.logger.warning(
        "A picture cannot be fetched", metadata: ["picture": "\(hash)", "error": "\(error)"])
      throw Self.unavailable
    }
  }

  private func whole(_ hash: String, of store: PictureStore) async throws -> StoredPicture {
    do {
      return try await DiskAccess.shared.run { try store.open(hash) }
    } catch is DiskAccess.Exhausted {
      throw Self.unavailable
    } catch let error as PictureStoreError where error.code == .notFound {
      throw Self.noPicture
    } catch let error as PictureStoreError {
      self.configuration.logger.warning(
        "A picture cannot be read", metadata: ["picture": "\(hash)", "error": "\(error)"])
      throw Self.unavailable
    }
  }

  /// - Returns: `nil` if there is none. The full picture can be used instead.
  private func small(
    _ hash: String,
    _ size: PictureSize,
    of store: PictureStore
  ) async throws -> StoredPicture? {
    let open: @Sendable () throws -> StoredPicture? = { try store.open(hash, size) }
    do {
      if let picture = try await DiskAccess.shared.run(open) { return picture }
      try await store.makeSmall(hash)
      return try await DiskAccess.shared.run(open)
    } catch is DiskAccess.Exhausted {
      throw Self.unavailable
    } catch let error as PictureStoreError where error.code == .notFound {
      return nil
    } catch {
      self.configuration.logger.warning(
        "There is no small picture", metadata: ["error": "\(error)"])
      return nil
    }
  }

  private func response(to request: Request, _ picture: StoredPicture, tag: String) -> Response {
    let entityTag = "\"\(tag)\""
    var headers: HTTPFields = [
      .cacheControl: "public, max-age=31536000, immutable",
      .eTag: entityTag,
      // Even if something in it looks like markup, it is not treated as part of this site.
      .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
    ]
    if request.knows(entityTag) { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = picture.kind.rawValue
    // A response without a body still has a length.
    guard request.method != .head else {
      headers[.contentLength] = "\(picture.count)"
      return Response(status: .ok, headers: headers)
    }
    return Response(
      status: .ok,
      headers: headers,
      body: .pieces(of: picture.count) { try picture.read($0, $1) }
    )
  }
}
