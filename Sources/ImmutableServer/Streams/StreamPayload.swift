import NIOCore

/// An event as streams send it, made once for all of them.
struct StreamPayload: Sendable {
  /// In the framing of HTTP/1.1 chunks, for channels that are written raw.
  let chunk: ByteBuffer
  /// Without, for Hummingbird's response writer.
  let plain: ByteBuffer

  init(_ bytes: [UInt8]) {
    var chunk = ByteBuffer()
    chunk.writeString(String(bytes.count, radix: 16))
    chunk.writeString("\r\n")
    let start = chunk.writerIndex
    chunk.writeBytes(bytes)
    chunk.writeString("\r\n")
    self.chunk = chunk
    self.plain = chunk.getSlice(at: start, length: bytes.count) ?? ByteBuffer()
  }
}
