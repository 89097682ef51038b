import ImmutableUI
import Logging
import NIOCore
import NIOPosix

/// A ``Hub`` on every event loop. An event's bytes are made once, each loop is woken once, and every
/// channel is written the same buffer.
final class LoopHubs: Sendable {
  typealias StreamHub = Hub<EventSink>

  private struct Loop: Sendable {
    let eventLoop: any EventLoop
    let hub: NIOLoopBoundBox<StreamHub>
  }

  private let loops: [ObjectIdentifier: Loop]
  private let windows: WindowGroup
  private let writeTimeout: Duration

  init(
    group: any EventLoopGroup,
    windows: WindowGroup,
    writeTimeout: Duration
  ) async throws {
    self.windows = windows
    self.writeTimeout = writeTimeout
    var loops: [ObjectIdentifier: Loop] = [:]
    for eventLoop in group.makeIterator() {
      let hub = try await eventLoop.submit {
        NIOLoopBoundBox(
          StreamHub(
            StreamHub.Upcall(
              payload: StreamPayload.init,
              show: { window, tags in
                Task { await windows.showAgain(window, tags: tags) }
              }
            )
          ),
          eventLoop: eventLoop
        )
      }.get()
      loops[ObjectIdentifier(eventLoop)] = Loop(eventLoop: eventLoop, hub: hub)
    }
    self.loops = loops
  }

  /// Carries out orders on every loop, in the order of calls.
  func send(_ orders: [Order<[UInt8]>]) {
    let orders = orders.map { $0.map(StreamPayload.init) }
    let now = ContinuousClock.now
    for loop in self.loops.values {
      loop.eventLoop.execute {
        loop.hub.value.perform(orders, now: now)
      }
    }
  }

  /// Does something with the hub of a channel's loop. Call it on that loop.
  func hub(of channel: any Channel) -> StreamHub? {
    self.loops[ObjectIdentifier(channel.eventLoop)]?.hub.value
  }

  /// Sends heartbeats and drops streams that take nothing, until the task is cancelled.
  func run(heartbeat: Duration) async throws {
    let comment = StreamPayload(Array(": \n\n".utf8))
    var beat = ContinuousClock.now + heartbeat
    while Task.isCancelled == false {
      try await Task.sleep(for: .seconds(1))
      let now = ContinuousClock.now
      await self.windows.tick(now: now)
      let beats = now >= beat
      if beats { beat = now + heartbeat }
      for loop in self.loops.values {
        let (windows, limit) = (self.windows, self.writeTimeout)
        loop.eventLoop.execute {
          let dropped = loop.hub.value.tick(now: now, limit: limit)
          if beats { loop.hub.value.writeToAll(comment) }
          guard dropped.isEmpty == false else { return }
          Task {
            for stream in dropped {
              await windows.closeStream(stream)
            }
          }
        }
      }
    }
  }
}
