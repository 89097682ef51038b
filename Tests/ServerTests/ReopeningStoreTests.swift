import DatabaseFiles
import Foundation
import QuakesData
import Synchronization
import Testing

@testable import Server

/// A store that can be followed, and does nothing else.
private struct EmptyStore: PersistentSessionLocalStore {
  func fetchLocalQuakesQuery() async throws -> [Quake] { [] }
  func didFetchRemoteQuakesMutation(
    inserted: [Quake], updated: [Quake], deleted: [Quake]
  ) async throws {}
  func deleteLocalQuakeMutation(quakeId: Quake.ID) async throws {}
  func deleteLocalQuakesMutation() async throws {}
  func followChanges(
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable () async throws -> Void
  ) async throws {
    try await body()
  }
}

@Suite(.timeLimit(.minutes(1))) struct ReopeningStoreTests {
  private static func locked() throws -> EmptyStore { throw LocalStoreError(code: .locked) }

  @Test func `while the store cannot be opened, every operation fails`() async throws {
    let store = try ReopeningStore(Self.locked)

    await #expect(throws: LocalStoreError.self) { try await store.fetchLocalQuakesQuery() }
    await #expect(throws: LocalStoreError.self) { try await store.fetchDeletedQuakesQuery() }
    await #expect(throws: LocalStoreError.self) {
      try await store.deleteLocalQuakesMutation(quakeIds: ["a"])
    }
  }

  @Test func `a check that takes long holds up neither operations nor other checks`() async throws {
    let (hasBegun, begins) = AsyncStream<Never>.makeStream()
    let (answers, answer) = AsyncStream<String?>.makeStream()
    let isFirst = Mutex(true)
    let mayEnd = DispatchSemaphore(value: 0)
    let check: @Sendable (EmptyStore) -> Void = { _ in
      let waits = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      guard waits else { return }
      begins.finish()
      mayEnd.wait()
    }
    let store = try ReopeningStore({ EmptyStore() }, check: check)
    Thread.detachNewThread { answer.yield(store.obstacle) }
    defer { mayEnd.signal() }
    for await _ in hasBegun {}

    try #require(store.obstacle == nil)
    #expect(try await store.fetchLocalQuakesQuery() == [])

    mayEnd.signal()
    #expect(await answers.first { _ in true } == .some(nil))
  }

  /// As many as there can be threads waited for one that opened the store, and so nothing else went on.
  @Test func `operations that wait until the store is open block no threads`() async throws {
    let mayOpen = DispatchSemaphore(value: 0)
    let isFirst = Mutex(true)
    let store = try ReopeningStore {
      let fails = isFirst.withLock { isFirst in
        defer { isFirst = false }
        return isFirst
      }
      if fails { return try Self.locked() }
      mayOpen.wait()
      return EmptyStore()
    }
    let operations = (0..<1_000).map { _ in Task { try await store.fetchLocalQuakesQuery() } }

    await Task { _ = mayOpen.signal() }.value

    for operation in operations { #expect(try await operation.value == []) }
  }

  @Test func `a task that stops waiting does not end the wait of another`() async throws {
    let isLocked = Mutex(true)
    let store = try ReopeningStore { try isLocked.withLock { $0 } ? Self.locked() : EmptyStore() }
    let first = Task {
      try await store.followChanges {
      } _: {
      }
    }
    let second = Task {
      try await store.followChanges {
      } _: {
      }
    }

    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // As long as it is locked, nobody may try to open it for the second one.
    let third = Task {
      try await store.followChanges {
      } _: {
      }
    }
    isLocked.withLock { $0 = false }
    #expect(store.obstacle == nil)

    try await second.value
    try await third.value
  }
}
