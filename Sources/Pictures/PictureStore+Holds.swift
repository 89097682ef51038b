import Foundation
import Synchronization

// Pictures of posts that have no answer yet.
extension PictureStore {
  /// Ends the holds on pictures of a post, when it has its answer.
  ///
  /// A picture of a refused post is removed, unless it was here before, an animal uses it, or
  /// another post holds it or has used it.
  ///
  /// - Complexity: O(log n) for each, n used pictures.
  public func release(_ pictures: [Picture], wasRefused: Bool) async {
    let hashes = pictures.map(\.hash)
    // Asked while they are still held, so that another post with the same picture is noticed.
    let unused = wasRefused ? await self.unused(hashes) : []
    await self.onDisk {
      for hash in hashes {
        if wasRefused == false {
          // Its grace begins now.
          utimes(self.path(hash), nil)
        }
        self.files.withLock { _ in
          guard self.endHold(of: hash, wasRefused: wasRefused), unused.contains(hash) else {
            return
          }
          self.removeFiles(of: hash)
        }
      }
    }
  }

  /// - Returns: Those of these pictures that are known to be unused. The others are removed later.
  private func unused(_ hashes: [String]) async -> Set<String> {
    let (candidates, removal) = self.contents.withLock { contents in
      (Set(hashes.filter { contents.holds[$0]?.isRemovable == true }), contents.removal)
    }
    guard candidates.isEmpty == false, let removal else { return [] }
    do {
      return candidates.subtracting(try await removal.used(candidates))
    } catch {
      removal.onError(error)
      return []
    }
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
