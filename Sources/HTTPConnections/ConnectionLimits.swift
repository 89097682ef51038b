package import HummingbirdCore
import NIOCore

/// What a server lets in on each connection.
package struct ConnectionLimits: Sendable {
  /// The most that the head of a request may have, in bytes.
  package var head: Int
  /// The most that the body of a request may have, in bytes.
  package var body: Int
  /// How long a request may take to arrive.
  package var readTimeout: Duration
  /// How long a connection may be idle between requests.
  package var idleTimeout: Duration

  package init(
    head: Int = 32_768,
    body: Int,
    readTimeout: Duration = .seconds(10),
    idleTimeout: Duration = .seconds(60)
  ) {
    self.head = head
    self.body = body
    self.readTimeout = readTimeout
    self.idleTimeout = idleTimeout
  }
}

extension HTTPServerBuilder {
  /// HTTP/1.1 on connections that keep to limits, see ``ConnectionHandler``.
  package static func http1(within limits: ConnectionLimits) -> HTTPServerBuilder {
    .http1(
      configuration: HTTP1Channel.Configuration(
        additionalChannelHandlers: [
          ConnectionHandler(readTimeout: limits.readTimeout, bodyLimit: limits.body)
        ],
        idleTimeout: .nanoseconds(Int64(limits.idleTimeout / .nanoseconds(1))),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: limits.head,
          maxHeaderListSize: limits.head,
          maxHeaderFieldCount: 200
        )
      )
    )
  }
}
