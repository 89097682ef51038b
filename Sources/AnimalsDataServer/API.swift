import AnimalsData
import Foundation
import HTTPConnections
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Answers requests for the catalog.
struct API<Store>: HTTPResponder where Store: PersistentSessionPersistentStore {
  typealias Context = ChannelContext

  let store: Store
  let hosts: HostPolicy
  let token: BearerToken?
  let limits: ConnectionLimits
  /// `nil` if no pictures are stored.
  let pictures: APIPictures?
  /// The changes that clients follow.
  let changes: ChangeLog
  /// Why the server cannot do its work now, as sentences.
  let obstacles: @Sendable () async -> [String]
  let reads: CatalogReads<Store>

  init(
    store: Store,
    hosts: HostPolicy,
    token: BearerToken?,
    limits: ConnectionLimits,
    pictures: APIPictures? = nil,
    changes: ChangeLog = ChangeLog(),
    obstacles: @escaping @Sendable () async -> [String] = { [] }
  ) {
    self.store = store
    self.hosts = hosts
    self.token = token
    self.limits = limits
    self.pictures = pictures
    self.changes = changes
    self.obstacles = obstacles
    self.reads = CatalogReads(of: store)
  }

  func respond(to request: Request, context: Context) async throws -> Response {
    var response: Response
    do {
      response = try await self.answer(request, context)
    } catch {
      response = Self.response(for: HTTPFailure(error), context)
    }
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.cacheControl] = "no-store"
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method)", "path": "\(request.uri.path)",
        "status": "\(response.status.code)",
      ]
    )
    if request.method == .head { return response.withoutBody }
    response.pace(on: context.channel.eventLoop)
    return response
  }

  private func answer(_ request: Request, _ context: Context) async throws -> Response {
    try self.hosts.check(request.head)
    try Self.checkSite(request.head)
    if let response = try await self.health(request) { return response }
    if request.uri.path == "/animals/api/events" { return try self.events(request, context) }
    if let pictures = self.pictures, request.uri.path.hasPrefix(APIPictures.path) {
      return try await self.answer(request, pictures)
    }
    guard request.uri.path == "/animals/api" else {
      throw HTTPFailure(
        status: .notFound,
        message: "There is nothing at \(request.uri.path). Post to /animals/api."
      )
    }
    try request.allow(.post)
    try self.checkToken(request.headers)
    try Self.checkType(request.headers)
    let body = try await request.body(limit: self.limits.body)
    let remoteRequest = try RemoteRequest(body: Data(body.readableBytesView))
    try await self.pictures?.check(remoteRequest)
    let client = ClientNetwork.key(of: context.channel.remoteAddress?.ipAddress ?? "")
    return try await self.answer(remoteRequest, to: client)
  }

  private func answer(_ request: Request, _ pictures: APIPictures) async throws -> Response {
    try self.checkToken(request.headers)
    let rest = request.uri.path.dropFirst(APIPictures.path.count)
    if rest.isEmpty {
      try request.allow(.post)
      return try await pictures.keep(request)
    }
    try request.allow(.get)
    return try await pictures.picture(rest.dropFirst())
  }

  /// - Throws: `HTTPFailure`, 401.
  func checkToken(_ headers: HTTPFields) throws {
    guard self.token?.isIn(headers) == false else { return }
    throw HTTPFailure.unauthorized(
      "Send the token of this server, as Authorization: Bearer TOKEN.")
  }

  private static func checkSite(_ request: HTTPRequest) throws {
    guard request.isFromAnotherSite else { return }
    throw HTTPFailure(
      status: .forbidden,
      message: "Pages of other sites may not use this server."
    )
  }

  /// A page of another site cannot send this type without a CORS preflight, which is not answered.
  private static func checkType(_ headers: HTTPFields) throws {
    let type = headers[.contentType]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
    guard type?.lowercased() == "application/json" else {
      throw HTTPFailure(
        status: .unsupportedMediaType,
        message: "Send JSON, with Content-Type: application/json."
      )
    }
  }

  private static func response(for failure: HTTPFailure, _ context: Context) -> Response {
    if failure.status.code >= 500 {
      let error = failure.details ?? failure.message
      context.logger.error("a request failed", metadata: ["error": "\(error)"])
    }
    var response = Response(status: failure.status, json: ["error": failure.message])
    for field in failure.headers { response.headers[field.name] = field.value }
    return response
  }
}
