import Foundation
import GRDB
import TestSupport
import Testing

@testable import AnimalsData

@Suite(.timeLimit(.minutes(20))) struct LocalStoreTests {
  @Test func `saved data is there after reopening the file`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      let eagle = try await first.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      _ = try await first.deleteAnimalMutation(animalId: "Dog")
      try first.close()

      let second = try LocalStore<UUID>(url: url)

      #expect(
        try await second.fetchAnimalsQuery() == Animal.samples.filter { $0.id != "Dog" } + [eagle]
      )
      try second.close()
    }
  }

  @Test func `a commit is on the disk before it counts as saved`() async throws {
    try await withTemporaryFolder { folder in
      let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))

      let modes = try await store.file.read { database in
        try ["journal_mode", "synchronous"].map {
          try String.fetchOne(database, sql: "PRAGMA \($0)")
        }
      }

      // Of a write-ahead log, only FULL (2) and EXTRA sync each commit.
      #expect(modes == ["wal", "2"])
      try store.close()
    }
  }

  /// The guide's stores have no function to close them.
  @Test func `a file can be opened again once its store was released`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      for count in Animal.samples.count..<(Animal.samples.count + 20) {
        let store = try LocalStore<UUID>(url: url)
        #expect(try await store.fetchAnimalsQuery().count == count)
        _ = try await store.addAnimalMutation(
          name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      }
    }
  }

  /// The guide's stores may be opened at any time.
  @Test(arguments: [false, true])
  func `two stores of one process share a file`(isLinked: Bool) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      let link = folder.appending(path: "link.store")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let eagle = try await first.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")

      let second = try LocalStore<UUID>(url: isLinked ? link : url)
      let owl = try await second.addAnimalMutation(
        name: "Owl", diet: .carnivorous, categoryId: "Bird")

      for store in [first, second] {
        #expect(try await store.fetchAnimalsQuery() == Animal.samples + [eagle, owl])
      }
      // Each is told of the changes by the other.
      #expect(try await first.file.hasForeignCommits())
      #expect(try await second.file.hasForeignCommits() == false)
      try first.close()
      #expect(throws: (any Error).self) { try ForeignLock(of: url, by: 4711) }
      #expect(try await second.deleteAnimalMutation(animalId: owl.id) == owl)
      try second.close()
      #expect(try contents(of: folder).keys.sorted() == ["animals.store", "link.store"])
      _ = try ForeignLock(of: url, by: 4711)
    }
  }

  @Test func `a closed store leaves only its database in the folder`() async throws {
    try await withTemporaryFolder { folder in
      let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))

      try store.close()

      #expect(try contents(of: folder).keys.sorted() == ["animals.store"])
    }
  }

  @Test func `a closed store reports that it is closed`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)

    try store.close()

    await #expect { try await store.fetchAnimalsQuery() } throws: { error in
      (error as? LocalStoreError)?.code == .closed
    }
  }

  @Test func `closing during work does no harm`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)

    let errors = await withTaskGroup(of: (any Error)?.self) { group in
      for index in 0..<50 {
        group.addTask {
          do {
            if index == 25 {
              try store.close()
            } else {
              _ = try await store.fetchAnimalsQuery()
            }
            return nil
          } catch {
            return error
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
    }

    let codes = Set(errors.map { ($0 as? LocalStoreError)?.code })
    #expect(codes.subtracting([.closed]) == [])
  }

  @Test func `a store released without closing frees its file`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      do {
        _ = try LocalStore<UUID>(url: url)
      }

      try LocalStore<UUID>(url: url).close()
    }
  }

  @Test func `an emptied catalog gets no sample data again`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      for animal in Animal.samples {
        _ = try await first.deleteAnimalMutation(animalId: animal.id)
      }
      try first.close()

      let second = try LocalStore<UUID>(url: url)

      #expect(try await second.fetchAnimalsQuery() == [])
      try second.close()
    }
  }

  @Test func `ids come from the given UUID type`() async throws {
    struct Stub: IncrementalStoreUUID {
      let uuidString = "1234"
    }
    let store = try LocalStore<Stub>(isStoredInMemoryOnly: true)

    let animal = try await store.addAnimalMutation(
      name: "Eagle", diet: .carnivorous, categoryId: "Bird")

    #expect(animal.id == "1234")
    await #expect(throws: LocalStoreError.self) {
      try await store.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    }
    #expect(try await store.fetchAnimalsQuery().count == Animal.samples.count + 1)
  }

  @Test func `errors have the guide's names`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)

    await #expect { try await store.deleteAnimalMutation(animalId: "Unicorn") } throws: { error in
      (error as? ModelActor<UUID>.Error)?.code == .animalNotFound
    }
    #expect(ModelActor<UUID>.Error(code: .animalNotFound).message == "There is no such animal.")
  }

  @Test func `commits are synced to survive a power loss`() async throws {
    try await withTemporaryFolder { folder in
      let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))

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

  @Test(arguments: ["diet = 'Stones'", "name = CAST(x'FF' AS TEXT)"])
  func `an animal that cannot be read does not hide the others`(values: String) async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await store.file.write { database in
      try database.execute(sql: "UPDATE animal SET \(values) WHERE animalId = 'Newt'")
    }

    #expect(try await store.fetchAnimalsQuery() == Animal.samples.filter { $0 != .newt })
  }

  @Test func `a category that cannot be read does not hide the others`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await store.file.write { database in
      try database.execute(
        sql: "UPDATE category SET name = CAST(x'FF' AS TEXT) WHERE categoryId = 'Bird'")
    }

    #expect(try await store.fetchCategoriesQuery() == Category.samples.filter { $0 != .bird })
  }

  @Test func `the error for an unknown diet names the animal`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await store.file.write { database in
      try database.execute(sql: "UPDATE animal SET diet = 'Stones' WHERE animalId = 'Newt'")
    }

    await #expect {
      try await store.updateAnimalMutation(
        animalId: "Newt", name: "Newt", diet: .carnivorous, categoryId: "Amphibian")
    } throws: { error in
      let error = error as? LocalStoreError
      return error?.code == .invalidRow && error?.message.contains("“Newt”") == true
        && error?.message.contains("“Stones”") == true
    }
  }

  @Test func `text that is not UTF-8 is an error`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await store.file.write { database in
      try database.execute(sql: "UPDATE animal SET name = CAST(x'FF' AS TEXT)")
    }

    await #expect { try await store.deleteAnimalMutation(animalId: "Newt") } throws: { error in
      (error as? LocalStoreError)?.code == .invalidRow
    }
  }

  @Test func `a full disk is an error until there is room`() async throws {
    try await withTemporaryFolder { folder in
      let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))
      let large = String(repeating: "x", count: 1_000_000)
      try await store.file.write { try $0.execute(sql: "PRAGMA max_page_count = 20") }

      await #expect {
        try await store.addAnimalMutation(name: large, diet: .omnivorous, categoryId: "Bird")
      } throws: { error in
        (error as? LocalStoreError)?.code == .diskFull
      }
      #expect(try await store.fetchAnimalsQuery() == Animal.samples)
      try await store.file.write { try $0.execute(sql: "PRAGMA max_page_count = 100000") }

      let animal = try await store.addAnimalMutation(
        name: large, diet: .omnivorous, categoryId: "Bird")

      #expect(try await store.fetchAnimalsQuery() == Animal.samples + [animal])
      try store.close()
    }
  }
}

