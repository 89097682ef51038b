package import HTTPTypes

/// Why the body of a request is not read.
package struct BodyRefusal: Error {
  package let status: HTTPResponse.Status
  /// A sentence that says what to do.
  package let message: String
  /// The unread rest of the body must not be taken for the next request.
  package let headers: HTTPFields = [.connection: "close"]

  /// It is malformed, or the client has disconnected.
  package static var incomplete: BodyRefusal {
    BodyRefusal(status: .badRequest, message: "The body is malformed or incomplete.")
  }

  package static func tooLarge(_ limit: Int) -> BodyRefusal {
    BodyRefusal(
      status: .contentTooLarge,
      message: "That is more than \(limit) bytes. Send less."
    )
  }
}
