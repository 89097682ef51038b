package import HTTPTypes
package import HummingbirdCore
package import NIOCore

extension Request {
  /// - Throws: ``HTTPFailure``, 405 with the allowed methods.
  package func allow(_ methods: HTTPRequest.Method...) throws(HTTPFailure) {
    guard methods.contains(self.method) == false else { return }
    let list = methods.map(\.rawValue).joined(separator: ", ")
    throw HTTPFailure(
      status: .methodNotAllowed,
      message: "\(self.method) is not possible here, only \(list).",
      headers: [.allow: list]
    )
  }

  /// The length of the body, if the client states it.
  package var contentLength: Int? {
    self.headers[.contentLength].flatMap { Int($0) }
  }

  /// - Throws: ``HTTPFailure``, 415 for a compressed body, whose length would not limit its content.
  package func refuseCoding() throws(HTTPFailure) {
    guard (self.headers[.contentEncoding]?.lowercased() ?? "identity") == "identity" else {
      throw HTTPFailure(
        status: .unsupportedMediaType,
        message: "Send the body without Content-Encoding.",
        headers: [.acceptEncoding: "identity"]
      )
    }
  }

  /// The whole body.
  ///
  /// - Parameter limit: The maximum size, in bytes.
  /// - Throws: ``HTTPFailure``: 415 if it is compressed, 413 if it is larger, 400 if it does not
  ///   arrive completely.
  package func body(limit: Int) async throws(HTTPFailure) -> ByteBuffer {
    try self.refuseCoding()
    guard (self.contentLength ?? 0) <= limit else { throw .bodyTooLarge(limit) }
    do {
      return try await self.body.collect(upTo: limit)
    } catch is NIOTooManyBytesError {
      throw .bodyTooLarge(limit)
    } catch {
      throw .incompleteBody
    }
  }
}
