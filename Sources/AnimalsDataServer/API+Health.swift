import HTTPConnections
import HTTPTypes
import Hummingbird
import NIOCore

// Endpoints for monitoring, with the answers of the Server.
extension API {
  /// Whether the process is alive (`/healthz`), and whether the server should receive requests
  /// (`/readyz`): not during a shutdown, and not while something prevents it from doing its work.
  ///
  /// - Returns: `nil` if the request is for something else.
  /// - Throws: ``HTTPFailure``: 405; 401 for `/readyz`, which has paths, without the token.
  func health(_ request: Request) async throws -> Response? {
    switch request.uri.path {
    case "/healthz":
      try request.allow(.get, .head)
      return Self.response(.ok, ["ok"])
    case "/readyz":
      try request.allow(.get, .head)
      try self.checkToken(request.headers)
      let reasons =
        self.limits.endSignal.hasCome
        ? ["The server is shutting down."] : await self.obstacles()
      return reasons.isEmpty
        ? Self.response(.ok, ["ready"]) : Self.response(.serviceUnavailable, reasons)
    default:
      return nil
    }
  }

  private static func response(_ status: HTTPResponse.Status, _ lines: [String]) -> Response {
    Response(
      status: status,
      headers: [.contentType: "text/plain; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: lines.map { $0 + "\n" }.joined()))
    )
  }
}
