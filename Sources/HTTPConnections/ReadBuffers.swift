import NIOCore

/// Read buffers of a connection. A channel keeps its first buffer as long as it lives, so that one
/// is small. The others are released together with the bytes that were read.
struct ReadBuffers: RecvByteBufferAllocator {
  /// The size of the first buffer, in bytes. Most requests fit in it.
  private static let firstCapacity = 1_024

  /// The maximum size of later reads, in bytes.
  let capacity: Int
  private var hasRead = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    allocator.buffer(capacity: self.hasRead ? self.capacity : Self.firstCapacity)
  }

  /// - Returns: `true`, which makes the channel request another buffer instead of reusing the first
  ///   one.
  mutating func record(actualReadBytes: Int) -> Bool {
    self.hasRead = true
    return true
  }
}
