import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI

extension Site {
  /// A window joins, navigates or leaves.
  ///
  /// There, 404 says only that this server has no such stream or window: a proxy then asks the other
  /// servers. So a page that does not exist is 410.
  ///
  /// - Parameter rest: The path after `/_/windows`: empty, `/ID` or `/ID/leave`.
  func windows(
    _ request: Request,
    _ client: Client,
    _ context: Context,
    _ rest: String
  ) async throws -> Response {
    do {
      return try await self.moveWindow(request, client, context, rest)
    } catch let error where HTTPFailure(error).code == HTTPFailure.unknownPage {
      let message = HTTPFailure(error).message
      throw HTTPFailure(status: .gone, message: message, code: HTTPFailure.unknownPage)
    }
  }

  private func moveWindow(
    _ request: Request,
    _ client: Client,
    _ context: Context,
    _ rest: String
  ) async throws -> Response {
    let session = self.sessions.session(of: request.head)
    let parts = rest.split(separator: "/", omittingEmptySubsequences: true)
    switch parts.count {
    case 0:
      return try await self.join(request, client, context, session)
    case 1:
      let body = try await request.json(NavigationJSON.self, limit: self.configuration.bodyLimit)
      try self.refuseHidden(body.at.prefix { $0 != "?" }, for: request, client)
      try await self.windows.navigate(
        try self.window(parts[0]),
        session: session.id,
        to: body.at,
        navigation: body.navigation,
        tags: body.tags,
        awaited: body.awaited ?? [],
        environment: request.environment(of: session),
        requester: self.requester(client, context, session)
      )
      return Response(status: .noContent)
    case 2 where parts[1] == "leave":
      try await self.windows.leave(try self.window(parts[0]), session: session.id)
      return Response(status: .noContent)
    default:
      throw HTTPFailure(status: .notFound, message: "There is nothing at \(request.uri.path).")
    }
  }

  private func join(
    _ request: Request,
    _ client: Client,
    _ context: Context,
    _ session: Session
  ) async throws -> Response {
    let body = try await request.json(JoinJSON.self, limit: self.configuration.bodyLimit)
    try self.refuseHidden(body.at.prefix { $0 != "?" }, for: request, client)
    guard let stream = Identifier(body.stream) else { throw HTTPFailure.unknownStream }
    let window = try await self.windows.join(
      stream: stream,
      session: session.id,
      at: body.at,
      navigation: body.navigation,
      tags: body.tags ?? [:],
      awaited: body.awaited ?? [],
      environment: request.environment(of: session),
      requester: self.requester(client, context, session)
    )
    return Response(status: .created, json: ["window": window.text])
  }

  private func window(_ text: Substring) throws -> Identifier {
    guard let window = Identifier(text) else { throw HTTPFailure.unknownWindow }
    return window
  }
}

private struct JoinJSON: Decodable {
  let stream: String
  let at: String
  let navigation: Int
  let tags: [String: String]?
  let awaited: [AwaitedSubmission]?
}

struct NavigationJSON: Decodable {
  let at: String
  let navigation: Int
  let tags: [String: String]?
  let awaited: [AwaitedSubmission]?
}
