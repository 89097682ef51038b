import Synchronization

/// The total size of the renders that windows show, across all products.
///
/// Each client may have a quarter of it, so no client can keep the others from opening pages.
final class RenderBudget: Sendable {
  /// The maximum in bytes. At the limit, requests for more are refused
  /// (``WindowError/Code/tooManyPlaces``).
  let limit: Int
  /// What each product may use whatever the others use, in bytes.
  let share: Int
  /// The bytes that are used, by the client that pays for them.
  private let used = Mutex(Tally<String>())

  init(limit: Int, products: Int = 1) {
    self.limit = limit
    self.share = limit / max(1, products)
  }

  func hasRoom(for bytes: Int) -> Bool {
    self.used.withLock { $0.sum + bytes <= self.limit }
  }

  /// Whether a client, by its network, may have so many more bytes.
  func hasRoom(for bytes: Int, of client: String) -> Bool {
    self.used.withLock { $0[client] + bytes <= self.limit / 4 }
  }

  /// The bytes that a client has beyond what it may have, because its pages have grown.
  func excess(of client: String) -> Int {
    self.used.withLock { max(0, $0[client] - self.limit / 4) }
  }

  func add(_ bytes: Int, for client: String) {
    self.used.withLock { $0.add(bytes, for: client) }
  }
}
