import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI

extension Site {
  /// A posted form. A program gets JSON, and a browser without JavaScript gets the page.
  ///
  /// A new session goes with the response even if the form was refused or could not be handled,
  /// because data that is kept for it, such as the input of a failed submission, belongs to that
  /// session.
  func submit(
    _ request: Request,
    _ client: Client,
    _ context: Context,
    _ path: String
  ) async -> Response {
    await self.withSession(request, client) { session in
      do {
        return try await self.submit(request, client, context, path, session)
      } catch {
        return self.response(to: request, for: error, context)
      }
    }
  }

  private func submit(
    _ request: Request,
    _ client: Client,
    _ context: Context,
    _ path: String,
    _ session: Session
  ) async throws -> Response {
    // A browser's input is shown again, and for that it must have arrived.
    if request.wantsJSON { try self.refuseWhileShuttingDown() }
    let window = try request.headers[.xWindow].map { text in
      guard let window = Identifier(text) else { throw HTTPFailure.unknownWindow }
      return window
    }
    let fields = try await self.fields(of: request, client, path)
    let post = PostRequest(
      request: request,
      client: client,
      path: path,
      query: Query(request.uri.query ?? ""),
      session: session,
      requester: self.requester(client, context, session),
      fields: fields
    )
    let answer: SubmissionAnswer
    do {
      answer = try await self.releasingPictures(of: fields) {
        // The body may have taken long to arrive.
        try self.refuseWhileShuttingDown()
        return try await self.windows.submit(
          fields,
          to: path,
          query: post.query,
          session: session.id,
          environment: request.environment(of: session),
          window: window,
          waits: request.wantsJSON == false,
          requester: post.requester
        )
      }
    } catch {
      return try await self.page(answering: post, error, context)
    }
    switch answer {
    case .accepted(let acceptance):
      return try await self.answer(post, acceptance)
    case .refused(let refusal, let version):
      if request.wantsJSON {
        return Response(
          status: refusal.status,
          SubmissionJSON(
            version: version,
            message: refusal.message,
            isWarning: refusal.kind == .warning,
            fields: refusal.fields
          )
        )
      }
      return try await self.page(answering: post, at: post.path, post.query, refusal)
    }
  }

  private func fields(
    of request: Request,
    _ client: Client,
    _ path: String
  ) async throws -> FormFields {
    if let boundary = request.multipartBoundary, self.windows.acceptsPictures(at: path) {
      try request.refuseCoding()
      return try await MultipartForm(windows: self.windows, self.configuration, path, client)
        .fields(of: request.body, boundary: boundary, length: request.contentLength)
    }
    return try await request.form(
      limit: self.configuration.bodyLimit,
      fieldLimit: self.configuration.fieldLimit
    )
  }

  /// Submits a form. What a refused form has uploaded is removed before its answer.
  private func releasingPictures(
    of fields: FormFields,
    _ submit: () async throws -> SubmissionAnswer
  ) async throws -> SubmissionAnswer {
    guard let store = self.configuration.pictures else { return try await submit() }
    do {
      let answer = try await submit()
      // An action that is unavailable may still take effect.
      let wasRefused = answer.refusal.map { $0.kind != .unavailable } ?? false
      await store.release(fields.pictures, wasRefused: wasRefused)
      return answer
    } catch {
      // It was refused before it reached its product.
      await store.release(fields.pictures, wasRefused: true)
      throw error
    }
  }

  private struct PostRequest {
    let request: Request
    let client: Client
    let path: String
    let query: Query
    let session: Session
    let requester: Requester
    let fields: FormFields
  }

  /// A program is answered immediately. A browser is answered when the effect has ended or the time
  /// is up; if the effect failed, the page shows why.
  private func answer(_ post: PostRequest, _ acceptance: Acceptance) async throws -> Response {
    let url = acceptance.url
    if post.request.wantsJSON {
      return Response(
        status: .ok,
        SubmissionJSON(
          version: acceptance.version,
          location: url == post.request.uri.string ? nil : url,
          pending: acceptance.isPending
        )
      )
    }
    guard acceptance.hasFailed else {
      var response = Response(seeOther: url)
      if let receipt = acceptance.receipt {
        response.setCookie(Receipts.setCookie(receipt, isSecure: post.client.isSecure))
      }
      return response
    }
    let parts = url.split(separator: "?", maxSplits: 1)
    let query = Query(parts.dropFirst().first ?? "")
    return try await self.page(answering: post, at: String(parts[0]), query, Refusal(.failure, ""))
  }

  /// The page with what the user typed, to be submitted again, for an error that may pass.
  ///
  /// - Throws: The error if there is no such page, or for a program.
  private func page(
    answering post: PostRequest,
    _ error: any Error,
    _ context: Context
  ) async throws -> Response {
    let failure = self.logged(error, of: post.request.method, post.path, context.logger)
    let kind: Refusal.Kind = failure.status == .serviceUnavailable ? .unavailable : .failure
    guard post.request.wantsJSON == false, failure.isTemporary,
      var response = try? await self.page(
        answering: post, at: post.path, post.query, Refusal(kind, failure.message))
    else { throw failure }
    for field in failure.headers { response.headers[field.name] = field.value }
    return response
  }

  /// The page with the error message and what the user typed.
  private func page(
    answering post: PostRequest,
    at path: String,
    _ query: Query,
    _ refusal: Refusal
  ) async throws -> Response {
    let page = try await self.windows.page(
      path,
      query: query,
      session: post.session.id,
      environment: post.request.environment(of: post.session),
      refused: RefusedSubmission(
        form: post.fields[FormField.form] ?? "",
        fields: post.fields,
        refusal: refusal
      ),
      requester: post.requester
    )
    let picker = self.picker(for: post.request.uri.string, post.request, post.client)
    return self.response(to: post.request, page, status: refusal.status, picker: picker)
  }
}

/// The answer to a submission (docs/PROTOCOL.md, Requests).
private struct SubmissionJSON {
  let version: UInt64
  var location: String?
  var pending = false
  var message: String?
  var isWarning = false
  var fields: [String: String]?

  /// `JSONEncoder` took 3 % of the time of a post.
  var text: String {
    var json = JSONWriter()
    json.write("{")
    json.write(member: "version", self.version)
    if let location { json.write(member: "location", location) }
    if self.pending { json.write(",\"pending\":true") }
    if let message { json.write(member: "message", message) }
    if self.isWarning { json.write(",\"isWarning\":true") }
    if let fields {
      json.write(member: "fields")
      json.write(object: fields) { json, message in json.write(string: message) }
    }
    json.write("}")
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension Response {
  fileprivate init(status: HTTPResponse.Status, _ json: SubmissionJSON) {
    self.init(status: status, text: json.text, type: "application/json")
  }
}
