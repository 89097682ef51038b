import HTTPTypes
package import HummingbirdCore
package import NIOCore

extension Request {
  /// The whole body.
  ///
  /// - Parameter limit: The maximum size, in bytes.
  /// - Throws: ``BodyRefusal``: 413 if it is larger, 400 if it does not arrive completely.
  package func body(limit: Int) async throws(BodyRefusal) -> ByteBuffer {
    if let length = self.headers[.contentLength].flatMap(Int.init), length > limit {
      throw .tooLarge(limit)
    }
    do {
      return try await self.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw .tooLarge(limit)
    } catch {
      throw .incomplete
    }
  }
}
