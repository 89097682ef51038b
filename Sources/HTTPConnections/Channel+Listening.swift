package import Logging
package import NIOCore

extension Channel {
  /// The URL at which a channel listens.
  ///
  /// - Parameters:
  ///   - host: The host that it was configured with.
  ///   - port: The port that it was configured with; 0 if the system was to pick one.
  package func url(host: String, port: Int) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "http://\(name):\(self.localAddress?.port ?? port)"
  }

  /// Makes a listening channel pause, and log that, while descriptors are scarce; see
  /// ``AcceptPause``.
  package func pauseWhenFull(logger: Logger) async {
    do {
      try await self.eventLoop.submit {
        try self.pipeline.syncOperations.addHandler(AcceptPause(logger: logger), position: .first)
      }.get()
    } catch {
      logger.error(
        "The server accepts connections even if descriptors are scarce",
        metadata: ["error": "\(error)"]
      )
    }
  }
}
