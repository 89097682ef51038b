import ImmutableRuntime
import ImmutableUI
import Logging
import NIOCore
import NIOPosix
import Tracing

/// The streams of one event loop.
struct LoopStreams {
  let hub: Hub
  let encoder = ChunkEncoder()
}

/// A ``Hub`` for every event loop. An event's bytes are made once. Each loop is woken once, frames
/// them as a chunk once, and writes the same buffer to all its channels.
final class LoopHubs: Sendable {
  private struct Loop: Sendable {
    let eventLoop: any EventLoop
    let streams: NIOLoopBoundBox<LoopStreams>
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
      let streams = try await eventLoop.submit {
        let hub = Hub { window, tags in
          Task { await windows.showAgain(window, tags: tags) }
        }
        return NIOLoopBoundBox(LoopStreams(hub: hub), eventLoop: eventLoop)
      }.get()
      loops[ObjectIdentifier(eventLoop)] = Loop(eventLoop: eventLoop, streams: streams)
    }
    self.loops = loops
  }

  /// Carries out commands on every loop, in the order of the calls.
  func send(_ commands: [HubCommand]) {
    let now = ContinuousClock.now
    let trace = ServiceContext.current
    for loop in self.loops.values {
      loop.eventLoop.execute {
        guard let trace else { return loop.streams.value.hub.perform(commands, now: now) }
        withSpan("push", context: trace, ofKind: .producer) { _ in
          loop.streams.value.hub.perform(commands, now: now)
        }
      }
    }
  }

  /// The status of the streams of all loops.
  ///
  /// - Complexity: O(s), s streams.
  func reports() async -> [Identifier: StreamReport] {
    let now = ContinuousClock.now
    var reports: [Identifier: StreamReport] = [:]
    for loop in self.loops.values {
      let some = try? await loop.eventLoop.submit { loop.streams.value.hub.reports(now: now) }.get()
      reports.merge(some ?? [:]) { $1 }
    }
    return reports
  }

  /// The streams of a channel's loop. Call it on that loop.
  func streams(beside channel: any Channel) -> LoopStreams? {
    self.loops[ObjectIdentifier(channel.eventLoop)]?.streams.value
  }

  /// Sends heartbeats and drops streams whose clients accept no data, until the task is cancelled.
  func run(heartbeat: Duration) async throws {
    let comment = StreamEvent(Array(": \n\n".utf8))
    var beat = ContinuousClock.now + heartbeat
    while Task.isCancelled == false {
      try await Task.sleep(for: .seconds(1))
      let now = ContinuousClock.now
      let beats = now >= beat
      if beats { beat = now + heartbeat }
      for loop in self.loops.values {
        let (windows, limit) = (self.windows, self.writeTimeout)
        loop.eventLoop.execute {
          let dropped = loop.streams.value.hub.tick(now: now, limit: limit)
          if beats { loop.streams.value.hub.writeToAll(comment) }
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
