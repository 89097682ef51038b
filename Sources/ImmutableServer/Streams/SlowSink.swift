import ImmutableRuntime
import ImmutableUI
import NIOCore

/// A stream's sink behind a simulated network (``Networks``).
///
/// Events in transit wait here, at most 64 kB. Beyond that it is not writable, like a socket whose
/// client reads too slowly. When an event is lost, the connection breaks, so that the browser opens
/// another one and catches up. No event is missing in the middle of a stream.
final class SlowSink: StreamSink {
  /// The maximum size of events in transit, in bytes.
  private static let limit = 64 << 10

  let sink: EventSink
  private let fate: () -> NetworkFate?
  private let onWritable: () -> Void
  /// The events in transit, oldest first. Bounded by the limit and one event.
  private var events: [StreamEvent] = []
  private var waiting = 0
  private var isBroken = false

  /// - Parameters:
  ///   - sink: The sink where events arrive.
  ///   - fate: Decides what happens to the next event; `nil` for a normal network.
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
  var unsentBytes: Int { self.sink.unsentBytes }

  func write(_ event: StreamEvent) {
    guard self.isBroken == false else { return }
    let fate = self.fate()
    guard fate?.isLost != true else { return self.breakSoon() }
    self.events.append(event)
    self.waiting += event.bytes.count
    let latency = fate.map { TimeAmount($0.latency) } ?? .zero
    self.loop.scheduleTask(in: latency) { self.deliver() }
  }

  /// The oldest event arrives.
  private func deliver() {
    guard self.events.isEmpty == false else { return }
    let wasWritable = self.isWritable
    let event = self.events.removeFirst()
    self.waiting -= event.bytes.count
    self.sink.write(event)
    if wasWritable == false, self.isWritable { self.onWritable() }
  }

  /// The caller that writes must not lose its stream meanwhile.
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
