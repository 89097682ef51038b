import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore

extension Site {
  /// A complete page.
  func page(
    _ request: Request,
    _ client: Client,
    _ context: Context,
    _ path: String
  ) async throws -> Response {
    try await self.withSession(request, client) { session in
      // Whoever asks only for the head must not take the message for the next page.
      let isHead = request.method == .head
      let receipt = isHead ? nil : Receipts.receipt(of: request.head)
      let answer = try await self.windows.page(
        path,
        query: Query(request.uri.query ?? ""),
        session: isHead ? nil : session.id,
        environment: request.environment(of: session),
        receipt: receipt,
        requester: self.requester(client, context, session)
      )
      var response = self.response(
        to: request, answer, picker: self.picker(for: request.uri.string, request, client))
      if receipt != nil, case .content = answer { response.setCookie(Receipts.removal) }
      return response
    }
  }

  /// The sender of a request, for the turns of requests that wait to be rendered.
  ///
  /// - Parameter isPatient: Whether it waits for its turn without a time limit.
  func requester(
    _ client: Client,
    _ context: Context,
    _ session: Session,
    isPatient: Bool = false
  ) -> Requester {
    let channel = context.channel
    return Requester(
      network: client.network, session: session.isNew ? nil : session.id, isPatient: isPatient
    ) {
      guard channel.isActive else { return true }
      let hasGone = try? await channel.eventLoop.submit {
        try channel.pipeline.syncOperations.handler(type: ConnectionHandler.self).hasClientGone
      }.get()
      return hasGone ?? true
    }
  }

  /// Answers a browser in its session. One without a session, or with one of another boot, gets a new one
  /// with the response.
  func withSession(
    _ request: Request,
    _ client: Client,
    _ respond: (Session) async throws -> Response
  ) async rethrows -> Response {
    let session = self.sessions.session(of: request.head)
    var response = try await respond(session)
    if session.isNew {
      response.setCookie(self.sessions.setCookie(session.id, isSecure: client.isSecure))
    }
    return response
  }

  /// - Parameters:
  ///   - status: The status of a page that answers a submission; `nil` for an ordinary request.
  ///   - isLive: Whether it has the scripts of a live page.
  ///   - picker: The control with which developers choose a region of the page.
  func response(
    to request: Request,
    _ answer: PageAnswer,
    status: HTTPResponse.Status? = nil,
    isLive: Bool = true,
    picker: DeveloperPages.Picker? = nil
  ) -> Response {
    switch answer {
    case .redirect(let url):
      return Response(seeOther: url)
    case .content(let content):
      var body = DocumentBody(
        self.document.page(
          content,
          isLive: isLive,
          isFramed: request.isFramed,
          warning: self.configuration.warning?(),
          picker: picker
        ),
        content.writer
      )
      let first = body.next()
      let missing: HTTPResponse.Status = content.wasDeleted ? .gone : .notFound
      let status = status ?? (content.isMissing ? missing : .ok)
      var response = Response(status: status, html: body.isAtEnd ? first : [])
      let isGzipped = request.acceptsGzip && first.count >= 1_024
      if body.isAtEnd == false {
        // The length of a compressed body is known only once it has been made, not for HEAD.
        let isPacked = isGzipped && request.method != .head
        let compressor = isPacked ? self.compressors.permit() : nil
        response.body = ResponseBody(first, then: body, compressor)
        response.headers[.contentEncoding] = compressor == nil ? nil : "gzip"
      } else if isGzipped, let gzipped = Gzip.compress(first, level: Gzip.pageLevel) {
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: gzipped))
        response.headers[.contentEncoding] = "gzip"
      }
      return response
    }
  }
}
