import DequeModule
import Synchronization

/// The sizes of a product's newest posts, to find out how many bytes wait for its listeners: each
/// action that they have not finished may hold all fields of a post.
///
/// It keeps one number for each of these actions.
final class PostSizes: Sendable {
  private struct Contents {
    /// Oldest first.
    var sizes: Deque<Int> = []
    var sum = 0
  }

  private let contents = Mutex(Contents())

  /// Adds a post, if there is room for it.
  ///
  /// - Parameters:
  ///   - bytes: The size of its fields.
  ///   - count: The number of actions that are not finished. No more posts than that can be waiting.
  ///   - limit: The maximum size of the waiting posts, in bytes.
  /// - Returns: Whether there was room.
  /// - Complexity: O(1), amortised.
  func add(_ bytes: Int, waiting count: Int, limit: Int) -> Bool {
    self.contents.withLock { contents in
      while contents.sizes.count > count {
        contents.sum -= contents.sizes.removeFirst()
      }
      guard contents.sum + bytes <= limit else { return false }
      contents.sizes.append(bytes)
      contents.sum += bytes
      return true
    }
  }
}
