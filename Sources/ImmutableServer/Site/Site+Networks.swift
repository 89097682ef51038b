import HTTPConnections
import HTTPTypes
import Hummingbird
import ImmutableRuntime
import ImmutableUI
import NIOCore

// Simulated networks, for developers.
extension Site {
  /// The sink of a stream whose browser has a simulated network; `nil` for a normal network.
  func slowed(
    _ sink: EventSink,
    of session: Identifier,
    onWritable: @escaping () -> Void
  ) -> SlowSink? {
    let networks = self.windows.networks
    guard self.configuration.developer != nil, networks.isSlow(session) else { return nil }
    return SlowSink(sink, fate: { networks.fate(of: session, .toBrowser) }, onWritable: onWritable)
  }

  /// Answers a request over the simulated network of its browser. If the request or its answer is
  /// lost, the connection is closed.
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

  /// Waits as long as the simulated network takes.
  ///
  /// - Throws: An error if it is lost; then its connection has been closed.
  private func pass(
    _ session: Identifier,
    _ direction: Networks.Direction,
    _ context: Context
  ) async throws {
    guard let fate = self.windows.networks.fate(of: session, direction) else { return }
    // A client that stops waiting loses the answer.
    let isLost = (try? await Task.sleep(for: fate.latency)) == nil || fate.isLost
    guard isLost else { return }
    try? await context.channel.close()
    throw HTTPFailure(
      status: .serviceUnavailable, message: "A developer simulates a network that lost this.")
  }

  /// The session of a request that goes over a simulated network: requests of live windows, and
  /// posts. Pages and files are not affected, so that a page can still be opened. Posts to
  /// developer pages are not affected either, so that developers can undo a simulation for their
  /// own browser.
  private func slowSession(of request: Request) -> Identifier? {
    guard let developer = self.configuration.developer, self.windows.networks.isEmpty == false
    else { return nil }
    let path = request.uri.path
    guard path == Paths.stream || request.method == .post, developer.contain(path) == false else {
      return nil
    }
    let session = self.sessions.session(of: request.head)
    return session.isNew || self.windows.networks.isSlow(session.id) == false ? nil : session.id
  }
}
