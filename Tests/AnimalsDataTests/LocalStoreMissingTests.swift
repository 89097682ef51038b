import Foundation
import GRDB
import HTTPConnections
import Testing

@testable import AnimalsData
@testable import AnimalsDataServer

/// Databases that should be there and are not, and names that something else has: nothing is removed
/// or replaced.
@Suite(.timeLimit(.minutes(20))) struct LocalStoreMissingTests {
  @Test func `a dangling link is kept, and works again when its database is back`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let volume = folder.appending(path: "volume")
      try FileManager.default.createDirectory(at: volume, withIntermediateDirectories: true)
      let target = volume.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: target)
      let eagle = try await first.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      try first.close()
      let link = folder.appending(path: "animals.store")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
      let away = folder.appending(path: "away")
      try FileManager.default.moveItem(at: volume, to: away)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: link) }

      #expect(error?.code == .missing)
      #expect(error?.message.contains(link.path) == true)
      #expect(error?.message.contains(target.path) == true)
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == target.path)
      #expect(try names(in: folder) == ["animals.store", "away"])
      try FileManager.default.moveItem(at: away, to: volume)
      let second = try LocalStore<UUID>(url: link)
      #expect(try await second.fetchAnimalsQuery() == Animal.samples + [eagle])
      try second.close()
    }
  }

  @Test(arguments: ["animals.store", "animals.store-wal"])
  func `nothing is saved while a file of an open database is away`(name: String) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let store = try LocalStore<UUID>(url: url)
      let eagle = try await store.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      let (file, away) = (folder.appending(path: name), folder.appending(path: "away"))
      try FileManager.default.moveItem(at: file, to: away)

      for _ in 0..<2 {
        let error = await #expect(throws: LocalStoreError.self) {
          try await store.addAnimalMutation(name: "Owl", diet: .carnivorous, categoryId: "Bird")
        }
        #expect(error?.code == .missing)
        #expect(error?.message.contains(file.path) == true)
        // Another file in its place does not help.
        try? FileManager.default.copyItem(at: away, to: file)
      }

      #expect(await store.file.obstacle?.contains(file.path) == true)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: away, to: file)
      let hawk = try await store.addAnimalMutation(
        name: "Hawk", diet: .carnivorous, categoryId: "Bird")
      try store.close()
      let second = try LocalStore<UUID>(url: url)
      #expect(try await second.fetchAnimalsQuery() == Animal.samples + [eagle, hawk])
      try second.close()
    }
  }

  @Test(arguments: ["animals.store", "animals.store-wal"])
  func `a write during which a file goes away is undone`(name: String) async throws {
    try await withTemporaryFolder { folder in
      let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))
      let (file, away) = (folder.appending(path: name), folder.appending(path: "away"))

      await #expect(throws: LocalStoreError.self) {
        try await store.file.write { database in
          try database.execute(sql: "DELETE FROM animal")
          try FileManager.default.moveItem(at: file, to: away)
        }
      }

      try FileManager.default.moveItem(at: away, to: file)
      #expect(try await store.fetchAnimalsQuery() == Animal.samples)
      try store.close()
    }
  }

  @Test func `a commit during which a file goes away is noticed once the file is back`()
    async throws
  {
    try await withTemporaryFolder { folder in
      let file = folder.appending(path: "animals.store")
      let away = folder.appending(path: "away")
      let store = try LocalStore<UUID>(url: file)

      let error = await #expect(throws: LocalStoreError.self) {
        try await store.file.write { database in
          try database.execute(sql: "DELETE FROM animal")
          database.afterNextTransaction { _ in
            try? FileManager.default.moveItem(at: file, to: away)
          }
        } didCommit: {
          Issue.record("it may not have been saved")
        }
      }

      #expect(error?.code == .uncertain)
      #expect(error?.message.contains(file.path) == true)
      for message in [error?.message, error?.visitorMessage] {
        #expect(message?.contains("It may have been saved anyway") == true)
        #expect(message?.contains("Nothing was saved") == false)
      }
      try FileManager.default.moveItem(at: away, to: file)
      #expect(try await store.file.hasForeignCommits())
      #expect(try await store.fetchAnimalsQuery() == [])
      try store.close()
    }
  }

  @Test(arguments: [
    (0, "Those after it were not done."),
    (1, "mutation[0] before it was done; those after it were not."),
  ])
  func `a mutation that may have been saved anyway does not count as not done`(
    index: Int, others: String
  ) {
    let cause = LocalStoreError(code: .uncertain)

    let failure = HTTPFailure(MutationError(index: index, count: 3, cause: cause))

    #expect(failure.message == "mutation[\(index)]: \(cause.visitorMessage) \(others)")
  }

  @Test func `a file that cannot be reached does not count as removed`() async throws {
    try await withTemporaryFolder { folder in
      let data = folder.appending(path: "data")
      try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
      let store = try LocalStore<UUID>(url: data.appending(path: "animals.store"))
      let away = folder.appending(path: "away")
      try FileManager.default.moveItem(at: data, to: away)
      // The path now leads in a circle (ELOOP), for root too.
      try FileManager.default.createSymbolicLink(at: data, withDestinationURL: data)

      let error = await #expect(throws: LocalStoreError.self) {
        try await store.fetchAnimalsQuery()
      }

      #expect(error?.code == .notWritable)
      #expect(error?.message.contains("Too many levels of symbolic links") == true)
      try FileManager.default.removeItem(at: data)
      try FileManager.default.moveItem(at: away, to: data)
      #expect(await store.file.obstacle == nil)
      try store.close()
    }
  }

  @Test func `a link into an unmounted volume creates nothing in the mount point`() async throws {
    try await withTemporaryFolder { folder in
      let volume = folder.appending(path: "volume")
      try FileManager.default.createDirectory(at: volume, withIntermediateDirectories: true)
      let link = folder.appending(path: "animals.store")
      try FileManager.default.createSymbolicLink(
        at: link, withDestinationURL: volume.appending(path: "animals.store"))

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: link) }

      #expect(error?.code == .missing)
      #expect(try names(in: volume) == [])
    }
  }

  @Test func `circular links are kept`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let other = folder.appending(path: "other.store")
      try FileManager.default.createSymbolicLink(at: url, withDestinationURL: other)
      try FileManager.default.createSymbolicLink(at: other, withDestinationURL: url)

      #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(try names(in: folder) == ["animals.store", "other.store"])
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: url.path) == other.path)
    }
  }

  @Test(arguments: ["-wal", "-journal"])
  func `leftover files are kept when their database is missing`(suffix: String) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let leftover = URL(filePath: url.path + suffix)
      try Data("what was saved last".utf8).write(to: leftover)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .missing)
      #expect(error?.message.contains(leftover.path) == true)
      #expect(try names(in: folder) == ["animals.store" + suffix])
      #expect(try Data(contentsOf: leftover) == Data("what was saved last".utf8))
    }
  }

  @Test func `an empty file and the log beside it are left unchanged`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try Data().write(to: url)
      let log = URL(filePath: url.path + "-wal")
      try Data("log".utf8).write(to: log)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notADatabase)
      #expect(error?.message.contains("\(url.path) is empty") == true)
      #expect(try Data(contentsOf: url) == Data())
      #expect(try Data(contentsOf: log) == Data("log".utf8))
    }
  }

  @Test func `a pipe is left unchanged`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try #require(mkfifo(url.path, 0o600) == 0)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notADatabase)
      var status = stat()
      #expect(lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }
  }

  @Test(arguments: [
    "DROP TABLE animal", "DROP TABLE animal; DROP TABLE category",
    "ALTER TABLE animal RENAME COLUMN diet TO food",
    "DROP TABLE animal; CREATE TABLE animal (animalId TEXT, name TEXT, diet TEXT, categoryId TEXT)",
    "DROP TABLE animal; DROP TABLE category; DROP TABLE grdb_migrations",
  ])
  func `a database without its tables is left unchanged`(change: String) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try LocalStore<UUID>(url: url).close()
      let shell = try DatabaseQueue(path: url.path)
      try await shell.write { try $0.execute(sql: change) }
      try shell.close()
      let before = try Data(contentsOf: url)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .incomplete)
      #expect(error?.message.contains(url.path) == true)
      #expect(try Data(contentsOf: url) == before)
      #expect(try names(in: folder) == ["animals.store"])
    }
  }
}

