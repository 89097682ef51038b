import NIOCore

/// Closes a connection whose request does not arrive in time, from its first byte to its last.
///
/// It is the first handler: it sees bytes, and what it writes goes out as it is.
final class RequestDeadline: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let timeout: TimeAmount
  private var context: ChannelHandlerContext?
  private var scheduled: Scheduled<Void>?

  init(timeout: TimeAmount) {
    self.timeout = timeout
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.didReadRequest()
    self.context = nil
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if self.scheduled == nil {
      self.scheduled = context.eventLoop.assumeIsolated().scheduleTask(in: self.timeout) {
        self.refuse("408 Request Timeout")
      }
    }
    context.fireChannelRead(data)
  }

  func didReadRequest() {
    self.scheduled?.cancel()
    self.scheduled = nil
  }

  /// Answers with an empty response, and closes.
  func refuse(_ status: String) {
    guard let context = self.context else { return }
    let response = "HTTP/1.1 \(status)\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
    context.close(promise: nil)
  }
}
