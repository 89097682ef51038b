package import HTTPTypes

/// The limits of each connection.
package struct ConnectionLimits: Sendable {
  package typealias Refusal =
    @Sendable (HTTPResponse.Status) -> (fields: HTTPFields, body: [UInt8])

  /// The maximum size of a request's head, in bytes.
  package var head = 32 * 1024
  /// The maximum size of a request's body, in bytes.
  package var body: Int
  /// The maximum size of a body with files, `multipart/form-data` or `image/…`, in bytes.
  package var upload: Int
  /// How long a request may take to arrive. A body with files may take that long for each
  /// ``ConnectionDeadlines/leastUploadRate`` bytes per second.
  package var readTimeout = Duration.seconds(10)
  /// How long a client may take too little of a response.
  package var writeTimeout = Duration.seconds(10)
  /// How long a connection may be idle between requests.
  package var idleTimeout = Duration.seconds(60)
  /// Tells connections that the server is shutting down, before the services are told.
  package let endSignal: EndSignal
  /// Limits the connections of each client; `nil` if only descriptors limit them.
  package var shares: ConnectionShares?
  /// Limits the requests of all connections together.
  package var arrivals = ArrivalBudget()
  /// Makes the header fields and the body of the answer to a request that cannot be read; by default,
  /// the answer is empty. Called on event loops.
  package var refusal: Refusal = { _ in ([:], []) }

  /// - Parameters:
  ///   - body: The maximum size of a body, with files or without, in bytes.
  ///   - endSignal: Ends the server.
  package init(body: Int, endSignal: EndSignal = EndSignal()) {
    self.endSignal = endSignal
    self.body = body
    self.upload = body
  }
}
