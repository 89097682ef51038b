package import HTTPTypes
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

/// Why the body of a request is not read.
package struct BodyRefusal: Error {
  package let status: HTTPResponse.Status
  /// A sentence that says what to do.
  package let message: String
  /// What was not read must not be taken for the next request.
  package let headers: HTTPFields = [.connection: "close"]

  static func tooLarge(_ limit: Int) -> BodyRefusal {
    BodyRefusal(
      status: .contentTooLarge,
      message: "That is more than \(limit) bytes. Send less."
    )
  }
}
