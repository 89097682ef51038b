import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PictureStore {
  /// Removes pictures that nobody uses, now and every ten minutes, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - used: Which of these are used. It gets at most 500 at a time.
  ///   - onError: Is told why some may be there still. Nothing is removed while nobody can say what is used.
  public func keepRemovingUnused(
    except used: @Sendable (Set<String>) async throws -> Set<String>,
    onError: @Sendable (any Error) -> Void
  ) async {
    while Task.isCancelled == false {
      do {
        try await self.removeUnused(except: used)
      } catch is CancellationError {
        return
      } catch {
        onError(error)
      }
      try? await Task.sleep(for: .seconds(600))
    }
  }

  /// Removes pictures that nobody has used for ``Limits/grace``, as far as this has seen.
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
    let hashes = try self.names().filter { Picture.isHash($0) }
    var count = 0
    for start in stride(from: 0, to: hashes.count, by: 500) {
      let batch = Set(hashes[start..<min(start + 500, hashes.count)])
      let usedNow = try await used(batch)
      // The time of its last change is when it was last used.
      for hash in usedNow { utimes(self.path(hash), nil) }
      for hash in batch.subtracting(usedNow) where self.remove(hash, latest) { count += 1 }
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
