/// The limits of each connection.
package struct ConnectionLimits: Sendable {
  /// The maximum size of a request's head, in bytes.
  package let head: Int
  /// The maximum size of a request's body, in bytes.
  package let body: Int
  /// The maximum size of a body with files, `multipart/form-data` or `image/…`, in bytes.
  package let upload: Int
  /// How long a request may take to arrive. A body with files may take that long for each
  /// ``ConnectionDeadlines/leastUploadRate`` bytes per second.
  package let readTimeout: Duration
  /// How long a client may take too little of a response.
  package let writeTimeout: Duration
  /// How long a connection may be idle between requests.
  package let idleTimeout: Duration
  /// How long a connection may continue after a shutdown has begun.
  package let endTimeout: Duration
  /// Tells connections that the server is shutting down, before the services are told.
  package let endSignal: EndSignal?
  /// Limits the connections of each client; `nil` if only descriptors limit them.
  package let shares: ConnectionShares?

  package init(
    head: Int = 32 * 1024,
    body: Int,
    upload: Int? = nil,
    readTimeout: Duration = .seconds(10),
    writeTimeout: Duration = .seconds(10),
    idleTimeout: Duration = .seconds(60),
    endTimeout: Duration = .seconds(5),
    endSignal: EndSignal? = nil,
    shares: ConnectionShares? = nil
  ) {
    self.head = head
    self.body = body
    self.upload = upload ?? body
    self.readTimeout = readTimeout
    self.writeTimeout = writeTimeout
    self.idleTimeout = idleTimeout
    self.endTimeout = endTimeout
    self.endSignal = endSignal
    self.shares = shares
  }
}
