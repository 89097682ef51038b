import Foundation
import Logging
import NIOCore

/// Accepts no new connections while few descriptors are left, or while the system has no
/// descriptors or memory for them. New connections then wait, and existing ones continue.
///
/// A few descriptors stay free for the process itself: databases and feeds need some, and
/// libdispatch (Swift 6.3) traps if it cannot open the file that tells it how busy its threads are.
/// If none is left, the loop would spin: swift-nio (2.101) stays registered for a listening socket
/// that it cannot accept from, and which is therefore always readable, despite its
/// `AcceptBackoffHandler`.
final class AcceptPause: ChannelInboundHandler {
  typealias InboundIn = Any

  private static let reserve = 16
  /// How many connections a loop accepts before it checks again.
  private static let batch = 4
  private static let length = TimeAmount.milliseconds(100)

  /// The shortest time between two messages in the log.
  private static let quiet = Duration.seconds(60)

  private let logger: Logger
  private var isPausing = false
  private var logged: ContinuousClock.Instant?

  init(logger: Logger) {
    self.logger = logger
  }

  func handlerAdded(context: ChannelHandlerContext) {
    try? context.channel.syncOptions?.setOption(
      .maxMessagesPerRead, value: UInt(Self.batch)
    )
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if Self.isFull {
      self.pause(context, because: "nearly as many files are open as the system allows")
    }
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    let code = (error as? IOError)?.errnoCode
    if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(code) {
      self.pause(context, because: "\(error)")
    }
    context.fireErrorCaught(error)
  }

  private func pause(_ context: ChannelHandlerContext, because reason: String) {
    guard self.isPausing == false else { return }
    self.isPausing = true
    self.log(reason)
    try? context.channel.syncOptions?.setOption(.autoRead, value: false)
    self.resumeLater(context.channel)
  }

  private func log(_ reason: String) {
    guard self.logged.map({ $0 + Self.quiet < .now }) ?? true else { return }
    self.logged = .now
    self.logger.warning(
      "New connections wait, because open files or memory are scarce",
      metadata: ["reason": "\(reason)"]
    )
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

  /// Whether less than the reserve would be left after the next batch of connections. It counts
  /// free descriptors anywhere in the table, because a closed connection may free one below all
  /// others.
  ///
  /// - Complexity: O(`reserve` + `batch`) system calls, one descriptor at a time.
  ///
  /// Source: fcntl(2), F_DUPFD_CLOEXEC: "the lowest-numbered available file descriptor greater than
  /// or equal to" the given one. EINVAL and EMFILE mean that there is none.
  private static var isFull: Bool {
    let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard null >= 0 else { return [EMFILE, ENFILE].contains(errno) }
    defer { close(null) }
    var last = null
    for _ in 1..<(self.reserve + self.batch) {
      last = fcntl(null, F_DUPFD_CLOEXEC, last + 1)
      guard last >= 0 else { return true }
      close(last)
    }
    return false
  }
}
