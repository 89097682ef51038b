import HTTPTypes
import Hummingbird
import ImmutableUI

extension Site {
  /// A posted form: to a program JSON, to a browser without JavaScript the page.
  func submit(_ request: Request, _ path: String) async throws -> Response {
    try self.refuseWhileShuttingDown()
    let fields = try await request.form(limit: self.configuration.bodyLimit)
    let (session, _) = self.sessions.session(of: request.head)
    let window = try request.headers[.xWindow].map { text in
      guard let window = Identifier(text) else { throw Failure.unknownWindow }
      return window
    }
    let answer = try await self.windows.submit(
      fields,
      to: path,
      session: session,
      window: window
    )
    switch answer {
    case .accepted(let version):
      return request.wantsJSON
        ? Response(status: .ok, json: SubmissionJSON(version: version))
        : Response(seeOther: request.uri.string)
    case .refused(let refusal, let version):
      if request.wantsJSON {
        return Response(
          status: refusal.status,
          json: SubmissionJSON(version: version, message: refusal.message, fields: refusal.fields)
        )
      }
      let form = fields[FormField.form] ?? ""
      let page = try await self.windows.page(
        path,
        query: Query(request.uri.query ?? ""),
        refused: RefusedSubmission(form: form, fields: fields, refusal: refusal)
      )
      return self.response(to: request, page, path, status: refusal.status)
    }
  }
}

/// The answer to a submission (docs/PROTOCOL.md, Requests).
private struct SubmissionJSON: Encodable {
  let version: UInt64
  var message: String?
  var fields: [String: String]?
}
