import HTTPTypes
package import NIOCore
import NIOHTTP1
package import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Does for a connection what Hummingbird leaves open: heads that are too large, answers after which
/// it ends, HTTP/1.0, clients that wait for leave to send or go away, and when what was written has
/// gone out.
///
/// It stands between HTTP decoding and Hummingbird's own handlers.
package final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  /// How long a client may send nothing after the answer that ends the connection, until it is closed:
  /// to close on one that is still sending could take the answer from it. The deadline of requests
  /// holds for it all the same.
  private static let lingering = TimeAmount.seconds(1)

  private let deadline: RequestDeadline
  private let line = RequestLine()
  private let bodyLimit: Int
  /// Of the newest request: what it says it is, else what has come until now.
  private var bodyLength = 0
  private var isLengthDeclared = false
  private var endsAfterAnswer = false
  private var isEnding = false
  /// Whether a client has sent something since it was last looked whether it still does.
  private var isSending = false
  private var isAnswered = false
  /// What a stream has done. Set while this connection is one.
  package var stream: (onWritable: () -> Void, onClose: () -> Void)?

  package init(readTimeout: Duration, bodyLimit: Int) {
    self.deadline = RequestDeadline(timeout: TimeAmount(readTimeout))
    self.bodyLimit = bodyLimit
  }

  /// Whether the newest request is of a version that knows no chunks.
  package var isHTTP10: Bool {
    self.line.isHTTP10
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    // The deadline has to see bytes before they are a head, the line what decoding drops.
    try? pipeline.addHandler(self.deadline, position: .first)
    if let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) {
      try? pipeline.addHandler(self.line, position: .before(codec))
    }
  }
}

// What comes in.
extension ConnectionHandler {
  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.isEnding == false else {
      self.isSending = true
      return
    }
    switch self.unwrapInboundIn(data) {
    case .head(var head):
      // What follows a body that is refused must not be taken for a request, not even when it has
      // arrived before the refusal was written.
      guard self.bodyLength <= self.bodyLimit else {
        self.isEnding = true
        if self.isAnswered { context.close(promise: nil) }
        return
      }
      self.isAnswered = false
      self.bodyLength = head.headerFields[.contentLength].flatMap(Int.init) ?? 0
      self.isLengthDeclared = self.bodyLength > 0
      self.endsAfterAnswer = false
      if self.isHTTP10 {
        head.headerFields[.connection] = "close"
      }
      self.answer(expectation: head, context)
      context.fireChannelRead(self.wrapInboundOut(.head(head)))
    case .body(let buffer):
      if self.isLengthDeclared == false {
        self.bodyLength += buffer.readableBytes
      }
      context.fireChannelRead(data)
    case .end:
      self.deadline.didReadRequest()
      context.fireChannelRead(data)
    }
  }

  /// Lets a client send its body that asks first.
  ///
  /// Source: RFC 9110, section 10.1.1.
  private func answer(expectation head: HTTPRequest, _ context: ChannelHandlerContext) {
    guard self.isHTTP10 == false, head.headerFields[.expect]?.lowercased() == "100-continue",
      (head.headerFields[.contentLength].flatMap(Int.init) ?? 0) <= self.bodyLimit
    else { return }
    context.writeAndFlush(
      self.wrapOutboundOut(.head(HTTPResponse(status: .continue))),
      promise: nil
    )
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, self.stream != nil {
      // A stream's client that sends no more is gone.
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  package func channelInactive(context: ChannelHandlerContext) {
    self.channelDidClose()
    context.fireChannelInactive()
  }

  package func channelDidClose() {
    self.stream?.onClose()
    self.stream = nil
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case HTTPParserError.headerOverflow? = error as? HTTPParserError {
      self.deadline.refuse("431 Request Header Fields Too Large")
    } else {
      context.fireErrorCaught(error)
    }
  }
}

// What goes out.
extension ConnectionHandler {
  package func write(
    context: ChannelHandlerContext,
    data: NIOAny,
    promise: EventLoopPromise<Void>?
  ) {
    switch self.unwrapOutboundIn(data) {
    case .head(var head):
      if self.bodyLength > self.bodyLimit {
        head.headerFields[.connection] = "close"
      }
      if head.headerFields[.connection] == "close" {
        self.endsAfterAnswer = true
      }
      context.write(self.wrapOutboundOut(.head(head)), promise: promise)
    case .body:
      context.write(data, promise: promise)
    case .end:
      self.isAnswered = true
      guard self.endsAfterAnswer else { return context.write(data, promise: promise) }
      self.isEnding = true
      context.writeAndFlush(data, promise: promise)
      context.close(mode: .output, promise: nil)
      self.linger(context.channel)
    }
  }

  private func linger(_ channel: any Channel) {
    self.isSending = false
    channel.eventLoop.assumeIsolated().scheduleTask(in: Self.lingering) {
      if self.isSending {
        self.linger(channel)
      } else {
        channel.close(promise: nil)
      }
    }
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      self.stream?.onWritable()
    }
    context.fireChannelWritabilityChanged()
  }
}

/// Keeps what the first line of the newest request says: its version, and whom it is for.
private final class RequestLine: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private(set) var isHTTP10 = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = self.unwrapInboundIn(data) else {
      return context.fireChannelRead(data)
    }
    self.isHTTP10 = head.version == .http1_0
    if let authority = Self.authority(of: head.uri) {
      head.headers.replaceOrAdd(name: "Host", value: authority)
    }
    context.fireChannelRead(self.wrapInboundOut(.head(head)))
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
