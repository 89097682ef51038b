package import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
  /// HTTP/1.1 with limits on each connection; see ``ConnectionHandler``.
  package static func http1(within limits: ConnectionLimits) -> HTTPServerBuilder {
    .http1(
      configuration: HTTP1Channel.Configuration(
        // Hummingbird's idle timeout would also close connections whose clients are still reading.
        additionalChannelHandlers: [ConnectionHandler(limits)],
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.head,
          maxHeaderListSize: limits.head,
          maxHeaderFieldCount: 200
        )
      )
    )
  }
}
