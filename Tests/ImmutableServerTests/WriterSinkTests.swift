import ImmutableUI
import NIOCore
import NIOEmbedded
import Testing

@testable import ImmutableRuntime
@testable import ImmutableServer

/// A stream whose events wait for the writer of its response.
struct WriterSinkTests {
  private let unread = UnreadBudget(limit: 4_000)
  private let channel = EmbeddedChannel()
  private let event = StreamEvent([UInt8](repeating: 0x61, count: 600))

  private func sink() -> WriterSink {
    WriterSink(
      channel: self.channel,
      encoder: ChunkEncoder(),
      isPacked: false,
      unread: self.unread,
      client: "a",
      events: AsyncStream.makeStream(of: ByteBuffer.self).continuation
    ) {}
  }

  @Test func `what waits for the writer counts as unread`() {
    var sink: WriterSink? = self.sink()

    sink?.write(self.event)
    #expect(self.unread.bytes == 600)

    sink?.didWrite(600)
    #expect(self.unread.bytes == 0)

    sink?.write(self.event)
    sink = nil
    #expect(self.unread.bytes == 0)
  }

  @Test func `a stream whose client may leave no more unread ends`() {
    let sink = self.sink()
    sink.write(self.event)

    sink.write(self.event)

    #expect(sink.isClosed)
    #expect(self.unread.bytes == 600)
  }
}
