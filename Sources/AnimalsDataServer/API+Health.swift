import HTTPConnections
import HTTPTypes
import Hummingbird
import NIOCore

// Endpoints for monitoring, with the answers of the Server.
extension API {
  /// - Returns: `nil` if the request is for something else.
  /// - Throws: ``HTTPFailure``: 405; 401 for `/readyz`, which has paths, without the token.
  func health(_ request: Request) async throws -> Response? {
    switch request.uri.path {
    case "/healthz":
      try Self.allow(.get, request)
      return Self.response(.ok, ["ok"])
    case "/readyz":
      try Self.allow(.get, request)
      try self.checkToken(request.headers)
      let reasons = await self.obstacles()
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
