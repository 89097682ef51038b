import HTTPTypes
import Hummingbird
import ImmutableUI
import NIOCore
import NIOPosix
import Pictures

extension Site {
  /// A picture that somebody has uploaded. It never changes, so it may be cached forever.
  func picture(_ request: Request, _ hash: String) async throws -> Response {
    let unknown = HTTPFailure(status: .notFound, message: "There is no such picture.")
    guard let store = self.configuration.pictures, Picture.isHash(hash) else { throw unknown }
    let picture: StoredPicture
    do {
      picture = try await NIOThreadPool.singleton.runIfActive { try store.open(hash) }
    } catch let error as PictureStoreError where error.code == .notFound {
      throw unknown
    }
    let entityTag = "\"\(hash)\""
    var headers: HTTPFields = [
      .cacheControl: "public, max-age=31536000, immutable",
      .eTag: entityTag,
      // Should something in it look like markup, it is still none of this site's.
      .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'; sandbox",
    ]
    if request.knows(entityTag) { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = picture.kind.rawValue
    // A response without a body has a length all the same.
    guard request.method != .head else {
      headers[.contentLength] = "\(picture.count)"
      return Response(status: .ok, headers: headers)
    }
    let body = ResponseBody(contentLength: picture.count) { writer in
      // A client that reads slowly keeps one piece alive, and no more.
      for offset in stride(from: 0, to: picture.count, by: Self.pieceLength) {
        let count = min(Self.pieceLength, picture.count - offset)
        let bytes = try await NIOThreadPool.singleton.runIfActive {
          try picture.read(offset, count)
        }
        try await writer.write(ByteBuffer(bytes: bytes))
      }
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: headers, body: body)
  }

  private static let pieceLength = 64 << 10
}
