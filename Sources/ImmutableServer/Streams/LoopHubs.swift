import ImmutableRuntime
import ImmutableUI
import Logging
import NIOCore
import NIOPosix
import Synchronization
import Tracing

/// The streams of one event loop.
struct LoopStreams {
  let hub: Hub
  let encoder = ChunkEncoder()
}

/// A ``Hub`` for every event loop. An event's bytes are made once. Each loop that has streams is
/// woken once, frames them as a chunk once, and writes the same buffer to all its channels.
final class LoopHubs: Sendable {
  private final class Loop: Sendable {
    let eventLoop: any EventLoop
    let streams: NIOLoopBoundBox<LoopStreams>
    /// Whether it may have streams. Commands wake no other loop: a machine with many cores has many.
    let mayHaveStreams = Atomic(false)

    init(_ eventLoop: any EventLoop, _ streams: NIOLoopBoundBox<LoopStreams>) {
      self.eventLoop = eventLoop
      self.streams = streams
    }
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
      loops[ObjectIdentifier(eventLoop)] = Loop(eventLoop, streams)
    }
    self.loops = loops
  }

  /// Carries out commands on every loop that they may concern, in the order of the calls.
  func send(_ commands: [HubCommand]) {
    let now = ContinuousClock.now
    let trace = ServiceContext.current
    let concernsAll = commands.contains { $0.concernsLaterStreams }
    for loop in self.loops.values
    where concernsAll || loop.mayHaveStreams.load(ordering: .sequentiallyConsistent) {
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

  /// The streams of a channel's loop. Call it on that loop, before a client knows a new stream: from
  /// then on, there may be commands for it.
  func streams(beside channel: any Channel) -> LoopStreams? {
    let loop = self.loops[ObjectIdentifier(channel.eventLoop)]
    loop?.mayHaveStreams.store(true, ordering: .sequentiallyConsistent)
    return loop?.streams.value
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
      for loop in self.loops.values
      where loop.mayHaveStreams.load(ordering: .sequentiallyConsistent) {
        let (windows, limit) = (self.windows, self.writeTimeout)
        loop.eventLoop.execute {
          let hub = loop.streams.value.hub
          let dropped = hub.tick(now: now, limit: limit)
          if beats { hub.writeToAll(comment) }
          // A stream is opened in the step in which the loop was marked, so none is about to be.
          if hub.streamCount == 0 {
            loop.mayHaveStreams.store(false, ordering: .sequentiallyConsistent)
          }
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
