/// What a server lets in on each connection.
package struct ConnectionLimits: Sendable {
  /// The most that the head of a request may have, in bytes.
  package let head: Int
  /// The most that the body of a request may have, in bytes.
  package let body: Int
  /// How long a request may take to arrive.
  package let readTimeout: Duration
  /// How long a client may take next to nothing of an answer.
  package let writeTimeout: Duration
  /// How long a connection may be idle between requests.
  package let idleTimeout: Duration
  /// How long a connection may go on once the server is to end.
  package let endTimeout: Duration

  package init(
    head: Int = 32 * 1024,
    body: Int,
    readTimeout: Duration = .seconds(10),
    writeTimeout: Duration = .seconds(10),
    idleTimeout: Duration = .seconds(60),
    endTimeout: Duration = .seconds(5)
  ) {
    self.head = head
    self.body = body
    self.readTimeout = readTimeout
    self.writeTimeout = writeTimeout
    self.idleTimeout = idleTimeout
    self.endTimeout = endTimeout
  }
}
