import Foundation
import GRDB
import TestSupport
import Testing

@testable import AnimalsData

/// The file of a local store that others write to.
@Suite(.timeLimit(.minutes(20))) struct ForeignWriteTests {
  private func write(_ sql: String, to url: URL) throws {
    let other = try DatabaseQueue(path: url.path)
    try other.write { try $0.execute(sql: sql) }
    try other.close()
  }

  @Test func `a write by another connection is noticed once, and own writes are not`() async throws
  {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let store = try LocalStore<UUID>(url: url)
      _ = try await store.deleteAnimalMutation(animalId: "Dog")

      let own = try await store.file.hasForeignCommits()
      try self.write("UPDATE animal SET name = 'Lion' WHERE animalId = 'Cat'", to: url)
      let foreign = try await store.file.hasForeignCommits()
      let again = try await store.file.hasForeignCommits()

      #expect([own, foreign, again] == [false, true, false])
      try store.close()
    }
  }

  @Test func `writes by others since the file was opened are followed`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let store = try LocalStore<UUID>(url: url)
      try self.write("DELETE FROM animal WHERE animalId = 'Cat'", to: url)
      let events = Transcript<CatalogEvent>()

      let following = Task {
        try await store.followChanges(since: nil) {
        } _: {
          events.append($0)
        }
      }
      await events.wait { $0.isEmpty == false }

      #expect(events.entries == [CatalogEvent(nil)])
      following.cancel()
      _ = await following.result
      try store.close()
    }
  }

  @Test func `a change that could not be handled is noticed again`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let store = try LocalStore<UUID>(url: url)
      try self.write("DELETE FROM animal WHERE animalId = 'Cat'", to: url)

      await #expect(throws: StoreError.self) {
        try await store.followChanges(since: nil) {
        } _: { _ in
          throw StoreError(call: .fetchAnimals)
        }
      }

      #expect(try await store.file.hasForeignCommits())
      try store.close()
    }
  }

  @Test func `an in-memory database reports no foreign writes`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)

    try await store.followChanges(since: nil) {
    } _: { _ in
      Issue.record("nothing has happened")
    }
  }

  @Test func `following a closed store ends at once`() async throws {
    try await withTemporaryFolder { folder in
      let store = try LocalStore<UUID>(url: folder.appending(path: "animals.store"))
      try store.close()

      try await store.followChanges(since: nil) {
      } _: { _ in
        Issue.record("nothing has happened")
      }
    }
  }
}
