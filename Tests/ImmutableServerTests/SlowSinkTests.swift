import ImmutableRuntime
import NIOCore
import NIOEmbedded
import Testing

@testable import ImmutableServer

/// A stream over a network that was made worse, on a loop whose time the test makes.
struct SlowSinkTests {
  /// A sink that keeps what arrives.
  private final class ArrivalSink: EventSink {
    var arrived: [String] = []

    init(_ channel: EmbeddedChannel) {
      super.init(channel: channel, encoder: ChunkEncoder(), isPacked: false, onClose: {})
    }

    override func write(_ event: StreamEvent) {
      self.arrived.append(String(decoding: event.bytes, as: UTF8.self))
    }
  }

  private final class Fixture {
    let loop = EmbeddedEventLoop()
    let channel: EmbeddedChannel
    let arrival: ArrivalSink
    var fate: NetworkFate?
    var writable = 0
    private(set) var sink: SlowSink!

    init(_ latency: Duration?) {
      self.fate = latency.map { NetworkFate(latency: $0, isLost: false) }
      self.channel = EmbeddedChannel(loop: self.loop)
      self.arrival = ArrivalSink(self.channel)
      self.sink = SlowSink(
        self.arrival,
        fate: { [unowned self] in self.fate },
        onWritable: { [unowned self] in self.writable += 1 }
      )
    }

    func write(_ text: String) { self.sink.write(StreamEvent(Array(text.utf8))) }
  }

  @Test func `events arrive later, in their order`() {
    let fixture = Fixture(.milliseconds(200))
    fixture.write("a")
    fixture.loop.advanceTime(by: .milliseconds(150))
    fixture.write("b")

    #expect(fixture.arrival.arrived == [])
    fixture.loop.advanceTime(by: .milliseconds(50))
    #expect(fixture.arrival.arrived == ["a"])
    fixture.loop.advanceTime(by: .milliseconds(150))
    #expect(fixture.arrival.arrived == ["a", "b"])
  }

  @Test func `events keep their order when the network recovers`() {
    let fixture = Fixture(.milliseconds(200))
    fixture.write("a")
    fixture.fate = nil
    fixture.write("b")

    fixture.loop.advanceTime(by: .milliseconds(200))
    fixture.write("c")
    fixture.loop.run()

    #expect(fixture.arrival.arrived == ["a", "b", "c"])
  }

  @Test func `events in flight are bounded, and the sink reports when there is room again`() {
    let fixture = Fixture(.milliseconds(200))
    let event = String(repeating: "x", count: 16 << 10)
    var count = 0
    while fixture.sink.isWritable {
      fixture.write(event)
      count += 1
    }

    #expect(count == 4)
    #expect(fixture.writable == 0)
    fixture.loop.advanceTime(by: .milliseconds(200))
    #expect(fixture.arrival.arrived.count == 4)
    #expect(fixture.writable == 1)
    #expect(fixture.sink.isWritable)
  }

  @Test func `a lost event breaks the connection, and nothing after it arrives`() {
    let fixture = Fixture(.milliseconds(200))
    fixture.write("a")
    fixture.fate = NetworkFate(latency: .zero, isLost: true)
    fixture.write("b")
    #expect(fixture.sink.isWritable == false)
    #expect(fixture.arrival.isClosed == false, "whoever writes still has the stream")
    fixture.fate = nil
    fixture.write("c")

    fixture.loop.advanceTime(by: .seconds(1))

    #expect(fixture.arrival.isClosed)
    #expect(fixture.arrival.arrived == [])
  }

  @Test func `a stream that closes normally delivers everything written`() {
    let fixture = Fixture(.seconds(1))
    fixture.write("a")
    fixture.write("b")

    fixture.sink.close()

    #expect(fixture.arrival.arrived == ["a", "b"])
    #expect(fixture.arrival.isClosed)
  }

  @Test func `nothing is written to a channel that has closed`() {
    let fixture = Fixture(.milliseconds(200))
    fixture.write("a")

    fixture.sink.forget()
    fixture.write("b")
    fixture.loop.advanceTime(by: .seconds(1))

    #expect(fixture.arrival.arrived == [])
  }
}
