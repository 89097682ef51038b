import HTTPTypes
import NIOCore
import NIOHTTP1
import PlainText

/// Remembers the versions of requests, and whether the newest one asks for another protocol. It
/// checks `Transfer-Encoding`, and whether others can compare the header fields; and takes `Host` from
/// a target in absolute form.
final class RequestLine: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// Whether each request uses HTTP/1.0 that has not been answered completely, oldest first. Bounded
  /// by the requests that are decoded at once.
  private var unanswered: [Bool] = []
  /// Whether the newest request offers or asks for another protocol on this connection.
  private(set) var isUpgrade = false
  private var isRefusing = false

  /// Whether the newest request uses HTTP/1.0.
  var isHTTP10: Bool { self.unanswered.last == true }

  /// Whether the request that is being answered uses HTTP/1.0.
  var isAnsweringHTTP10: Bool { self.unanswered.first == true }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.isRefusing == false else { return }
    guard case .head(var head) = self.unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    self.isUpgrade = head.method == .CONNECT || head.headers.contains(name: "Upgrade")
    if let status = Self.refusal(of: head) {
      self.isRefusing = true
      context.fireUserInboundEventTriggered(RefusedRequest(status: status))
      return
    }
    self.unanswered.append(head.version == .http1_0)
    if let authority = Self.authority(of: head.uri) {
      head.headers.replaceOrAdd(name: "Host", value: authority)
    }
    context.fireChannelRead(self.wrapInboundOut(.head(head)))
  }

  /// A response of unknown length to an HTTP/1.0 client, which knows no chunks, is sent as
  /// HTTP/1.0: the end of the connection ends it.
  func write(
    context: ChannelHandlerContext,
    data: NIOAny,
    promise: EventLoopPromise<Void>?
  ) {
    switch self.unwrapOutboundIn(data) {
    case .head(var head)
    where self.isAnsweringHTTP10 && head.headers.contains(name: "Content-Length") == false:
      head.version = .http1_0
      context.write(self.wrapOutboundOut(.head(head)), promise: promise)
    case .end where self.unanswered.isEmpty == false:
      self.unanswered.removeFirst()
      fallthrough
    default:
      context.write(data, promise: promise)
    }
  }

  /// - Returns: `nil` if the request can be answered.
  private static func refusal(of head: HTTPRequestHead) -> HTTPResponse.Status? {
    // Targets are ASCII.
    guard head.headers.contains(where: { $0.value.hasTooManyMarks }) == false else {
      return .badRequest
    }
    return Self.refusal(of: head.headers["Transfer-Encoding"])
  }

  /// The status for an unsupported `Transfer-Encoding`; `nil` if there is none or it is `chunked`.
  /// No other coding is decoded here, and if the last one is not `chunked`, the end of the body is
  /// unknown.
  ///
  /// Source: RFC 9112, sections 6.1 and 6.3.
  private static func refusal(of fields: [String]) -> HTTPResponse.Status? {
    let codings = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    if codings.isEmpty || codings == ["chunked"] { return nil }
    return codings.last == "chunked" ? .notImplemented : .badRequest
  }

  /// The authority of a target in absolute form. It takes precedence over the Host header.
  ///
  /// Source: RFC 9112, section 3.2.2.
  private static func authority(of target: String) -> String? {
    guard target.hasPrefix("/") == false, let scheme = target.firstRange(of: "://") else {
      return nil
    }
    return String(target[scheme.upperBound...].prefix { "/?#".contains($0) == false })
  }
}
