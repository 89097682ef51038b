import Synchronization

/// The total size of the renders that windows show, across all products.
///
/// Each client may have a quarter of it, so no client can keep the others from opening pages.
final class RenderBudget: Sendable {
  private struct Contents {
    var used = 0
    /// The clients that pay for renders, and so bounded by the renders.
    var usedByClient: [String: Int] = [:]
  }

  /// The maximum in bytes. At the limit, requests for more are refused
  /// (``WindowError/Code/tooManyPlaces``).
  let limit: Int
  /// What each product may use whatever the others use, in bytes.
  let share: Int
  private let contents = Mutex(Contents())

  init(limit: Int, products: Int = 1) {
    self.limit = limit
    self.share = limit / max(1, products)
  }

  func hasRoom(for bytes: Int) -> Bool {
    self.contents.withLock { $0.used + bytes <= self.limit }
  }

  /// Whether a client, by its network, may have so many more bytes.
  func hasRoom(for bytes: Int, of client: String) -> Bool {
    self.contents.withLock { $0.usedByClient[client, default: 0] + bytes <= self.limit / 4 }
  }

  /// The bytes that a client has beyond what it may have, because its pages have grown.
  func excess(of client: String) -> Int {
    self.contents.withLock { max(0, $0.usedByClient[client, default: 0] - self.limit / 4) }
  }

  func add(_ bytes: Int, for client: String) {
    self.contents.withLock { contents in
      contents.used += bytes
      let used = contents.usedByClient[client, default: 0] + bytes
      contents.usedByClient[client] = used == 0 ? nil : used
    }
  }
}
