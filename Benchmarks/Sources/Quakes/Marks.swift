import Foundation
import QuakesData
import Synchronization

/// When something happened last, by name.
final class Marks: Sendable {
  private let times = Mutex<[String: UInt64]>([:])

  /// The monotonic clock, in nanoseconds, which other processes read too.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  func mark(_ name: String) {
    let now = Self.now
    self.times.withLock { $0[name] = now }
  }

  var all: [String: UInt64] {
    self.times.withLock { $0 }
  }
}

/// Marks when a refresh is saved.
struct MarkingStore: PersistentSessionLocalStore {
  let store: LocalStore
  let marks: Marks

  func fetchLocalQuakesQuery() async throws -> [Quake] {
    try await self.store.fetchLocalQuakesQuery()
  }

  func didFetchRemoteQuakesMutation(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) async throws {
    try await self.store.didFetchRemoteQuakesMutation(
      inserted: inserted,
      updated: updated,
      deleted: deleted
    )
    self.marks.mark("saved")
  }

  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {
    try await self.store.deleteLocalQuakeMutation(quakeId: quakeId)
    self.marks.mark("deleted")
  }

  func deleteLocalQuakesMutation() async throws {
    try await self.store.deleteLocalQuakesMutation()
    self.marks.mark("deleted")
  }
}
