import HTTPConnections
import Hummingbird

// Endpoints for monitoring, with the answers of the Server.
extension API {
  /// - Returns: `nil` if the request is for something else.
  /// - Throws: `HTTPFailure`: 405; 401 for `/readyz`, which has paths, without the token.
  func health(_ request: Request) async throws -> Response? {
    switch request.uri.path {
    case "/healthz":
      try request.allow(.get, .head)
      return .health
    case "/readyz":
      try request.allow(.get, .head)
      try self.checkToken(request.headers)
      return await .readiness(
        isEnding: self.limits.endSignal.hasCome, obstacles: self.obstacles)
    default:
      return nil
    }
  }
}
