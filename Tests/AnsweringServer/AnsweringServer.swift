public import Foundation
import NIOCore
import NIOPosix

/// What a server says to a request, to the byte.
public enum Answer: Sendable {
  /// This, and then it waits for more requests.
  case text(String)
  /// This, and then it closes the connection.
  case last(String)
  /// This, and then a space every tenth of a second, for ever.
  case trickle(String)
  /// Nothing, for ever.
  case silence

  /// A response with its length.
  public static func response(
    _ status: String = "200 OK",
    type: String? = "application/json",
    fields: [String] = [],
    body: String = ""
  ) -> Self {
    let lines =
      ["HTTP/1.1 \(status)", "Content-Length: \(body.utf8.count)"]
      + (type.map { ["Content-Type: \($0)"] } ?? []) + fields
    return .text(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }
}

/// Listens on a port of the system's choice while there is work, and answers as it is told to.
///
/// - Parameters:
///   - answer: Gets the head of a request; it is taken to have no body.
///   - work: Gets the address, which ends with a slash.
public func withServer<Value>(
  answer: @escaping @Sendable (String) -> Answer,
  _ work: (URL) async throws -> Value
) async throws -> Value {
  let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
    .childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer: answer))
      }
    }
    .bind(host: "127.0.0.1", port: 0)
    .get()
  let url = URL(string: "http://127.0.0.1:\(channel.localAddress?.port ?? 0)/")!
  let result: Result<Value, any Error>
  do {
    result = .success(try await work(url))
  } catch {
    result = .failure(error)
  }
  try await channel.close()
  return try result.get()
}

private final class AnswerHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: @Sendable (String) -> Answer
  private var received = ""

  init(answer: @escaping @Sendable (String) -> Answer) {
    self.answer = answer
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    self.received += String(buffer: self.unwrapInboundIn(data))
    while let end = self.received.range(of: "\r\n\r\n") {
      let head = String(self.received[..<end.lowerBound])
      self.received.removeSubrange(..<end.upperBound)
      switch self.answer(head) {
      case .silence: break
      case .text(let text):
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
      case .trickle(let text):
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        let channel = context.channel
        let pause = TimeAmount.milliseconds(100)
        context.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { task in
          guard channel.isActive else { return task.cancel() }
          channel.writeAndFlush(ByteBuffer(string: " "), promise: nil)
        }
      case .last(let text):
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        context.close(promise: nil)
      }
    }
  }
}
