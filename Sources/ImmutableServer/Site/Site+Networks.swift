import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore

// Networks that developers have made worse.
extension Site {
  /// The sink of a stream whose browser has a worse network; `nil` if it is as it is.
  func slowed(
    _ sink: EventSink,
    of session: Identifier,
    onWritable: @escaping () -> Void
  ) -> SlowSink? {
    let networks = self.windows.networks
    guard self.configuration.developer != nil, networks.isSlow(session) else { return nil }
    return SlowSink(sink, fate: { networks.fate(of: session, .toBrowser) }, onWritable: onWritable)
  }

  /// Answers a request as the network of its browser lets it. What is lost, or whose answer is, ends with
  /// its connection.
  func overNetwork(
    _ request: Request,
    _ context: Context,
    respond: () async throws -> Response
  ) async throws -> Response {
    guard let session = self.slowSession(of: request) else { return try await respond() }
    try await self.pass(session, .toServer, context)
    let response = try await respond()
    try await self.pass(session, .toBrowser, context)
    return response
  }

  /// Takes as long as the network does.
  ///
  /// - Throws: If it is lost; then its connection has been closed.
  private func pass(
    _ session: Identifier,
    _ direction: Networks.Direction,
    _ context: Context
  ) async throws {
    guard let fate = self.windows.networks.fate(of: session, direction) else { return }
    // Whoever does not wait for it loses it.
    let isLost = (try? await Task.sleep(for: fate.latency)) == nil || fate.isLost
    guard isLost else { return }
    try? await context.channel.close()
    throw HTTPFailure(
      status: .serviceUnavailable, message: "A developer lets the network lose this.")
  }

  /// The session of a request that goes over a worse network: what live windows ask for, and what is
  /// posted. Pages and files come as ever, so that a page can be opened, and developer pages take posts,
  /// so that a developer whose own browser it is can go back.
  private func slowSession(of request: Request) -> Identifier? {
    guard let developer = self.configuration.developer else { return nil }
    let path = request.uri.path
    guard path == Paths.stream || request.method == .post, developer.contain(path) == false else {
      return nil
    }
    let session = self.sessions.session(of: request.head)
    return session.isNew || self.windows.networks.isSlow(session.id) == false ? nil : session.id
  }
}
