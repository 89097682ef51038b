import HTTPTypes
package import HummingbirdCore
package import NIOCore

extension Response {
  /// Makes each write of a long body wait until the connection's event loop has taken the piece.
  ///
  /// A write waits by itself once the connection has too much to send, but only once the event loop
  /// has noticed it. While the loop is late, on a busy machine, a body that is made faster than it
  /// is sent would be in memory as a whole.
  ///
  /// - Parameter loop: The event loop of the connection.
  package mutating func pace(on loop: any EventLoop) {
    let body = self.body
    guard body.contentLength.map({ $0 > ResponseBody.pieceLength }) ?? true else { return }
    self.body = ResponseBody(contentLength: body.contentLength) { writer in
      try await body.write(PacedWriter(writer: writer, loop: loop))
    }
  }
}

/// Writes a piece once the event loop has taken the one before.
private struct PacedWriter: ResponseBodyWriter {
  var writer: any ResponseBodyWriter
  let loop: any EventLoop

  mutating func write(_ buffer: ByteBuffer) async throws {
    try await self.writer.write(buffer)
    try await self.loop.submit {}.get()
  }

  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
    try await self.writer.finish(trailingHeaders)
  }
}
