package import NIOCore

extension Channel {
  /// Readies a channel that listens for more connections than there are descriptors, see
  /// ``AcceptPause``.
  ///
  /// - Parameters:
  ///   - host: What it was told to listen on.
  ///   - port: What it was told to; 0 if the system was to pick one.
  /// - Returns: The URL where it listens.
  package func didListen(on host: String, port: Int) async -> String {
    try? await self.eventLoop.submit {
      try self.pipeline.syncOperations.addHandler(AcceptPause(), position: .first)
    }.get()
    let name = host.contains(":") ? "[\(host)]" : host
    return "http://\(name):\(self.localAddress?.port ?? port)"
  }
}