/// Files that a store does not take.
@Suite(.timeLimit(.minutes(20))) struct LocalStoreRefusalTests {
  @Test func `a file opened by another process is in use`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try LocalStore<UUID>(url: url).close()
      let lock = try ForeignLock(of: url, by: 4711)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .inUse)
      #expect(
        error?.message
          == "The database \(url.path) is in use by the process 4711. Stop it, or choose another "
          + "file."
      )
      withExtendedLifetime(lock) {}
    }
  }

  @Test func `a file in use is detected through a link too`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try LocalStore<UUID>(url: url).close()
      let link = folder.appending(path: "link.store")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
      let lock = try ForeignLock(of: url, by: 4711)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: link) }

      #expect(error?.code == .inUse)
      withExtendedLifetime(lock) {}
    }
  }

  @Test(arguments: ["no database at all", String(repeating: "SQLite format 4", count: 1_000)])
  func `a file that is not a database is left unchanged`(text: String) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "notes.txt")
      try Data(text.utf8).write(to: url)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notADatabase)
      #expect(error?.message.contains(url.path) == true)
      #expect(try contents(of: folder) == ["notes.txt": Data(text.utf8)])
    }
  }

  @Test(arguments: [false, true])
  func `a database of a newer version is left unchanged`(isWAL: Bool) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try LocalStore<UUID>(url: url).close()
      let newer = try DatabaseQueue(path: url.path)
      try await newer.writeWithoutTransaction { database in
        try database.execute(
          sql: """
            PRAGMA journal_mode = \(isWAL ? "wal" : "delete");
            INSERT INTO grdb_migrations VALUES ('animals 99');
            """
        )
      }
      try newer.close()
      let before = try contents(of: folder)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .newerVersion)
      #expect(error?.message.contains(url.path) == true)
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a newer version that is still in the write-ahead log is noticed`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try LocalStore<UUID>(url: url).close()
      let newer = try DatabaseQueue(path: url.path)
      try await newer.write {
        try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('animals 99')")
      }
      // As a kill would leave it: the log holds the only trace.
      let killed = folder.appending(path: "killed.store")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(atPath: url.path + suffix, toPath: killed.path + suffix)
      }
      try newer.close()
      let before = try contents(of: folder)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: killed) }

      #expect(error?.code == .newerVersion)
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a database of another program is left unchanged`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "cookies.sqlite")
      let other = try DatabaseQueue(path: url.path)
      try await other.write { try $0.execute(sql: "CREATE TABLE cookie (name TEXT)") }
      try other.close()
      let before = try contents(of: folder)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notADatabase)
      #expect(try contents(of: folder) == before)
    }
  }

  @Test func `a folder in place of a file is an error`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "folder")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notADatabase)
      #expect(try contents(of: folder).keys.sorted() == ["folder"])
    }
  }

  @Test func `a missing folder is named in the error`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "nowhere/animals.store")

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notWritable)
      #expect(
        error?.message
          == "There is no folder \(folder.path)/nowhere. Create it, or choose another file."
      )
    }
  }

  @Test func `a database locked by a shell is an error, not a hang`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let store = try LocalStore<UUID>(url: url)
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let shell = try DatabaseQueue(path: url.path, configuration: configuration)
      try await shell.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }

      await #expect {
        try await store.addAnimalMutation(name: "A", diet: .omnivorous, categoryId: "Bird")
      } throws: { error in
        (error as? LocalStoreError)?.code == .locked
      }
      try await shell.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try shell.close()

      _ = try await store.addAnimalMutation(name: "A", diet: .omnivorous, categoryId: "Bird")
      try store.close()
    }
  }
}

/// What is in each file of a folder; nothing for folders.
private func contents(of folder: URL) throws -> [String: Data] {
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
  return Dictionary(
    uniqueKeysWithValues: names.map { name in
      (name, FileManager.default.contents(atPath: folder.appending(path: name).path) ?? Data())
    }
  )
}
