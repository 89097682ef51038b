package import HummingbirdCore
import NIOCore

extension HTTPServerBuilder {
  /// HTTP/1.1 with limits on each connection; see ``ConnectionHandler``.
  package static func http1(within limits: ConnectionLimits) -> HTTPServerBuilder {
    .http1(
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [ConnectionHandler(limits)],
        idleTimeout: TimeAmount(limits.idleTimeout),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.head,
          maxHeaderListSize: limits.head,
          maxHeaderFieldCount: 200
        )
      )
    )
  }
}
