package import NIOCore

extension Channel {
  /// The URL where a channel listens.
  ///
  /// - Parameters:
  ///   - host: What it was told to listen on.
  ///   - port: What it was told to; 0 if the system was to pick one.
  package func url(host: String, port: Int) -> String {
    let name = host.contains(":") ? "[\(host)]" : host
    return "http://\(name):\(self.localAddress?.port ?? port)"
  }

  /// Has a channel that listens wait when there are more connections than descriptors, see
  /// ``AcceptPause``.
  package func pauseWhenFull() async throws {
    try await self.eventLoop.submit {
      try self.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
    }.get()
  }
}
