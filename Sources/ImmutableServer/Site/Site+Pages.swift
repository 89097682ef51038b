import HTTPTypes
import Hummingbird
import ImmutableUI
import NIOCore

extension Site {
  /// A page, whole.
  func page(_ request: Request, _ client: Client, _ path: String) async throws -> Response {
    let (session, isNew) = self.sessions.session(of: request.head)
    let answer = try await self.windows.page(
      path,
      query: Query(request.uri.query ?? ""),
      session: session,
      environment: request.environment
    )
    var response = self.response(to: request, answer, path)
    if isNew {
      response.headers[.setCookie] = self.sessions.setCookie(
        session,
        isSecure: client.isSecure
      )
    }
    return response
  }

  /// - Parameter status: Of a page with content.
  func response(
    to request: Request,
    _ answer: PageAnswer,
    _ path: String,
    status: HTTPResponse.Status = .ok
  ) -> Response {
    switch answer {
    case .redirect(let url):
      return Response(seeOther: url)
    case .content(let content):
      let html = self.document.page(content, path: path)
      var response = Response(status: status, html: html)
      response.headers[.vary] = "Accept-Encoding"
      if html.count >= 1_024, request.acceptsGzip, let gzipped = Gzip.compress(html, level: 1) {
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: gzipped))
        response.headers[.contentEncoding] = "gzip"
      }
      return response
    }
  }
}
