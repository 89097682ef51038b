import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Pictures of posts that have no answer yet.
extension PictureStore {
  /// Ends the holds on pictures of a post, when it has its answer.
  ///
  /// A picture of a refused post is removed, unless it was here before, an animal uses it, or
  /// another post holds it or has used it.
  ///
  /// - Complexity: O(log n) for each, n used pictures.
  public func release(_ pictures: [Picture], wasRefused: Bool) async {
    let removable = pictures.map(\.hash).filter { hash in
      if wasRefused == false { utimes(self.path(hash), nil) }
      return self.endHold(of: hash, wasRefused: wasRefused)
    }
    let used = self.contents.withLock { $0.used }
    guard removable.isEmpty == false, let used,
      // If it is unknown which pictures are used, they are removed later.
      let usedNow = try? await used(Set(removable))
    else { return }
    for hash in removable where usedNow.contains(hash) == false { _ = self.remove(hash, .infinity) }
  }

  func hold(_ hash: String, isNew: Bool) {
    self.contents.withLock { contents in
      var hold = contents.holds[hash] ?? Hold(isRemovable: isNew)
      hold.count += 1
      contents.holds[hash] = hold
    }
  }

  /// - Returns: Whether nobody needs the picture, as far as posts are concerned.
  @discardableResult
  func endHold(of hash: String, wasRefused: Bool) -> Bool {
    self.contents.withLock { contents in
      guard var hold = contents.holds[hash] else { return false }
      hold.count -= 1
      hold.isRemovable = hold.isRemovable && wasRefused
      contents.holds[hash] = hold.count > 0 ? hold : nil
      return hold.count == 0 && hold.isRemovable
    }
  }
}
