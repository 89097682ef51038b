import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore

extension Site {
  /// A public file with its entity tag. A browser that already has it gets 304.
  ///
  /// The content of a URL with the current version never changes, so it may be cached forever. A
  /// URL with another release's version, from a page that was loaded then, gets the newest file.
  func file(_ request: Request, _ path: String) throws -> Response {
    let parts = path.split(separator: "/", maxSplits: 1)
    let name = parts.count == 2 && Identifier(parts[0]) != nil ? String(parts[1]) : path
    guard let file = self.files[name] else {
      throw HTTPFailure.noPage(at: request.uri.path)
    }
    let zipped = request.acceptsGzip ? file.gzipped : nil
    let content = zipped ?? file.plain
    let isVersioned = parts.count == 2 && parts[0] == self.files.version
    var headers: HTTPFields = [
      .cacheControl: isVersioned ? "public, max-age=31536000, immutable" : "no-cache",
      .eTag: content.entityTag,
      .vary: "Accept-Encoding",
    ]
    if request.knows(content.entityTag) { return Response(status: .notModified, headers: headers) }
    headers[.contentType] = file.contentType
    headers[.contentEncoding] = zipped == nil ? nil : "gzip"
    return Response(
      status: .ok,
      headers: headers,
      body: ResponseBody(byteBuffer: content.bytes)
    )
  }
}
