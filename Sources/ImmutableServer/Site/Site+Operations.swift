import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import Logging

/// Endpoints for monitoring.
extension Site {
  func readiness() async -> Response {
    await .readiness(
      isEnding: self.isShuttingDown.isSet,
      details: self.configuration.readinessDetails,
      obstacles: self.configuration.obstacles
    )
  }

  /// The metrics, for clients that have the token. If no token is set, they are only for this
  /// machine, and not for requests that a proxy on it forwards.
  ///
  /// - Throws: `HTTPFailure`: 404 if there are none, 401 and 403 for clients that may not see
  ///   them.
  func metrics(_ request: Request, _ client: Client) async throws -> Response {
    guard let metrics = self.configuration.metrics else {
      throw HTTPFailure.noPage(at: request.uri.path)
    }
    guard self.isOperator(request, client) else {
      guard self.configuration.metricsToken == nil else {
        throw HTTPFailure.unauthorized(
          "The metrics require the token: Authorization: Bearer TOKEN.")
      }
      throw HTTPFailure(
        status: .forbidden,
        message:
          "Without a token, the metrics are only for this machine. The operator of the server can "
          + "set one."
      )
    }
    await self.windows.reportMetrics()
    return Response(
      status: .ok,
      text: metrics.text,
      type: "text/plain; version=0.0.4; charset=utf-8"
    )
  }
}

extension Site {
  /// Whether a request has the operators' token. If no token is set: whether it is from this
  /// machine, and no proxy on it forwards it.
  private func isOperator(_ request: Request, _ client: Client) -> Bool {
    self.configuration.metricsToken.map { BearerToken($0).isIn(request.headers) }
      ?? self.isLocal(request, client)
  }

  /// Whether a request is from this machine, and no proxy on it forwards it.
  private func isLocal(_ request: Request, _ client: Client) -> Bool {
    let host = HostPolicy.host(of: request.head.authority ?? "")
    return client.isDirect && HostPolicy.isLoopback(client.address) && HostPolicy.isLoopback(host)
  }

  /// - Parameter url: The path and query of the requested page, wherever the request names it.
  /// - Throws: `HTTPFailure`, 404, if there is no such page, or if it is hidden from the client.
  func requirePage(at url: String, for request: Request, _ client: Client) throws {
    try self.refuseHidden(url, for: request, client)
    guard self.windows.hasPage(at: String(url.prefix { $0 != "?" })) else {
      throw HTTPFailure.noPage(at: url)
    }
  }

  /// - Throws: `HTTPFailure`, 404, if it is a developer page and the client is not an operator,
  ///   or is not on this machine although that is required. Everything else is logged, because
  ///   developer pages show what visitors do.
  func refuseHidden(_ url: some StringProtocol, for request: Request, _ client: Client) throws {
    guard let developer = self.configuration.developer, developer.contain(url) else { return }
    guard self.mayLookInside(request, client, developer) else { throw HTTPFailure.noPage(at: url) }
    self.configuration.logger.notice(
      "A developer opens a developer page",
      metadata: ["url": "\(url)", "address": "\(client.address)"]
    )
  }

  /// Whether a client may see the developer pages.
  func mayLookInside(
    _ request: Request,
    _ client: Client,
    _ developer: DeveloperPages
  ) -> Bool {
    self.isOperator(request, client)
      && (developer.areLocal == false || self.isLocal(request, client))
  }

  /// The picker with which a developer chooses a region of a page; `nil` for everybody else, and on
  /// developer pages.
  func picker(
    for url: String,
    _ request: Request,
    _ client: Client
  ) -> DeveloperPages.Picker? {
    guard let developer = self.configuration.developer, developer.contain(url) == false,
      self.mayLookInside(request, client, developer)
    else { return nil }
    return developer.picker(url)
  }

  /// A past page, whose scripts and forms do nothing.
  func past(
    _ request: Request,
    _ client: Client,
    _ developer: DeveloperPages
  ) async throws -> Response {
    let query = Query(request.uri.query ?? "")
    let environment = request.environment(of: self.sessions.session(of: request.head))
    guard let page = await developer.page(query, environment) else {
      throw HTTPFailure(
        status: .notFound,
        message: "There is no record of this page. Choose a page of this server."
      )
    }
    self.configuration.logger.notice(
      "A developer opens a past page",
      metadata: ["query": "\(request.uri.query ?? "")", "address": "\(client.address)"]
    )
    return self.response(to: request, .content(page), isLive: false)
  }

  /// A page of previews, which has no scripts.
  func preview(_ request: Request, _ developer: DeveloperPages) throws -> Response {
    guard request.method != .post else {
      throw HTTPFailure(
        status: .methodNotAllowed,
        message:
          "This is a preview: it shows what a component looks like, and its buttons do nothing.",
        headers: [.allow: "GET, HEAD"]
      )
    }
    try request.allow(.get, .head)
    let path = request.uri.path
    guard let page = try developer.preview(path, Query(request.uri.query ?? "")) else {
      throw HTTPFailure.noPage(at: path)
    }
    var response = self.response(to: request, .content(page), isLive: false)
    if page.appearance != nil {
      response.headers[.contentSecurityPolicy] = Self.previewPolicy
    }
    return response
  }
}
