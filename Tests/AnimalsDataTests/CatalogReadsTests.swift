import Foundation
import HTTPConnections
import Synchronization
import TestSupport
import Testing

@testable import AnimalsData
@testable import AnimalsDataServer

@Suite(.timeLimit(.minutes(20))) struct CatalogReadsTests {
  private let store: LocalStore<UUID>

  init() throws {
    self.store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
  }

  @Test func `answers share a list until it changes`() async throws {
    let reads = CatalogReads(of: self.store)
    let first = try await reads.list(.animals)

    let second = try await reads.list(.animals)
    _ = try await self.store.deleteAnimalMutation(animalId: "Dog")
    let third = try await reads.list(.animals)

    #expect(second === first)
    #expect(third.json.count < first.json.count)
  }

  @Test func `lists that are being sent are limited in bytes`() async throws {
    let size = try await CatalogReads(of: self.store).list(.animals).json.count
    let reads = CatalogReads(of: self.store, limit: size + 1)
    var list: EncodedList? = try await reads.list(.animals)
    _ = try await self.store.deleteAnimalMutation(animalId: "Dog")

    await #expect(throws: HTTPFailure.self) { try await reads.list(.animals) }

    #expect(list != nil)
    list = nil
    #expect(try await reads.list(.animals).json.isEmpty == false)
  }

  @Test func `lists that are being sent to one client take only a share`() async throws {
    let size = try await CatalogReads(of: self.store).list(.animals).json.count
    let reads = CatalogReads(of: self.store, limit: 6 * size)
    var sent: [SentLists?] = []
    func send(to client: String) async throws {
      sent.append(try reads.hold([try await reads.list(.animals)], for: client))
    }

    // Any number of answers share a list, and one list may always be sent.
    for _ in 0..<10 { try await send(to: "a") }
    _ = try await self.store.deleteAnimalMutation(animalId: "Dog")
    await #expect(throws: HTTPFailure.self) { try await send(to: "a") }

    try await send(to: "b")
    sent = []
    try await send(to: "a")
  }

  @Test func `many requests at once get the list`() async throws {
    let reads = CatalogReads(of: self.store)

    let lists = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<100 { group.addTask { try await reads.list(.animals).json } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }

    #expect(lists.count == 1)
  }

  @Test func `a request during a read gets what has changed since the read began`() async throws {
    let animals = Mutex(Animal.samples)
    let (begun, gate) = (Gate(), Gate())
    var store = StoreDouble.obliging
    store.fetchAnimals = {
      let present = animals.withLock { $0 }
      begun.open()
      await gate.wait()
      return present
    }
    let reads = CatalogReads(of: store)
    async let first = reads.list(.animals)
    await begun.wait()

    animals.withLock { $0.removeLast() }
    async let second = reads.list(.animals)
    // So that the request arrives during the read.
    for _ in 0..<100 { await Task.yield() }
    gate.open()

    let counts = (try await first.json.count, try await second.json.count)
    #expect(counts.1 < counts.0)
  }
}