/// What has the name of the lock.
@Suite(.timeLimit(.minutes(20))) struct LocalStoreLockTests {
  @Test(arguments: [true, false])
  func `a lock file that is a link is refused and kept`(isDangling: Bool) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let target = folder.appending(path: "precious")
      if isDangling == false {
        try Data("precious".utf8).write(to: target)
      }
      let lock = URL(filePath: url.path + ".lock")
      try FileManager.default.createSymbolicLink(at: lock, withDestinationURL: target)
      let before = try names(in: folder)

      let error = #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(error?.code == .notWritable)
      #expect(error?.message.contains(lock.path) == true)
      #expect(try names(in: folder) == before)
      let content = FileManager.default.contents(atPath: target.path)
      #expect(content == (isDangling ? nil : Data("precious".utf8)))
    }
  }

  @Test func `a foreign file with the lock's name is kept`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let lock = URL(filePath: url.path + ".lock")
      try Data("precious".utf8).write(to: lock)

      #expect(throws: LocalStoreError.self) { try LocalStore<UUID>(url: url) }

      #expect(try Data(contentsOf: lock) == Data("precious".utf8))
    }
  }

  @Test func `a stale lock from a crash is taken over`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try Data("4711\n".utf8).write(to: URL(filePath: url.path + ".lock"))

      try LocalStore<UUID>(url: url).close()

      #expect(try names(in: folder) == ["animals.store"])
    }
  }

  @Test func `nothing is saved after the lock of an open database was removed`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      let lock = URL(filePath: url.path + ".lock")
      try FileManager.default.removeItem(at: lock)
      let second = try LocalStore<UUID>(url: url)

      let error = await #expect(throws: LocalStoreError.self) {
        try await first.deleteAnimalMutation(animalId: "Dog")
      }

      #expect(error?.code == .inUse)
      #expect(error?.message.contains(lock.path) == true)
      try first.close()
      #expect(FileManager.default.fileExists(atPath: lock.path))
      #expect(try await second.fetchAnimalsQuery() == Animal.samples)
      try second.close()
    }
  }

  @Test func `closing does not remove a file that replaced the lock`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let store = try LocalStore<UUID>(url: url)
      let lock = URL(filePath: url.path + ".lock")
      try FileManager.default.removeItem(at: lock)
      try Data("precious".utf8).write(to: lock)

      try store.close()

      #expect(try Data(contentsOf: lock) == Data("precious".utf8))
    }
  }
}

private func names(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
}
