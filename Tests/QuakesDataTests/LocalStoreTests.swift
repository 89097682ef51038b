import DatabaseFiles
import Foundation
import GRDB
import SampleFeeds
import TestSupport
import Testing

@testable import DatabaseFiles
@testable import QuakesData

/// Where a store is that keeps the contract of ``PersistentSessionLocalStore``.
enum LocalStoreKind: String, CaseIterable {
  case memory
  case disk

  func withStore(_ work: (LocalStore) async throws -> Void) async throws {
    switch self {
    case .memory:
      try await work(try LocalStore(isStoredInMemoryOnly: true))
    case .disk:
      try await withFeedFolder { folder in
        let store = try LocalStore(url: folder.appending(path: "quakes.store"))
        try await work(store)
        try store.close()
      }
    }
  }
}

@Suite(.timeLimit(.minutes(20))) struct LocalStoreTests {
  private static let a = Quake.ofFeature("a")
  private static let b = Quake.ofFeature("b", magnitude: 2)
  private static let c = Quake.ofFeature("c", magnitude: 3)

  @Test(arguments: LocalStoreKind.allCases)
  func `a new store is empty`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      let quakes = try await store.fetchLocalQuakesQuery()

      #expect(quakes == [])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `a refresh is saved`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      let newer = Quake.ofFeature("b", magnitude: 2.5, name: "elsewhere", longitude: 1, latitude: 2)
      let d = Quake.ofFeature("d")
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b, Self.c], updated: [], deleted: [])

      try await store.didFetchRemoteQuakesMutation(
        inserted: [d], updated: [newer], deleted: [Self.a])

      #expect(try await store.fetchLocalQuakesQuery() == [newer, Self.c, d])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `a save corrects rows that differ from the state`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      try await store.didFetchRemoteQuakesMutation(
        inserted: [.ofFeature("a", magnitude: 9)], updated: [], deleted: [])

      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a], updated: [], deleted: [Self.c])

      #expect(try await store.fetchLocalQuakesQuery() == [Self.a])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `as in the guide, an update of a quake that others have deleted does not bring it back`(
    kind: LocalStoreKind
  ) async throws {
    try await kind.withStore { store in
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a], updated: [Self.b], deleted: [])

      #expect(try await store.fetchLocalQuakesQuery() == [Self.a])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `one quake is deleted`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b], updated: [], deleted: [])

      try await store.deleteLocalQuakeMutation(quakeId: "a")
      try await store.deleteLocalQuakeMutation(quakeId: "a")

      #expect(try await store.fetchLocalQuakesQuery() == [Self.b])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `deleted quakes are remembered until they are saved again`(kind: LocalStoreKind) async throws
  {
    try await kind.withStore { store in
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b, Self.c], updated: [], deleted: [])
      #expect(try await store.fetchDeletedQuakesQuery() == [])

      try await store.deleteLocalQuakeMutation(quakeId: "b")
      try await store.deleteLocalQuakeMutation(quakeId: "never there")
      // The state may have a quake that could not be saved.
      #expect(try await store.fetchDeletedQuakesQuery() == ["b", "never there"])
      try await store.deleteLocalQuakesMutation()
      #expect(try await store.fetchDeletedQuakesQuery() == ["a", "b", "c", "never there"])
      try await store.didFetchRemoteQuakesMutation(inserted: [Self.a], updated: [], deleted: [])

      #expect(try await store.fetchDeletedQuakesQuery() == ["b", "c", "never there"])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `several quakes are deleted and remembered together`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b, Self.c], updated: [], deleted: [])

      try await store.deleteLocalQuakesMutation(quakeIds: ["a", "c"])

      #expect(try await store.fetchLocalQuakesQuery() == [Self.b])
      #expect(try await store.fetchDeletedQuakesQuery() == ["a", "c"])
    }
  }

  @Test func `the file remembers deleted quakes for longer than feeds go back`()
    async throws
  {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let store = try LocalStore(url: url)
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b, Self.c], updated: [], deleted: [])
      try await store.file.write { database in
        try DeletedQuakes.remember(database, ["a"], at: .now - 41 * 86_400)
        try DeletedQuakes.remember(database, ["b"], at: .now - 39 * 86_400)
      }
      try await store.deleteLocalQuakeMutation(quakeId: "c")
      try store.close()

      let reopened = try LocalStore(url: url)

      #expect(try await reopened.fetchDeletedQuakesQuery() == ["b", "c"])
      try reopened.close()
    }
  }

  @Test func `only the newest deletions are remembered, up to a limit`() async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    try await store.didFetchRemoteQuakesMutation(
      inserted: [Self.a, Self.b], updated: [], deleted: [])
    try await store.file.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
          INSERT INTO deletedQuake SELECT 'old' || n, ? + n FROM number
          """,
        arguments: [DeletedQuakes.limit, Date.now.timeIntervalSinceReferenceDate - 1e6]
      )
    }

    try await store.deleteLocalQuakeMutation(quakeId: "a")

    let deleted = try await store.fetchDeletedQuakesQuery()
    #expect(deleted.count == DeletedQuakes.limit)
    #expect(deleted.contains("a"))
    #expect(deleted.contains("old1") == false)
    #expect(deleted.contains("old2"))
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `all quakes are deleted`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b], updated: [], deleted: [])

      try await store.deleteLocalQuakesMutation()

      #expect(try await store.fetchLocalQuakesQuery() == [])
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `dates are stored exactly`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      let dates = [
        Date(timeIntervalSince1970: 1_517_966_773.840_123),
        Date(timeIntervalSinceReferenceDate: 0.1 + 0.2),
        Date(timeIntervalSinceReferenceDate: 539_659_573.839_999_9.nextUp),
        QuakeLimits.times.lowerBound, QuakeLimits.times.upperBound,
        Date(timeIntervalSinceReferenceDate: -0.000_001), .now,
      ]
      let quakes = dates.enumerated().map { index, date in
        Quake.ofFeature("\(index)", magnitude: 0.1 + 0.2, time: date, updated: date)
      }

      try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])

      #expect(try await store.fetchLocalQuakesQuery() == quakes)
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `awkward text is stored unchanged`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      let texts = [
        "O'Brien; DROP TABLE quake; --", "🌋👩‍👩‍👧", "e\u{301}", "a\u{0}b", "a\u{0}c", "", "null", "1e5",
        "\u{FEFF}bom", String(repeating: "ä", count: 10_000), "12km SSE of San José, Costa Rica",
      ]
      let quakes = texts.map { Quake.ofFeature($0, name: $0) }

      try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])
      try await store.deleteLocalQuakeMutation(quakeId: "a\u{0}c")

      #expect(
        try await store.fetchLocalQuakesQuery() == quakes.filter { $0.id != "a\u{0}c" }
      )
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `a month is saved and read`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      let quakes = try SampleFeed(anchor: Date(timeIntervalSince1970: 1_517_968_154))
        .feed(range: .allMonth).quakes

      try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])

      #expect(try await store.fetchLocalQuakesQuery() == quakes)
    }
  }

  @Test func `a refresh is saved as a whole or not at all`() async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    try await store.didFetchRemoteQuakesMutation(
      inserted: [Self.a, Self.b], updated: [], deleted: [])
    let invalid = Quake.ofFeature("invalid", magnitude: .nan)

    await #expect(throws: LocalStoreError.self) {
      try await store.didFetchRemoteQuakesMutation(
        inserted: [Self.c, invalid], updated: [], deleted: [Self.a])
    }

    #expect(try await store.fetchLocalQuakesQuery() == [Self.a, Self.b])
  }

  @Test func `saved data is there after reopening the file`() async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let first = try LocalStore(url: url)
      try await first.didFetchRemoteQuakesMutation(
        inserted: [Self.a, Self.b], updated: [], deleted: [])
      try first.close()

      let second = try LocalStore(url: url)

      #expect(try await second.fetchLocalQuakesQuery() == [Self.a, Self.b])
      try second.close()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["quakes.store"])
    }
  }

  @Test func `commits are synced to survive a power loss`() async throws {
    try await withFeedFolder { folder in
      let store = try LocalStore(url: folder.appending(path: "quakes.store"))

      let pragmas = try await store.file.read { database in
        [
          try String.fetchOne(database, sql: "PRAGMA journal_mode"),
          try String.fetchOne(database, sql: "PRAGMA synchronous"),
        ]
      }

      #expect(pragmas == ["wal", "2"])
      try store.close()
    }
  }

  @Test(arguments: LocalStoreKind.allCases)
  func `whatever a quake can have is stored`(kind: LocalStoreKind) async throws {
    try await kind.withStore { store in
      let quakes = [
        Quake.ofFeature("past", time: .distantPast, updated: .distantFuture),
        .ofFeature("far", time: Date(timeIntervalSince1970: 1e30), longitude: 200, latitude: -1e9),
        .ofFeature("strong", magnitude: .infinity),
        Quake(
          quakeId: "deep", magnitude: -99, time: .now, updated: .now, name: "", longitude: 0,
          latitude: 0, depth: 1e9, felt: -1),
      ]

      try await store.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])

      let stored = try await store.fetchLocalQuakesQuery()
      #expect(stored == quakes)
      #expect((stored.last?.depth, stored.last?.felt) == (1e9, -1))
      #expect(try await store.fetchShowableQuakes() == [])
    }
  }

  @Test(arguments: [
    "magnitude = 'strong'", "time = 'soon'", "updated = x'00'", "name = x'FF'",
    "name = CAST(x'FF' AS TEXT)", "longitude = ''", "latitude = 'north'",
    "quakeId = CAST(x'FF' AS TEXT)",
  ])
  func `a row that cannot be read does not hide the others`(change: String) async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    try await store.didFetchRemoteQuakesMutation(
      inserted: [Self.a, Self.b], updated: [], deleted: [])
    try await store.file.write { database in
      try database.execute(sql: "UPDATE quake SET \(change) WHERE quakeId = 'b'")
    }

    #expect(try await store.fetchLocalQuakesQuery() == [Self.a])
    // A refresh repairs it.
    try await store.didFetchRemoteQuakesMutation(inserted: [Self.b], updated: [], deleted: [])
    #expect(try await store.fetchLocalQuakesQuery() == [Self.a, Self.b])
  }

  @Test(arguments: [
    ("magnitude = 'strong'", "number", "magnitude"), ("felt = 'yes'", "integer", "felt"),
  ])
  func `the error for an unreadable column names its row`(
    change: String, kind: String, column: String
  ) async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)
    try await store.didFetchRemoteQuakesMutation(inserted: [Self.a], updated: [], deleted: [])
    try await store.file.write { try $0.execute(sql: "UPDATE quake SET \(change)") }

    await #expect {
      try await store.file.read { try DatabaseTable.quakes.values($0) }
    } throws: { error in
      (error as? LocalStoreError)?.message.hasPrefix(
        "The database has a row “a” without \(kind) in the column “\(column)”.") == true
    }
  }

  @Test func `a closed store reports that it is closed`() async throws {
    let store = try LocalStore(isStoredInMemoryOnly: true)

    try store.close()

    await #expect { try await store.fetchLocalQuakesQuery() } throws: { error in
      (error as? ModelActor.Error)?.code == .closed
    }
  }

  @Test func `a file opened by another process is in use`() async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let lock = try ForeignLock(of: url, by: 4711)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore(url: url) }

      #expect(error?.code == .inUse)
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `two stores of one process share a file`() async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let first = try LocalStore(url: url)
      let second = try LocalStore(url: url)

      try await first.didFetchRemoteQuakesMutation(inserted: [Self.a], updated: [], deleted: [])

      #expect(try await second.fetchLocalQuakesQuery() == [Self.a])
      try first.close()
      try await second.deleteLocalQuakesMutation()
      #expect(try await second.fetchLocalQuakesQuery() == [])
      try second.close()
    }
  }

  @Test func `a file that is not a database is left unchanged`() async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "notes.txt")
      try Data("no database at all".utf8).write(to: url)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore(url: url) }

      #expect(error?.code == .notADatabase)
      #expect(try Data(contentsOf: url) == Data("no database at all".utf8))
    }
  }

  @Test func `a dangling link is kept, and works again when its database is back`()
    async throws
  {
    try await withFeedFolder { folder in
      let target = folder.appending(path: "kept.store")
      let first = try LocalStore(url: target)
      let quakes = [Quake.make()]
      try await first.didFetchRemoteQuakesMutation(inserted: quakes, updated: [], deleted: [])
      try first.close()
      let link = folder.appending(path: "quakes.store")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
      let away = folder.appending(path: "away.store")
      try FileManager.default.moveItem(at: target, to: away)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore(url: link) }

      #expect(error?.code == .missing)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
          == ["away.store", "quakes.store"]
      )
      try FileManager.default.moveItem(at: away, to: target)
      let second = try LocalStore(url: link)
      #expect(try await second.fetchLocalQuakesQuery() == quakes)
      try second.close()
    }
  }

  @Test(arguments: [
    "DROP TABLE quake", "ALTER TABLE quake DROP COLUMN name",
    "DROP TABLE quake; DROP TABLE deletedQuake; DROP TABLE grdb_migrations",
  ])
  func `a database without its tables is left unchanged`(change: String) async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      try LocalStore(url: url).close()
      let shell = try DatabaseQueue(path: url.path)
      try await shell.write { try $0.execute(sql: change) }
      try shell.close()
      let before = try Data(contentsOf: url)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore(url: url) }

      #expect(error?.code == .incomplete)
      #expect(try Data(contentsOf: url) == before)
    }
  }

  @Test func `a file that appears while a database is made is not replaced`() async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      let name = DatabaseName(url)
      #expect(try name.file() == nil)
      try Data("appeared".utf8).write(to: url)

      let error = #expect(throws: LocalStoreError.self) { try name.create([1, 2, 3]) }

      #expect(error?.code == .locked)
      #expect(try Data(contentsOf: url) == Data("appeared".utf8))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["quakes.store"])
    }
  }

  @Test(arguments: [("quakes 99", LocalStoreError.Code.newerVersion), ("animals 1", .notADatabase)])
  func `a database of another version or product is refused`(
    migration: String,
    code: LocalStoreError.Code
  ) async throws {
    try await withFeedFolder { folder in
      let url = folder.appending(path: "quakes.store")
      try LocalStore(url: url).close()
      let other = try DatabaseQueue(path: url.path)
      try await other.write { database in
        if code == .notADatabase {
          try database.execute(sql: "DELETE FROM grdb_migrations")
        }
        try database.execute(
          sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [migration])
      }
      try other.close()

      let error = #expect(throws: LocalStoreError.self) { try LocalStore(url: url) }

      #expect(error?.code == code)
    }
  }
}
