import ImmutableData
import Synchronization

/// The posts of a product whose effects have not ended, or whose actions listeners have not
/// finished. Each client may have a quarter of them, so no client can keep the others from posting.
final class PostBacklog: Sendable {
  private struct Size {
    var posts = 0
    var bytes = 0

    /// One post always fits, however large it is.
    func fits(in limit: Self) -> Bool {
      self.posts == 1 || self.posts <= limit.posts && self.bytes <= limit.bytes
    }

    func adding(_ bytes: Int) -> Self { Self(posts: self.posts + 1, bytes: self.bytes + bytes) }

    func removing(_ bytes: Int) -> Self { Self(posts: self.posts - 1, bytes: self.bytes - bytes) }
  }

  private struct Contents {
    var all = Size()
    /// The clients that have such posts, and so bounded by them.
    var shares: [String: Size] = [:]
  }

  private let limit: Size
  private let shareLimit: Size
  private let contents = Mutex(Contents())

  /// - Parameters:
  ///   - posts: The maximum number of posts.
  ///   - bytes: The maximum size of their fields.
  init(posts: Int, bytes: Int) {
    self.limit = Size(posts: posts, bytes: bytes)
    self.shareLimit = Size(posts: posts / 4, bytes: bytes / 4)
  }

  /// The number of posts.
  var count: Int { self.contents.withLock { $0.all.posts } }

  /// Adds a post, if there is room for it.
  ///
  /// - Parameters:
  ///   - bytes: The size of its fields.
  ///   - client: The network of the client, as of ``Requester``.
  /// - Returns: The post's entry, which removes the post when it ends; `nil` if there is no room.
  func add(_ bytes: Int, from client: String) -> BacklogEntry? {
    let hasRoom = self.contents.withLock { contents in
      let all = contents.all.adding(bytes)
      let share = contents.shares[client, default: Size()].adding(bytes)
      guard all.fits(in: self.limit), share.fits(in: self.shareLimit) else { return false }
      contents.all = all
      contents.shares[client] = share
      return true
    }
    return hasRoom ? BacklogEntry { self.remove(bytes, from: client) } : nil
  }

  private func remove(_ bytes: Int, from client: String) {
    self.contents.withLock { contents in
      contents.all = contents.all.removing(bytes)
      let share = contents.shares[client, default: Size()].removing(bytes)
      contents.shares[client] = share.posts > 0 ? share : nil
    }
  }
}
