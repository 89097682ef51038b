import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DatabaseFiles

@Suite(.timeLimit(.minutes(20))) struct ReopeningTests {
  private static func locked() throws { throw LocalStoreError(code: .locked) }

  private static let schema = DatabaseSchema(
    name: "notes", migrations: ["CREATE TABLE note (id TEXT NOT NULL PRIMARY KEY)"])
  private static let notes = DatabaseTable<String>("note", [.text("id")]) { row in
    try row.text(0)
  } columns: { id in
    [id]
  }

  @Test func `while a file cannot be opened, every operation fails, and then all work`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let missing = folder.appending(path: "notes")
      let url = missing.appending(path: "notes.store")
      #expect(throws: LocalStoreError.self) { try DatabaseFile(url: url, schema: Self.schema) }
      let file = try DatabaseFile(reopening: url, schema: Self.schema)

      #expect(file.firstObstacle?.contains("There is no folder") == true)
      #expect(await file.obstacle == file.firstObstacle)
      let error = await #expect(throws: LocalStoreError.self) {
        try await file.write { try Self.notes.insert($0, "a") }
      }
      #expect(error?.message == file.firstObstacle)

      try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
      try await file.write { try Self.notes.insert($0, "b") }
      #expect(try await file.read { try Self.notes.values($0) } == ["b"])
      #expect(await file.obstacle == nil)
      try file.close()
      await #expect(throws: LocalStoreError.self) {
        try await file.read { try Self.notes.values($0) }
      }
    }
  }

  @Test func `a file that is closed before it could be opened is not opened any more`() async throws
  {
    try await withTemporaryFolder { folder in
      let missing = folder.appending(path: "notes")
      let url = missing.appending(path: "notes.store")
      let file = try DatabaseFile(reopening: url, schema: Self.schema)

      try file.close()
      try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
      let error = await #expect(throws: LocalStoreError.self) {
        try await file.read { try Self.notes.values($0) }
      }

      #expect(error?.code == .closed)
      #expect(await file.obstacle?.contains("closed") == true)
      #expect(try FileManager.default.contentsOfDirectory(atPath: missing.path) == [])
    }
  }

  @Test func `a file that is not a database is refused at once`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "notes.store")
      try Data("Not a database, but long enough to be looked at.".utf8).write(to: url)

      let error = #expect(throws: LocalStoreError.self) {
        try DatabaseFile(reopening: url, schema: Self.schema)
      }

      #expect(error?.code == .notADatabase)
    }
  }

  /// Each check held a thread, and so a disk that hangs held one more for each probe.
  @Test func `a check that hangs is made once, and holds up nobody`() async throws {
    let (hasBegun, begins) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    let hangs = Mutex(true)
    let checks = Mutex(0)
    let check: @Sendable (Int) -> Void = { _ in
      checks.withLock { $0 += 1 }
      begins.finish()
      if hangs.withLock(\.self) { mayEnd.wait() }
    }
    let file = Reopening({ 1 }, patience: .milliseconds(1), check: check)

    let probes = (0..<1_000).map { _ in Task { await file.obstacle } }
    for await _ in hasBegun {}
    for probe in probes { #expect(await probe.value?.contains("hang") == true) }
    #expect(try await file.open() == 1)
    #expect(checks.withLock(\.self) == 1)

    hangs.withLock { $0 = false }
    mayEnd.signal()
    while await file.obstacle != nil { await letOthersGoOn() }
  }

  @Test func `those who ask during a check get its answer`() async throws {
    let (hasBegun, begins) = AsyncStream<Never>.makeStream()
    let mayEnd = DispatchSemaphore(value: 0)
    let checks = Mutex(0)
    let check: @Sendable (Int) throws -> Void = { _ in
      let number = checks.withLock {
        $0 += 1
        return $0
      }
      begins.finish()
      mayEnd.wait()
      throw LocalStoreError(code: .missing, message: "It is gone (\(number)).")
    }
    let file = Reopening({ 1 }, patience: .seconds(60), check: check)

    let first = Task { await file.obstacle }
    for await _ in hasBegun {}
    let others = (0..<100).map { _ in Task { await file.obstacle } }
    // Those that ask once it has ended begin a check of their own.
    for _ in 0...100 { mayEnd.signal() }

    #expect(await first.value == "It is gone (1).")
    var answers: Set<String?> = []
    for other in others { answers.insert(await other.value) }
    #expect(answers.isSubset(of: (1...101).map { "It is gone (\($0))." }))
    #expect(checks.withLock(\.self) == Set(["It is gone (1)."]).union(answers).count)
  }

  /// As many as there can be threads waited for one that opened it, and so nothing else went on.
  @Test func `operations that wait until it is open block no threads`() async throws {
    let mayOpen = DispatchSemaphore(value: 0)
    let file = Reopening {
      mayOpen.wait()
      return 1
    }
    let operations = (0..<1_000).map { _ in Task { try await file.open() } }

    await Task { _ = mayOpen.signal() }.value

    for operation in operations { #expect(try await operation.value == 1) }
  }

  @Test func `what waits to open a file that is closed meanwhile does not open it`() async throws {
    let (hasBegun, begins) = AsyncStream<Never>.makeStream()
    let mayFail = DispatchSemaphore(value: 0)
    let count = Mutex(0)
    let file = Reopening {
      count.withLock { $0 += 1 }
      begins.finish()
      mayFail.wait()
      try Self.locked()
    }
    let first = Task { try await file.open() }
    for await _ in hasBegun {}
    let second = Task { try await file.open() }

    let closing = Task.detached { file.close() != nil }
    while (try? file.requireOpen()) != nil { await letOthersGoOn() }
    mayFail.signal()

    #expect(await closing.value == false)
    for operation in [first, second] {
      await #expect(throws: LocalStoreError.self) { try await operation.value }
    }
    #expect(count.withLock(\.self) == 1)
  }

  @Test func `a task that stops waiting does not end the wait of another`() async throws {
    let isLocked = Mutex(true)
    let file = Reopening { try isLocked.withLock { $0 ? try Self.locked() : () } }
    #expect(throws: LocalStoreError.self) { try file.openNow() }
    let first = Task { try await file.whenOpen() }
    let second = Task { try await file.whenOpen() }

    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // As long as it is locked, nobody may try to open it for the second one.
    let third = Task { try await file.whenOpen() }
    isLocked.withLock { $0 = false }
    #expect(await file.obstacle == nil)

    try await second.value
    try await third.value
  }
}
