import Synchronization

/// The total size of the requests that arrive or have no answer yet.
///
/// Each connection may have a request of about 100 kB, and there may be as many connections as
/// descriptors. So without a limit for all of them, requests that never arrive completely could take
/// gigabytes. One client may take a quarter of the limit. The beginning of each request does not
/// count, and nearly all requests are no longer than that.
package final class ArrivalBudget: Sendable {
  /// The number of bytes of a request that do not count.
  static let free = 4_096

  private struct Contents {
    var bytes = 0
    /// The bytes of each client. Bounded by the open connections.
    var clients: [String: Int] = [:]
  }

  private let limit: Int
  private let contents = Mutex(Contents())

  /// - Parameter limit: The maximum, in bytes.
  package init(limit: Int = 128 << 20) {
    self.limit = limit
  }

  /// The bytes that count now.
  package var bytes: Int { self.contents.withLock { $0.bytes } }

  /// Counts bytes, until they are passed to ``remove(_:for:)``.
  ///
  /// - Parameter client: The client that sends them; `nil` if it has no limit of its own.
  /// - Returns: Whether there is room. If not, nothing is counted.
  func add(_ bytes: Int, for client: String?) -> Bool {
    self.contents.withLock { contents in
      guard contents.bytes + bytes <= self.limit else { return false }
      if let client {
        let count = contents.clients[client, default: 0] + bytes
        guard count <= self.limit / 4 else { return false }
        contents.clients[client] = count
      }
      contents.bytes += bytes
      return true
    }
  }

  func remove(_ bytes: Int, for client: String?) {
    self.contents.withLock { contents in
      contents.bytes -= bytes
      guard let client else { return }
      let count = contents.clients[client, default: 0] - bytes
      contents.clients[client] = count > 0 ? count : nil
    }
  }
}
