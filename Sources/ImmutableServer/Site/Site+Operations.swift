import HTTPConnections
import HTTPTypes
import HostNames
import Hummingbird
import ImmutableRuntime
import NIOCore

/// Endpoints for monitoring.
extension Site {
  /// Whether the process is alive: it is if it answers.
  func health() -> Response {
    Response(status: .ok, text: "ok\n")
  }

  /// Whether the server should receive requests: not during a shutdown, and not while something
  /// prevents it from doing its work.
  func readiness() async -> Response {
    let reasons =
      self.isShuttingDown.isSet
      ? ["The server is ending."] : await self.configuration.obstacles()
    return reasons.isEmpty
      ? Response(status: .ok, text: "ready\n")
      : Response(status: .serviceUnavailable, text: reasons.map { $0 + "\n" }.joined())
  }

  /// The metrics, for clients that have the token. If no token is set, they are only for this
  /// machine, and not for requests that a proxy on it forwards.
  ///
  /// - Throws: ``HTTPFailure``: 404 if there are none, 401 and 403 for clients that may not see them.
  func metrics(_ request: Request, _ client: Client) async throws -> Response {
    guard let metrics = self.configuration.metrics else {
      throw HTTPFailure(status: .notFound, message: "There is no page at \(request.uri.path).")
    }
    if let token = self.configuration.metricsToken {
      let scheme = "Bearer "
      guard let given = request.headers[.authorization], given.hasPrefix(scheme),
        given.dropFirst(scheme.count).isSameSecret(as: token)
      else {
        throw HTTPFailure(
          status: .unauthorized,
          message: "The metrics want the token: Authorization: Bearer TOKEN.",
          headers: [.wwwAuthenticate: "Bearer"]
        )
      }
    } else {
      let host = HostPolicy.host(of: request.head.authority ?? "")
      guard client.isDirect, HostPolicy.isLoopback(client.address), HostPolicy.isLoopback(host)
      else {
        throw HTTPFailure(
          status: .forbidden,
          message:
            "Without a token the metrics are for this machine alone. Whoever runs the server can "
            + "give it one."
        )
      }
    }
    await self.windows.reportMetrics()
    return Response(
      status: .ok,
      text: metrics.text,
      type: "text/plain; version=0.0.4; charset=utf-8"
    )
  }
}

extension Response {
  fileprivate init(
    status: HTTPResponse.Status,
    text: String,
    type: String = "text/plain; charset=utf-8"
  ) {
    self.init(
      status: status,
      headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text))
    )
  }
}
