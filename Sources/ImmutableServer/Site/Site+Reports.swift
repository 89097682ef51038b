import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI

extension Site {
  /// The page where visitors report problems, and the posts to it. It works without scripts.
  ///
  /// - Throws: `HTTPFailure`, or `TemplateError` if templates do not compile.
  func report(_ request: Request, _ client: Client, _ reports: ReportPages) async throws -> Response
  {
    try request.allow(.get, .head, .post)
    var response = try await self.withSession(request, client) { session in
      let visitor = ReportPages.Visitor(
        session: session.id, network: client.network, environment: request.environment(of: session))
      if request.method == .post { return try await self.submit(request, visitor, reports) }
      let page = try reports.page(visitor, Query(request.uri.query ?? ""), nil)
      return self.response(to: request, .content(page), isLive: false)
    }
    response.headers[.cacheControl] = "no-store"
    return response
  }

  private func submit(
    _ request: Request,
    _ visitor: ReportPages.Visitor,
    _ reports: ReportPages
  ) async throws -> Response {
    try self.refuseWhileShuttingDown()
    let fields = try await request.form(
      limit: self.configuration.bodyLimit, fieldLimit: self.configuration.fieldLimit)
    do {
      return Response(seeOther: try await reports.submit(visitor, fields))
    } catch let refusal as Refusal {
      let refused = RefusedSubmission(
        form: fields[FormField.form] ?? "", fields: fields, refusal: refusal)
      let page = try reports.page(visitor, Query(), refused)
      return self.response(to: request, .content(page), status: refusal.status, isLive: false)
    }
  }
}
