import HTTPTypes
package import HummingbirdCore
package import NIOCore

extension Request {
  /// The whole body.
  ///
  /// - Parameter limit: The most that it may have, in bytes.
  /// - Throws: ``BodyRefusal``: 413 for more, 400 for one that does not arrive whole.
  package func body(limit: Int) async throws(BodyRefusal) -> ByteBuffer {
    if let length = self.headers[.contentLength].flatMap(Int.init), length > limit {
      throw .tooLarge(limit)
    }
    do {
      return try await self.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw .tooLarge(limit)
    } catch {
      // Its chunks are malformed, or whoever sent it has gone.
      throw BodyRefusal(status: .badRequest, message: "The body is malformed or incomplete.")
    }
  }
}
