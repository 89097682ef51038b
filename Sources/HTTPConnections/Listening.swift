package import Hummingbird
package import Logging
package import NIOCore

/// The address at which a server listens, and whether it listens by now.
package struct Listening: Sendable {
  private let host: String
  private let port: Int
  private let logger: Logger
  private let hasBegun = Latch()

  /// The maximum number of connections that wait to be accepted. The system lowers it to its own limit,
  /// 4,096 by default. A client beyond it tries again by itself, later each time, so a queue that is
  /// short for a burst holds everybody up for many seconds.
  ///
  /// Source: listen(2); tcp(7), tcp_syn_retries.
  private static let queueLimit = 65_535

  /// - Parameters:
  ///   - host: The host that was configured.
  ///   - port: The port that was configured; 0 if the system is to pick one.
  ///   - logger: Receives what goes wrong later.
  package init(host: String, port: Int, logger: Logger) {
    self.host = host
    self.port = port
    self.logger = logger
  }

  package var configuration: ApplicationConfiguration {
    ApplicationConfiguration(
      address: .hostname(self.host, port: self.port), backlog: Self.queueLimit)
  }

  /// Makes the listening channel pause, and log that, while descriptors are scarce; see
  /// ``AcceptPause``.
  ///
  /// - Returns: The URL at which it listens.
  package func begin(on channel: any Channel) async -> String {
    self.hasBegun.set()
    do {
      try await channel.eventLoop.submit { [logger] in
        try channel.pipeline.syncOperations.addHandler(
          AcceptPause(logger: logger), position: .first)
      }.get()
    } catch {
      self.logger.error(
        "The server accepts connections even if descriptors are scarce",
        metadata: ["error": "\(error)"]
      )
    }
    let name = self.host.contains(":") ? "[\(self.host)]" : self.host
    return "http://\(name):\(channel.localAddress?.port ?? self.port)"
  }

  /// Why the server cannot listen.
  ///
  /// - Parameter error: An error of the server.
  /// - Returns: `nil` for an error that is not about the address, and for one that came later.
  ///   Later ones can have the same codes.
  package func failure(_ error: any Error) -> ListeningFailure? {
    self.hasBegun.isSet ? nil : ListeningFailure(error, host: self.host, port: self.port)
  }
}
