import Foundation
import NIOCore

/// Takes no new connections for a second when the system has no descriptor or memory for them: they
/// wait, and those that there are go on.
///
/// Without it the loop spins: swift-nio (2.101) stays registered for a socket that it cannot accept,
/// which is then always readable, whatever its `AcceptBackoffHandler` says.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = Never

  private static let length = TimeAmount.seconds(1)

  private var isPausing = false

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let code = (error as? IOError)?.errnoCode
    if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code), self.isPausing == false {
      self.isPausing = true
      let options = context.channel.syncOptions
      try? options?.setOption(.autoRead, value: false)
      context.eventLoop.assumeIsolated().scheduleTask(in: Self.length) {
        self.isPausing = false
        try? options?.setOption(.autoRead, value: true)
      }
    }
    context.fireErrorCaught(error)
  }
}
