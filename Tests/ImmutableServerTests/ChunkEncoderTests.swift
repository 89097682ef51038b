import ImmutableUI
import NIOCore
import Testing

@testable import ImmutableRuntime
@testable import ImmutableServer

struct ChunkEncoderTests {
  private let encoder = ChunkEncoder()

  @Test func `streams share the bytes of an event, and their readers its cost`() {
    let unread = UnreadBudget(limit: 4_000)
    let chunk = self.encoder.chunk(
      StreamEvent([UInt8](repeating: 0x61, count: 600)), isPacked: false)
    let bytes = chunk.bytes.readableBytes

    #expect(chunk.addReader("fast", unread) && chunk.addReader("slow", unread))
    #expect(chunk.addReader("slow", unread))
    #expect(unread.bytes == bytes)

    // Whoever has read it has its share back.
    chunk.removeReader("fast", unread)
    #expect(unread.addEvent(bytes, for: "fast"))
    #expect(unread.addEvent(bytes, for: "slow") == false)
    unread.moveEvent(bytes, from: "fast", to: nil)

    chunk.removeReader("slow", unread)
    #expect(unread.bytes == bytes)
    chunk.removeReader("slow", unread)
    #expect(unread.bytes == 0)
  }

  @Test func `a client without room gets no event, but one that others pay for`() {
    let unread = UnreadBudget(limit: 4_000)
    let full = unread.addEvent(1_000, for: "full")
    let chunk = self.encoder.chunk(StreamEvent([0x61]), isPacked: false)

    #expect(full && chunk.addReader("full", unread) == false)
    #expect(chunk.addReader("other", unread) && chunk.addReader("full", unread))
  }
}
