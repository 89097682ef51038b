package import HTTPTypes

/// A request that failed. Both servers map their errors to it.
package struct HTTPFailure: Error {
  package let status: HTTPResponse.Status
  /// A sentence that says what to do.
  package let message: String
  /// Lets a program distinguish failures with the same status.
  package let code: String?
  package let headers: HTTPFields
  /// Details for the log, which clients do not see.
  package let details: String?

  package init(
    status: HTTPResponse.Status,
    message: String,
    code: String? = nil,
    headers: HTTPFields = [:],
    details: String? = nil
  ) {
    self.status = status
    self.message = message
    self.code = code
    self.headers = headers
    self.details = details
  }
}

// Bodies that are not read. Their unread rest must not be taken for the next request.
extension HTTPFailure {
  /// The body is malformed, or the client has disconnected.
  package static var incompleteBody: Self {
    Self(
      status: .badRequest,
      message: "The body is malformed or incomplete.",
      headers: [.connection: "close"]
    )
  }

  /// - Parameter limit: The maximum size, in bytes.
  package static func bodyTooLarge(_ limit: Int) -> Self {
    let size =
      switch limit {
      case (1 << 20)...: "\(limit >> 20) MB"
      case (1 << 10)...: "\(limit >> 10) kB"
      default: "\(limit) bytes"
      }
    return Self(
      status: .contentTooLarge,
      message: "That is more than \(size). Send less.",
      headers: [.connection: "close"]
    )
  }
}

extension HTTPFailure {
  /// The token is missing, or is another one (``BearerToken``).
  package static func unauthorized(_ message: String) -> Self {
    Self(status: .unauthorized, message: message, headers: [.wwwAuthenticate: "Bearer"])
  }
}
