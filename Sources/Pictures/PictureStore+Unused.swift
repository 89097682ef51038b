import Foundation
import Synchronization

extension PictureStore {
  /// Removes unused pictures, now and every ten minutes, until the task is cancelled.
  ///
  /// - Parameters:
  ///   - used: Returns the used pictures among these.
  ///   - onError: Receives the reason why pictures may be left, also by removals for lack of room
  ///     and after refused posts. Nothing is removed while it is unknown which pictures are used.
  public func keepRemovingUnused(
    except used: @escaping UsedPictures,
    onError: @escaping @Sendable (any Error) -> Void
  ) async {
    self.contents.withLock { $0.removal = Removal(used: used, onError: onError) }
    defer { self.contents.withLock { $0.removal = nil } }
    while Task.isCancelled == false {
      do {
        try await self.removeUnused(except: used)
      } catch is CancellationError {
        return
      } catch {
        onError(error)
      }
      try? await Task.sleep(for: .seconds(Self.sweepInterval))
    }
  }

  /// Removes pictures that were unused for at least ``Limits/grace``, as far as this store has
  /// seen, and that no post holds.
  ///
  /// - Parameter used: Returns the used pictures among these.
  /// - Returns: The number of removed pictures.
  /// - Throws: ``PictureStoreError``, or an error that `used` throws; some pictures may be left
  ///   then.
  /// - Complexity: O(n), n pictures; it holds their names.
  @discardableResult
  public func removeUnused(except used: UsedPictures) async throws -> Int {
    try await self.removeUnused(except: used, grace: self.limits.grace)
  }

  @discardableResult
  private func removeUnused(except used: UsedPictures, grace: Double) async throws -> Int {
    let latest = Date.now.timeIntervalSince1970 - grace
    let hashes = try await self.onDisk {
      _ = try self.opened()
      return try self.names().filter { Picture.isHash($0) }
    }
    var count = 0
    for start in stride(from: 0, to: hashes.count, by: 500) {
      let batch = Set(hashes[start..<min(start + 500, hashes.count)])
      let usedNow = try await used(batch)
      count += await self.onDisk {
        // The time of its last change is the time of its last use.
        for hash in usedNow { utimes(self.path(hash), nil) }
        return batch.subtracting(usedNow).count { self.remove($0, latest) }
      }
    }
    return count
  }

  /// Whether a picture was last used before a time. One that was used in the future counts as used now:
  /// the clock was wrong, and is right by now.
  private func isOld(_ hash: String, _ latest: Double) -> Bool {
    guard let file = try? PictureFile(path: self.path(hash)), let status = file.status else {
      return false
    }
    if status.changed > Date.now.timeIntervalSince1970 { utimes(self.path(hash), nil) }
    return status.changed <= latest
  }

  /// Removes a picture, unless a post holds it.
  ///
  /// - Parameter latest: When it may have been used last, in seconds since 1970.
  private func remove(_ hash: String, _ latest: Double) -> Bool {
    self.files.withLock { _ in
      // It may have been uploaded again in the meantime.
      let isHeld = self.contents.withLock { $0.holds[hash] != nil }
      guard isHeld == false, self.isOld(hash, latest) else { return false }
      self.removeFiles(of: hash)
      return true
    }
  }

  /// Removes a picture and its small versions. Call it with ``files`` locked.
  func removeFiles(of hash: String) {
    // The original is removed last, so that small ones never exist without it.
    let names = PictureSize.allCases.map { $0.name(of: hash) } + [hash]
    let bytes = names.reduce(0) { $0 + self.remove($1) }
    self.contents.withLock { $0.storedBytes -= bytes }
  }

  /// - Returns: The number of removed bytes.
  private func remove(_ name: String) -> Int {
    guard let bytes = self.byteCount(name), unlink(self.path(name)) == 0 else { return 0 }
    return bytes
  }
}

// Room for new pictures.
extension PictureStore {
  /// How long after one search for unused pictures the next may start, because there is no room.
  private static let clearingInterval = Duration.seconds(1)

  /// Does some work that needs room for a picture. If there is none, pictures that were unused for
  /// ``Limits/graceWhenFull`` are removed, and the work is done again.
  ///
  /// - Throws: What the work throws; ``PictureStoreError``, `full`, if there is still no room.
  /// - Complexity: O(n), n pictures, at most once a second for all who need room.
  public func makingRoom<Value, Failure: Error>(
    _ work: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let tried = ContinuousClock.now
    do {
      return try await work()
    } catch {
      guard (error as? PictureStoreError)?.code == .full, await self.makeRoom(since: tried) else {
        throw error
      }
      return try await work()
    }
  }

  /// - Parameter tried: When there may have been no room.
  /// - Returns: Whether there may be room now.
  private func makeRoom(since tried: ContinuousClock.Instant) async -> Bool {
    let (task, wasMade) = self.contents.withLock { contents -> (Task<Void, Never>?, Bool) in
      if let task = contents.clearing.task { return (task, true) }
      let now = ContinuousClock.now
      if let ended = contents.clearing.ended {
        guard ended <= tried else { return (nil, true) }
        if now - ended < Self.clearingInterval { return (nil, false) }
      }
      guard let removal = contents.removal else { return (nil, false) }
      let task = Task {
        do {
          try await self.removeUnused(except: removal.used, grace: self.limits.graceWhenFull)
        } catch {
          removal.onError(error)
        }
        self.contents.withLock { $0.clearing = Clearing(task: nil, ended: .now) }
      }
      contents.clearing.task = task
      return (task, true)
    }
    await task?.value
    return wasMade
  }
}
