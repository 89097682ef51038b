import Foundation
import NIOCore

/// Takes no new connections while hardly a descriptor is left, or when the system has none or no memory
/// for them: they wait, and those that there are go on.
///
/// A few descriptors stay free for the process itself: libdispatch (Swift 6.3) traps when it cannot open
/// a file in which it reads how busy its threads are, and a database or a feed needs some too. When there
/// are none all the same the loop would spin: swift-nio (2.101) stays registered for a socket that it
/// cannot accept, which is then always readable, whatever its `AcceptBackoffHandler` says.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = Any

  /// More than a loop accepts in one go (4), for it looks only after each.
  private static let reserve = 16
  private static let length = TimeAmount.milliseconds(100)

  private var isPausing = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    context.fireChannelRead(data)
    if Self.isFull {
      self.pause(context)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let code = (error as? IOError)?.errnoCode
    if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
      self.pause(context)
    }
    context.fireErrorCaught(error)
  }

  private func pause(_ context: ChannelHandlerContext) {
    guard self.isPausing == false else { return }
    self.isPausing = true
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    self.resumeLater(context.channel)
  }

  private func resumeLater(_ channel: any Channel) {
    channel.eventLoop.assumeIsolated().scheduleTask(in: Self.length) {
      if Self.isFull {
        self.resumeLater(channel)
      } else {
        self.isPausing = false
        try? channel.syncOptions?.setOption(.autoRead, value: true)
      }
    }
  }

  /// Whether only the reserve is left. The system gives the lowest descriptor that is free.
  ///
  /// Source: open(2), getrlimit(2).
  private static var isFull: Bool {
    var limits = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits) == 0 else { return false }
    let lowest = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard lowest >= 0 else { return [EMFILE, ENFILE].contains(errno) }
    close(lowest)
    return UInt64(lowest) + UInt64(Self.reserve) >= limits.rlim_cur
  }
}
