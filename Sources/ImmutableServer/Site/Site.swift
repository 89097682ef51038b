import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import Logging
import NIOCore
import Pictures
import Tracing

/// Answers requests: pages, posts, the stream, windows, public files.
///
/// A class, because every stream retains it, and a copy would take more memory than the rest of the
/// stream.
final class Site: HTTPResponder, Sendable {
  typealias Context = ChannelContext

  let windows: WindowGroup
  let hubs: LoopHubs
  let files: PublicFiles
  let document: Document
  let sessions: Sessions
  let hosts: HostPolicy
  let configuration: WebServerConfiguration
  let isShuttingDown = Latch()
  let requests = RequestMetrics()
  let compressors = PageCompressors()
  /// Whether there is a tracer.
  private let isTraced = InstrumentationSystem.instrument is NoOpInstrument == false

  init(
    windows: WindowGroup,
    hubs: LoopHubs,
    files: PublicFiles,
    document: Document,
    sessions: Sessions,
    configuration: WebServerConfiguration
  ) {
    self.windows = windows
    self.hubs = hubs
    self.files = files
    self.document = document
    self.sessions = sessions
    self.hosts = HostPolicy(allowed: configuration.allowedHosts)
    self.configuration = configuration
  }

  func respond(to request: Request, context: Context) async throws -> Response {
    guard request.uri.path == Paths.stream else { return await self.answerInSpan(request, context) }
    // A task keeps the memory of its calls until it ends, and the connection's task lasts as long
    // as the stream.
    let task = Task { await self.answerInSpan(request, context) }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Answers a request; if there is a tracer, in its own span.
  private func answerInSpan(_ request: Request, _ context: Context) async -> Response {
    guard self.isTraced else { return await self.answer(request, context) }
    let trace = self.trace(of: request, context)
    return await withSpan("\(request.method)", context: trace, ofKind: .server) { span in
      let response = await self.answer(request, context)
      span.attributes["http.request.method"] = "\(request.method)"
      span.attributes["url.path"] = request.uri.path
      span.attributes["http.response.status_code"] = Int64(response.status.code)
      return response
    }
  }

  /// The trace that a trusted proxy has started; a new trace for all other clients.
  private func trace(of request: Request, _ context: Context) -> ServiceContext {
    var trace = ServiceContext.topLevel
    let peer = context.channel.remoteAddress?.ipAddress ?? ""
    if self.configuration.trustedProxies.trusts(peer) {
      InstrumentationSystem.instrument.extract(
        request.headers, into: &trace, using: TraceFields())
    }
    return trace
  }

  private func answer(_ request: Request, _ context: Context) async -> Response {
    let begun = ContinuousClock.now
    let client = Client(
      request.head,
      peer: context.channel.remoteAddress?.ipAddress ?? "",
      proxies: self.configuration.trustedProxies
    )
    var response: Response
    do {
      try self.hosts.check(request.head)
      try OriginPolicy.check(request.head)
      response = try await self.overNetwork(request, context) {
        try await self.route(request, client, context)
      }
    } catch {
      response = self.response(to: request, for: error, context)
    }
    let policy = response.headers[.contentSecurityPolicy]
    for field in Self.securityHeaders {
      response.headers[field.name] = field.value
    }
    if request.uri.path == self.configuration.developer?.past {
      response.headers[.contentSecurityPolicy] = Self.pastPolicy
    } else if request.isFramed {
      response.headers[.contentSecurityPolicy] = Self.framedPolicy
    }
    // Content from visitors gets stricter headers.
    if let policy { response.headers[.contentSecurityPolicy] = policy }
    self.record(request, response, client, context, .now - begun)
    if request.method == .head { return response.withoutBody }
    response.pace(on: context.channel.eventLoop)
    return response
  }

  private func record(
    _ request: Request,
    _ response: Response,
    _ client: Client,
    _ context: Context,
    _ duration: Duration
  ) {
    self.requests.record(response.status, duration)
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(request.uri.path)",
        "status": "\(response.status.code)", "client": "\(client.address)",
        "window": "\(request.window?.text ?? "none")",
        "milliseconds": "\(duration / .milliseconds(1))",
      ]
    )
  }

  private func route(
    _ request: Request,
    _ client: Client,
    _ context: Context
  ) async throws -> Response {
    let path = request.uri.path
    if path == Paths.stream {
      try request.allow(.get, .post)
      return try await self.stream(request, client, context)
    }
    if [Paths.health, Paths.readiness, Paths.metrics].contains(path) {
      try request.allow(.get, .head)
      if path == Paths.metrics { return try await self.metrics(request, client) }
      return path == Paths.health ? .health : await self.readiness()
    }
    if path == Paths.windows || path.hasPrefix(Paths.windows + "/") {
      try request.allow(.post)
      return try await self.windows(
        request, client, context, String(path.dropFirst(Paths.windows.count)))
    }
    if path.hasPrefix(Paths.files) {
      try request.allow(.get, .head)
      return try self.file(request, String(path.dropFirst(Paths.files.count)))
    }
    if path.hasPrefix(Picture.path) {
      try request.allow(.get, .head)
      return try await self.picture(request, String(path.dropFirst(Picture.path.count)))
    }
    if path == Paths.icon {
      try request.allow(.get, .head)
      return try self.file(request, "icon.svg")
    }
    if let developer = self.configuration.developer, path == developer.past {
      guard self.mayLookInside(request, client, developer) else {
        throw HTTPFailure.noPage(at: path)
      }
      try request.allow(.get, .head)
      return try await self.past(request, client, developer)
    }
    if let developer = self.configuration.developer, developer.arePreviews(at: path) {
      try self.refuseHidden(path, for: request, client)
      return try self.preview(request, developer)
    }
    if let reports = self.configuration.reports, path == reports.path {
      return try await self.report(request, client, reports)
    }
    try self.requirePage(at: path, for: request, client)
    try request.allow(.get, .head, .post)
    return request.method == .post
      ? await self.submit(request, client, context, path)
      : try await self.page(request, client, context, path)
  }

  /// - Throws: `HTTPFailure`, 503 during a shutdown.
  func refuseWhileShuttingDown() throws {
    guard self.isShuttingDown.isSet else { return }
    throw HTTPFailure(
      status: .serviceUnavailable,
      message: "The server is restarting. Nothing has changed; try again in a moment.",
      headers: [.retryAfter: "2"]
    )
  }

  /// - Throws: `HTTPFailure`, 503 while the shown state may be old.
  func refuseWhileCutOff() throws {
    guard self.configuration.isCutOff?() == true else { return }
    throw HTTPFailure(
      status: .serviceUnavailable,
      message: "This server is cut off from changes at the moment.",
      headers: [.retryAfter: "2"]
    )
  }

  /// What the client of a failed request is told. A failure of the server is logged.
  func logged(
    _ error: any Error,
    of method: HTTPRequest.Method,
    _ path: String,
    _ logger: Logger
  ) -> HTTPFailure {
    let failure = HTTPFailure(error)
    if failure.status.code >= 500, error is WindowError == false, error is HTTPFailure == false {
      logger.error(
        "a request failed",
        metadata: ["method": "\(method)", "path": "\(path)", "error": "\(error)"]
      )
    }
    return failure
  }

  /// The answer to a failed request.
  func response(
    to request: Request,
    for error: any Error,
    _ context: Context
  ) -> Response {
    let failure = self.logged(error, of: request.method, request.uri.path, context.logger)
    var response =
      request.wantsJSON
      ? Response(
        status: failure.status, json: FailureJSON(message: failure.message, code: failure.code))
      : Response(
        status: failure.status,
        html: self.document.error(
          failure, path: request.uri.path, isPost: request.method == .post)
      )
    for field in failure.headers {
      response.headers[field.name] = field.value
    }
    return response
  }

  /// The answer to a request that cannot be read; see ``HTTPFailure/unreadable(_:)``.
  func refusal(_ status: HTTPResponse.Status) -> (fields: HTTPFields, body: [UInt8]) {
    // Only a body takes long to arrive.
    let page = self.document.error(
      .unreadable(status), path: nil, isPost: status == .requestTimeout)
    return (Response.htmlFields + Self.securityHeaders, page)
  }
}

