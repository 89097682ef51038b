import NIOCore
import NIOHTTP1

/// Keeps what the first line of the newest request says: its version, and whom it is for.
final class RequestLine: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private(set) var isHTTP10 = false
  /// Whether it offers or wants another protocol on this connection.
  private(set) var isUpgrade = false
  private var isRefusing = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.isRefusing == false else { return }
    guard case .head(var head) = self.unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    self.isHTTP10 = head.version == .http1_0
    self.isUpgrade = head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    if let status = Self.refusal(of: head.headers["Transfer-Encoding"]) {
      self.isRefusing = true
      context.fireUserInboundEventTriggered(RefusedRequest(status: status))
      return
    }
    if let authority = Self.authority(of: head.uri) {
      head.headers.replaceOrAdd(name: "Host", value: authority)
    }
    context.fireChannelRead(self.wrapInboundOut(.head(head)))
  }

  /// An answer of unknown length to a client that knows no chunks is one of its own version, which the end
  /// of the connection ends.
  func write(
    context: ChannelHandlerContext,
    data: NIOAny,
    promise: EventLoopPromise<Void>?
  ) {
    guard self.isHTTP10, case .head(var head) = self.unwrapOutboundIn(data),
      head.headers.contains(name: "Content-Length") == false
    else { return context.write(data, promise: promise) }
    head.version = .http1_0
    context.write(self.wrapOutboundOut(.head(head)), promise: promise)
  }

  /// What is wrong with the codings of a body; `nil`: it is sent as it is, or in chunks. No other coding is
  /// undone here, and where the last is not `chunked` nobody knows where the body ends.
  ///
  /// Source: RFC 9112, sections 6.1 and 6.3.
  private static func refusal(of fields: [String]) -> String? {
    let codings = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    if codings.isEmpty || codings == ["chunked"] { return nil }
    return codings.last == "chunked" ? "501 Not Implemented" : "400 Bad Request"
  }

  /// Of a target in absolute form, which counts instead of the Host header.
  ///
  /// Source: RFC 9112, section 3.2.2.
  private static func authority(of target: String) -> String? {
    guard target.hasPrefix("/") == false, let scheme = target.firstRange(of: "://") else {
      return nil
    }
    return String(target[scheme.upperBound...].prefix { "/?#".contains($0) == false })
  }
}
