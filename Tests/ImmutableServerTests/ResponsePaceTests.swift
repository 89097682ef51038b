import HTTPConnections
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Synchronization
import Testing

/// A body that is made faster than a busy event loop takes it.
struct ResponsePaceTests {
  /// Passes pieces on to an event loop, as a connection does, and counts those that wait for it.
  private struct LateWriter: ResponseBodyWriter {
    final class Queue: Sendable {
      let pieces = Mutex((waiting: 0, longest: 0, taken: 0))
    }

    let queue: Queue
    let loop: any EventLoop

    mutating func write(_ buffer: ByteBuffer) async throws {
      self.queue.pieces.withLock {
        $0.waiting += 1
        $0.longest = max($0.longest, $0.waiting)
      }
      self.loop.execute { [queue] in
        queue.pieces.withLock {
          $0.waiting -= 1
          $0.taken += 1
        }
      }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  private static func write(_ body: ResponseBody) async throws -> LateWriter.Queue {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    var response = Response(status: .ok, body: body)
    let queue = LateWriter.Queue()

    response.pace(on: loop)
    try await response.body.write(LateWriter(queue: queue, loop: loop))
    try await loop.submit {}.get()

    return queue
  }

  @Test(arguments: [nil, 1_000 << 16])
  func `one piece of a long body waits for the loop`(length: Int?) async throws {
    let queue = try await Self.write(
      ResponseBody(contentLength: length) { writer in
        let piece = ByteBuffer(repeating: 0, count: 1 << 16)
        for _ in 0..<1_000 { try await writer.write(piece) }
        try await writer.finish(nil)
      }
    )

    #expect(queue.pieces.withLock { $0.taken } == 1_000)
    #expect(queue.pieces.withLock { $0.longest } == 1)
  }

  @Test func `a short body is written as it is`() async throws {
    let body = ResponseBody(byteBuffer: ByteBuffer(string: "short"))
    let queue = try await Self.write(body)

    #expect(queue.pieces.withLock { $0.taken } == 1)
  }
}