private struct FailureJSON: Encodable {
  let message: String
  let code: String?
}

/// The paths of the server itself. All others belong to products.
enum Paths {
  static let stream = "/_/stream"
  static let windows = "/_/windows"
  static let files = "/public/"
  static let health = "/healthz"
  static let readiness = "/readyz"
  static let metrics = "/metrics"
  static let icon = "/favicon.ico"

  /// The paths outside the folders.
  static let single = [Self.health, Self.readiness, Self.metrics, Self.icon]

  /// Whether a page is in a folder in which the server itself answers.
  static func haveFolder(of path: String) -> Bool {
    ["/_/", Self.files, Picture.path].contains { path.hasPrefix($0) }
  }
}

extension Site {
  /// The headers of every response.
  fileprivate static let securityHeaders: HTTPFields = [
    .contentSecurityPolicy: "\(Site.policy); frame-ancestors 'none'",
    .xContentTypeOptions: "nosniff",
    .referrerPolicy: "same-origin",
  ]

  /// The policy of a page in a frame: only pages of this server may show it.
  fileprivate static let framedPolicy = "\(Site.policy); frame-ancestors 'self'"

  /// The policy of a past page: it does nothing.
  fileprivate static let pastPolicy = Site.scriptlessPolicy(formAction: "'none'")

  /// The policy of a preview: its forms for local state work.
  static let previewPolicy = Site.scriptlessPolicy(formAction: "'self'")

  private static func scriptlessPolicy(formAction: String) -> String {
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action \(formAction); "
      + "base-uri 'none'; frame-ancestors 'self'"
  }

  private static let policy =
    "default-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'"
}

extension HTTPField.Name {
  static let referrerPolicy = Self("Referrer-Policy")!
  static let secFetchDest = Self("Sec-Fetch-Dest")!
  static let xWindow = Self("X-Window")!
}

/// Reads the values that a tracer asks for from the header fields of a request.
private struct TraceFields: Extractor {
  func extract(key: String, from fields: HTTPFields) -> String? {
    HTTPField.Name(key).flatMap { fields[$0] }
  }
}
