import HTTPConnections
import HTTPTypes
import Hummingbird
import NIOCore

// The changes of the catalog, as server-sent events.
extension API {
  func events(_ request: Request, _ context: Context) throws -> Response {
    try request.allow(.get)
    try self.checkToken(request.headers)
    let version = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
    guard let reader = self.changes.reader(after: version) else {
      throw HTTPFailure(
        status: .serviceUnavailable,
        message: "Too many clients follow the changes. Try again later.",
        headers: [.retryAfter: "10"]
      )
    }
    // A disconnected client must not occupy a place until the next write.
    context.channel.closeFuture.whenComplete { _ in reader.end() }
    return Response(
      status: .ok,
      headers: [.contentType: "text/event-stream", .xAccelBuffering: "no"],
      body: ResponseBody { writer in
        // Sent immediately, so that the client knows that it is following.
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        try await reader.read { news in
          switch news {
          case .event(let event): try await writer.write(ByteBuffer(string: event))
          case .silence: try await writer.write(ByteBuffer(string: ":\n\n"))
          }
        }
        try await writer.finish(nil)
      }
    )
  }
}
