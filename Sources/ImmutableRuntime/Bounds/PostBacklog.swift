import ImmutableData
import Synchronization

/// The posts of a product whose effects have not ended, or whose actions listeners have not
/// finished. Each client may have a quarter of them, so no client can keep the others from posting.
final class PostBacklog: Sendable {
  private struct Contents {
    var posts = Tally<String>()
    var bytes = Tally<String>()

    mutating func add(_ posts: Int, _ bytes: Int, from client: String) {
      self.posts.add(posts, for: client)
      self.bytes.add(bytes, for: client)
    }
  }

  private let limit: (posts: Int, bytes: Int)
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - posts: The maximum number of posts.
  ///   - bytes: The maximum size of their fields.
  init(posts: Int, bytes: Int) {
    self.limit = (posts, bytes)
  }

  /// The number of posts.
  var count: Int { self.contents.withLock { $0.posts.sum } }

  /// Adds a post, if there is room for it.
  ///
  /// - Parameters:
  ///   - bytes: The size of its fields.
  ///   - client: The network of the client, as of ``Requester``.
  /// - Returns: The post's entry, which removes the post when it ends; `nil` if there is no room.
  func add(_ bytes: Int, from client: String) -> BacklogEntry? {
    let hasRoom = self.contents.withLock { contents in
      contents.add(1, bytes, from: client)
      let hasRoom =
        self.fits(contents.posts.sum, contents.bytes.sum, parts: 1)
        && self.fits(contents.posts[client], contents.bytes[client], parts: 4)
      if hasRoom == false { contents.add(-1, -bytes, from: client) }
      return hasRoom
    }
    guard hasRoom else { return nil }
    return BacklogEntry { self.contents.withLock { $0.add(-1, -bytes, from: client) } }
  }

  /// Whether so much fits in one of so many parts of the limit. One post always does, however large
  /// it is.
  private func fits(_ posts: Int, _ bytes: Int, parts: Int) -> Bool {
    posts == 1 || posts <= self.limit.posts / parts && bytes <= self.limit.bytes / parts
  }
}
