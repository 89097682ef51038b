import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension PictureStore {
  /// Removes unused pictures, now and every ten minutes, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - used: Returns the used pictures among these. It receives at most 500 at a time.
  ///   - onError: Receives the reason why pictures may be left. Nothing is removed while it is
  ///     unknown which pictures are used.
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

  /// Removes pictures that were unused for at least ``Limits/grace``, as far as this store has
  /// seen.
  ///
  /// - Parameter used: Returns the used pictures among these. It receives at most 500 at a time.
  /// - Returns: The number of removed pictures.
  /// - Throws: ``PictureStoreError``, or an error that `used` throws; some pictures may be left
  ///   then.
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
      // The time of its last change is the time of its last use.
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
      // It may have been uploaded again in the meantime.
      guard self.isOld(hash, latest) else { return nil }
      // The original is removed last, so that small ones never exist without it.
      let names = PictureSize.allCases.map { $0.name(of: hash) } + [hash]
      return names.reduce(0) { $0 + self.remove($1) }
    }
    guard let bytes else { return false }
    self.contents.withLock { $0.bytes -= bytes }
    return true
  }

  /// - Returns: The number of removed bytes.
  private func remove(_ name: String) -> Int {
    guard let bytes = self.byteCount(name), unlink(self.path(name)) == 0 else { return 0 }
    return bytes
  }
}
