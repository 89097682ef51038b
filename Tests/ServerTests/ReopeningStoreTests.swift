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

  /// Each check held a thread, and so a disk that hangs held one more for each probe.
  @Test func `a check that hangs is made once, and holds up nobody`() async throws {
    let (hasBegun, begins) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    let hangs = Mutex(true)
    let checks = Mutex(0)
    let check: @Sendable (EmptyStore) -> Void = { _ in
      checks.withLock { $0 += 1 }
      begins.finish()
      if hangs.withLock(\.self) { mayEnd.wait() }
    }
    let store = try ReopeningStore(
      { EmptyStore() }, patience: .milliseconds(1), check: check)

    let probes = (0..<1_000).map { _ in Task { await store.obstacle } }
    for await _ in hasBegun {}
    for probe in probes { #expect(await probe.value?.contains("hang") == true) }
    #expect(try await store.fetchLocalQuakesQuery() == [])
    #expect(checks.withLock(\.self) == 1)

    hangs.withLock { $0 = false }
    mayEnd.signal()
    while await store.obstacle != nil {}
  }

  @Test func `those who ask during a check get its answer`() async throws {
    let (hasBegun, begins) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    let checks = Mutex(0)
    let check: @Sendable (EmptyStore) throws -> Void = { _ in
      let number = checks.withLock {
        $0 += 1
        return $0
      }
      begins.finish()
      mayEnd.wait()
      throw LocalStoreError(code: .missing, message: "It is gone (\(number)).")
    }
    let store = try ReopeningStore({ EmptyStore() }, patience: .seconds(60), check: check)

    let first = Task { await store.obstacle }
    for await _ in hasBegun {}
    let others = (0..<100).map { _ in Task { await store.obstacle } }
    // Those that ask once it has ended begin a check of their own.
    for _ in 0...100 { mayEnd.signal() }

    #expect(await first.value == "It is gone (1).")
    var answers: Set<String?> = []
    for other in others { answers.insert(await other.value) }
    #expect(answers.isSubset(of: (1...101).map { "It is gone (\($0))." }))
    #expect(checks.withLock(\.self) == Set(["It is gone (1)."]).union(answers).count)
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
    #expect(await store.obstacle == nil)

    try await second.value
    try await third.value
  }
}
