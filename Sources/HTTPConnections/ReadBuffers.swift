import NIOCore

/// Buffers for what a connection reads. A channel keeps its first buffer for as long as it lives, so that one is
/// small; each of the others goes with what was read.
struct ReadBuffers: RecvByteBufferAllocator {
  /// In bytes. Most requests fit in it.
  private static let firstCapacity = 1_024

  /// The most that is read at once after the first time, in bytes.
  let capacity: Int
  private var hasRead = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  func buffer(allocator: ByteBufferAllocator) -> ByteBuffer {
    allocator.buffer(capacity: self.hasRead ? self.capacity : Self.firstCapacity)
  }

  /// - Returns: `true`, which has the channel ask for another buffer instead of using its first one again.
  mutating func record(actualReadBytes: Int) -> Bool {
    self.hasRead = true
    return true
  }
}
