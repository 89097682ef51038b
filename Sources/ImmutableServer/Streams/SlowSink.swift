import ImmutableRuntime
import ImmutableUI
import NIOCore

/// A stream's sink behind a network that developers have made worse (``Networks``).
///
/// Events that are under way wait here, 64 kB at most: then it is not writable, like a socket whose client
/// reads too slowly. When one is lost, the connection breaks, so that the browser opens another and catches
/// up. Nothing is missing in the middle of a stream.
final class SlowSink: StreamSink {
  /// What may be under way, in bytes.
  private static let limit = 64 << 10

  let sink: EventSink
  private let fate: () -> NetworkFate?
  private let onWritable: () -> Void
  /// What is under way, the oldest first. Bounded by the limit and one event.
  private var events: [StreamEvent] = []
  private var waiting = 0
  private var isBroken = false

  /// - Parameters:
  ///   - sink: Where events arrive.
  ///   - fate: What becomes of the next event; `nil`: the network is as it is.
  ///   - onWritable: Called when events can be written again.
  init(_ sink: EventSink, fate: @escaping () -> NetworkFate?, onWritable: @escaping () -> Void) {
    self.sink = sink
    self.fate = fate
    self.onWritable = onWritable
  }

  var isWritable: Bool {
    self.isBroken == false && self.waiting < Self.limit && self.sink.isWritable
  }

  var sentBytes: Int { self.sink.sentBytes }

  func write(_ event: StreamEvent) {
    guard self.isBroken == false else { return }
    let fate = self.fate()
    guard fate?.isLost != true else { return self.breakSoon() }
    self.events.append(event)
    self.waiting += event.bytes.count
    let latency = fate.map { TimeAmount($0.latency) } ?? .zero
    self.loop.scheduleTask(in: latency) { self.deliver() }
  }

  /// The oldest arrives.
  private func deliver() {
    guard self.events.isEmpty == false else { return }
    let wasWritable = self.isWritable
    let event = self.events.removeFirst()
    self.waiting -= event.bytes.count
    self.sink.write(event)
    if wasWritable == false, self.isWritable { self.onWritable() }
  }

  /// Whoever writes is not to lose its stream meanwhile.
  private func breakSoon() {
    self.isBroken = true
    self.loop.execute { self.abort() }
  }

  private var loop: NIOIsolatedEventLoop { self.sink.channel.eventLoop.assumeIsolated() }

  func close() {
    while self.events.isEmpty == false { self.deliver() }
    self.sink.close()
  }

  func abort() {
    self.forget()
    self.sink.abort()
  }

  /// The channel has closed: nothing may be written to it.
  func forget() {
    self.isBroken = true
    self.events = []
    self.waiting = 0
  }
}
