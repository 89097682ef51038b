import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Watches over one connection: heads that are too large, clients that go away, and when what was
/// written has gone out.
///
/// It stands between HTTP decoding and Hummingbird's own handlers.
final class ConnectionHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private let deadline: RequestDeadline
  /// Set while this connection is a stream.
  var onWritable: (() -> Void)?

  init(readTimeout: Duration) {
    self.deadline = RequestDeadline(
      timeout: .nanoseconds(Int64(readTimeout / .nanoseconds(1)))
    )
  }

  func handlerAdded(context: ChannelHandlerContext) {
    // The deadline has to see bytes before they are a head.
    try? context.pipeline.syncOperations.addHandler(self.deadline, position: .first)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .end = self.unwrapInboundIn(data) {
      self.deadline.didReadRequest()
    }
    context.fireChannelRead(data)
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      self.onWritable?()
    }
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed, self.onWritable != nil {
      // A stream's client that sends no more is gone.
      context.close(promise: nil)
    }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case HTTPParserError.headerOverflow? = error as? HTTPParserError {
      self.deadline.refuse("431 Request Header Fields Too Large")
    } else {
      context.fireErrorCaught(error)
    }
  }
}
