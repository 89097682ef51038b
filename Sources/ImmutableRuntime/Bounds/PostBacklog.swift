import ImmutableData
import Synchronization

/// The posts of a product whose effects have not ended, or whose actions listeners have not
/// finished. Each client may have a quarter of them, so no client can keep the others from posting.
///
/// What has been accepted must be written before a server ends. So there are also no more than it can
/// write in its time to end, at the pace of the newest effects that ran one after another.
final class PostBacklog: Sendable {
  private struct Contents {
    var posts = Tally<String>()
    var bytes = Tally<String>()
    /// How long an effect takes that others wait for: the newest count most.
    var pace = Duration.zero

    mutating func add(_ posts: Int, _ bytes: Int, from client: String) {
      self.posts.add(posts, for: client)
      self.bytes.add(bytes, for: client)
    }
  }

  /// How long all posts together may take.
  private static let time = Duration.seconds(8)

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
        self.fits(contents.posts.sum, contents.bytes.sum, at: contents.pace, parts: 1)
        && self.fits(contents.posts[client], contents.bytes[client], at: contents.pace, parts: 4)
      if hasRoom == false { contents.add(-1, -bytes, from: client) }
      return hasRoom
    }
    guard hasRoom else { return nil }
    return BacklogEntry {
      self.contents.withLock { $0.add(-1, -bytes, from: client) }
    } onRun: {
      self.didRun(for: $0)
    }
  }

  /// However long one takes, each client may have a post.
  private func didRun(for time: Duration) {
    self.contents.withLock { contents in
      contents.pace = (contents.pace * 3 + min(time, Self.time / 4)) / 4
    }
  }

  /// Whether so much fits in one of so many parts of the limit. One post always does, however large
  /// it is.
  private func fits(_ posts: Int, _ bytes: Int, at pace: Duration, parts: Int) -> Bool {
    posts == 1
      || posts <= self.limit.posts / parts && bytes <= self.limit.bytes / parts
        && pace * posts <= Self.time / parts
  }
}
