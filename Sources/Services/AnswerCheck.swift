import Foundation
import NIOCore
import NIOHTTP1

/// Refuses the answers of servers with which `AsyncHTTPClient` (1.37) ends the whole process:
///
/// - those with a status below 100. It ignores their head, as that of an interim answer, but such an
///   answer has a body;
/// - redirects to a port that cannot exist.
final class AnswerCheck: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart
  typealias InboundOut = HTTPClientResponsePart

  /// Nothing that follows a refused answer is passed on.
  private var hasRefused = false

  /// Adds it to a connection of an `HTTPClient`, behind the decoder.
  static func add(to channel: any Channel) -> EventLoopFuture<Void> {
    channel.eventLoop.submit {
      let pipeline = channel.pipeline.syncOperations
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
      try pipeline.addHandler(AnswerCheck(), position: .after(decoder))
    }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard self.hasRefused == false else { return }
    if case .head(let head) = self.unwrapInboundIn(data), Self.isUsable(head) == false {
      self.hasRefused = true
      context.fireErrorCaught(HTTPParserError.invalidStatus)
    } else {
      context.fireChannelRead(data)
    }
  }

  private static func isUsable(_ head: HTTPResponseHead) -> Bool {
    head.status.code >= 100
      && head.headers["Location"].allSatisfy { URL(string: $0)?.hasPossiblePort ?? true }
  }
}
