import Synchronization

/// Limits how many connections each client may have at once, so that one client cannot take all
/// descriptors.
package final class ConnectionShares: Sendable {
  private let limit: Int
  private let client: @Sendable (_ address: String) -> String?
  /// The open connections of each client. Bounded by the number of descriptors.
  private let counts = Mutex<[String: Int]>([:])

  /// - Parameters:
  ///   - limit: The maximum for each client.
  ///   - client: The client that an IP address belongs to; `nil` if there is no limit for it.
  package init(limit: Int, client: @escaping @Sendable (_ address: String) -> String?) {
    self.limit = limit
    self.client = client
  }

  /// Counts a connection, until it is passed to ``remove(_:)``.
  ///
  /// - Parameter address: The IP address of the other end; `nil` if there is none.
  /// - Returns: The share that it takes; `nil` if there is no limit for it.
  /// - Throws: ``Exhausted`` if the client has as many as it may.
  func add(_ address: String?) throws(Exhausted) -> String? {
    guard let client = address.flatMap(self.client) else { return nil }
    let hasRoom = self.counts.withLock { counts in
      guard counts[client, default: 0] < self.limit else { return false }
      counts[client, default: 0] += 1
      return true
    }
    guard hasRoom else { throw Exhausted() }
    return client
  }

  func remove(_ client: String) {
    self.counts.withLock { counts in
      let count = counts[client, default: 0] - 1
      counts[client] = count > 0 ? count : nil
    }
  }

  /// The client has too many connections.
  struct Exhausted: Error {}
}
