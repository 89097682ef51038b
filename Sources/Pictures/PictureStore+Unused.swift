import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PictureStore {
  /// Removes pictures that have been there for a while and that nobody uses.
  ///
  /// - Parameter used: Which of these are used. It gets at most 500 at a time.
  /// - Returns: How many were removed.
  /// - Throws: ``PictureStoreError``, or what `used` throws; then some of them may be there still.
  /// - Complexity: O(n), n pictures; it holds their names.
  @discardableResult
  public func removeUnused(
    except used: @Sendable (Set<String>) async throws -> Set<String>
  ) async throws -> Int {
    let latest = Date.now.timeIntervalSince1970 - self.limits.grace
    let old = try self.names().filter { Picture.isHash($0) && self.isOld($0, latest) }
    var count = 0
    for start in stride(from: 0, to: old.count, by: 500) {
      let batch = Set(old[start..<min(start + 500, old.count)])
      for hash in batch.subtracting(try await used(batch)) where self.remove(hash, latest) {
        count += 1
      }
    }
    return count
  }

  private func isOld(_ hash: String, _ latest: Double) -> Bool {
    guard let file = try? PictureFile(path: self.path(hash)), let status = file.status else {
      return false
    }
    return status.changed <= latest
  }

  private func remove(_ hash: String, _ latest: Double) -> Bool {
    let bytes = self.files.withLock { _ -> Int? in
      // It may have been uploaded again since.
      guard self.isOld(hash, latest) else { return nil }
      // The whole last: a small one is never there without it.
      let names = PictureSize.allCases.map { $0.name(of: hash) } + [hash]
      return names.reduce(0) { $0 + self.remove($1) }
    }
    guard let bytes else { return false }
    self.contents.withLock { $0.bytes -= bytes }
    return true
  }

  /// - Returns: How many bytes are gone.
  private func remove(_ name: String) -> Int {
    guard let bytes = self.byteCount(name), unlink(self.path(name)) == 0 else { return 0 }
    return bytes
  }
}
