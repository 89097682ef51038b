import HTTPTypes
import Hummingbird
import NIOCore

extension Site {
  /// A public file, with its validator: 304 for a browser that has it.
  func file(_ request: Request, _ name: String) throws -> Response {
    guard let file = self.files[name] else {
      throw Failure(status: .notFound, message: "There is no file \(name).")
    }
    // A URL that names the version never means anything else.
    let isVersioned = request.uri.queryParameters["v"].map { $0 == self.files.version } ?? false
    var headers: HTTPFields = [
      .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
      .eTag: file.entityTag,
      .vary: "Accept-Encoding",
    ]
    let known = request.headers[.ifNoneMatch]?.split(separator: ",").map { $0.filter { $0 != " " } }
    if known?.contains(where: { $0 == file.entityTag || $0 == "W/\(file.entityTag)" || $0 == "*" })
      == true
    {
      return Response(status: .notModified, headers: headers)
    }
    headers[.contentType] = file.contentType
    var bytes = file.bytes
    if let gzipped = file.gzipped, request.acceptsGzip {
      headers[.contentEncoding] = "gzip"
      bytes = gzipped
    }
    return Response(
      status: .ok,
      headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
    )
  }
}
