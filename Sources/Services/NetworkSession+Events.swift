import Foundation

extension NetworkSession {
  /// Follows the events of a server.
  ///
  /// ```swift
  /// try await session.events(for: request) { event in print(event.id, event.data) }
  /// ```
  ///
  /// - Parameters:
  ///   - request: Its timeout is how long the server may send nothing, not even a comment.
  ///   - onFollowing: Called once the server has answered that its events follow.
  ///   - body: Receives each event, and the next one when it returns.
  /// - Throws: ``NetworkSessionError`` when there are no events, or when the stream ends, even if
  ///   the server has ended it; `CancellationError` if the task is cancelled; an error that `body`
  ///   throws.
  public func events(
    for request: URLRequest,
    onFollowing: @Sendable () -> Void = {},
    _ body: @Sendable (ServerSentEvent) async throws -> Void
  ) async throws {
    var parser = EventParser()
    try await self.stream(request) { response in
      guard response.mediaType == "text/event-stream" else {
        throw self.wrongType(response.mediaType, "server-sent events", request)
      }
      onFollowing()
    } chunk: { chunk in
      for event in try parser.push(chunk) { try await body(event) }
    }
    try Task.checkCancellation()
    throw Self.Error(
      code: .connectionError,
      message: "The \(request.place) has ended the stream of events."
    )
  }
}
