import Foundation
import TestSupport
import Testing

@testable import AnimalsData
@testable import AnimalsDataServer
@testable import Services

/// What a reader is told, as clients read it.
private final class Told: Sendable {
  let events = Transcript<ServerSentEvent>()
  let beats = Transcript<Int>()
  private let reading: Task<Void, any Error>

  init(_ reader: ChangeLog.Reader) {
    self.reading = Task { [events, beats] in
      try await reader.read { news in
        switch news {
        case .event(let text):
          var parser = EventParser()
          for event in try parser.push(Array(text.utf8)) { events.append(event) }
        case .silence: beats.append(1)
        }
      }
    }
  }

  /// Waits for so many events.
  func wait(_ count: Int) async -> [CatalogChange?] {
    await self.events.wait { $0.count >= count }
    return self.events.entries.map { CatalogEvent($0).change }
  }

  func end() async {
    _ = await self.reading.result
  }
}

private let owl = Animal.make("Owl", name: "Owl \"🦉\"\n\u{2028}", categoryId: "Bird")

extension CatalogChange {
  fileprivate static var samples: Self {
    .replaced(animals: Animal.samples, categories: AnimalsData.Category.samples)
  }
}

@Suite(.timeLimit(.minutes(20))) struct ChangeLogTests {
  @Test func `a reader without a version must read everything`() async throws {
    let log = ChangeLog()
    log.append(.saved(owl))

    let told = Told(try #require(log.reader(after: nil)))

    #expect(await told.wait(1) == [nil])
  }

  @Test func `changes arrive unchanged and in order`() async throws {
    let log = ChangeLog()
    let told = Told(try #require(log.reader(after: nil)))
    _ = await told.wait(1)

    let changes: [CatalogChange?] = [.saved(owl), .deleted("Cat"), .samples, nil]
    for change in changes { log.append(change) }

    #expect(await told.wait(5) == [nil] + changes)
  }

  @Test func `a returning reader gets the changes since its version`() async throws {
    let log = ChangeLog()
    let first = Told(try #require(log.reader(after: nil)))
    _ = await first.wait(1)
    for change in [CatalogChange.saved(owl), .deleted("Cat"), .deleted("Dog")] {
      log.append(change)
    }
    _ = await first.wait(4)
    let version = first.events.entries[1].id
    let rest = first.events.entries[2...]

    let second = Told(try #require(log.reader(after: version)))
    await second.events.wait { $0.count == rest.count }

    #expect(second.events.entries == Array(rest))
  }

  @Test func `a reader that has missed nothing gets only new changes`() async throws {
    let log = ChangeLog()
    let first = Told(try #require(log.reader(after: nil)))
    _ = await first.wait(1)
    let second = Told(try #require(log.reader(after: first.events.entries[0].id)))

    log.append(.deleted("Cat"))

    #expect(await second.wait(1) == [.deleted("Cat")])
  }

  @Test(arguments: ["", "x", "0-0", "-1", "zz-zz", "1-2-3", "\u{0}", "9999999999999999999999-1"])
  func `a reader with a foreign or invalid version must read everything`(
    version: String
  ) async throws {
    let told = Told(try #require(ChangeLog().reader(after: version)))

    #expect(await told.wait(1) == [nil])
  }

  @Test(arguments: [-5, 1_000_000, Int.max])
  func `a reader with a version that never existed must read everything`(number: Int) async throws {
    let log = ChangeLog()
    let first = Told(try #require(log.reader(after: nil)))
    _ = await first.wait(1)
    let era = try #require(first.events.entries[0].id.split(separator: "-").first)

    let told = Told(try #require(log.reader(after: "\(era)-\(number)")))

    #expect(await told.wait(1) == [nil])
  }

  @Test func `the log is bounded in bytes, and a reader that missed some must read everything`()
    async throws
  {
    let log = ChangeLog(byteLimit: 10_000)
    let first = Told(try #require(log.reader(after: nil)))
    _ = await first.wait(1)
    let version = first.events.entries[0].id

    for index in 0..<10_000 { log.append(.saved(.make("\(index)"))) }
    let told = Told(try #require(log.reader(after: version)))

    #expect(await told.wait(1) == [nil])
    #expect(log.keptBytes <= 10_000)
    #expect(log.keptBytes > 0)
  }

  @Test func `a change larger than the log makes readers read everything`() async throws {
    let log = ChangeLog(byteLimit: 100)
    let told = Told(try #require(log.reader(after: nil)))
    _ = await told.wait(1)

    log.append(.samples)

    #expect(await told.wait(2) == [nil, nil])
    #expect(log.keptBytes == 0)
  }

  @Test func `the number of readers is limited, and a departing reader frees its place`() throws {
    let log = ChangeLog(readerLimit: 2)
    let first = log.reader(after: nil)
    var second = log.reader(after: nil)
    #expect(second != nil)

    #expect(log.reader(after: nil) == nil)
    second = nil

    #expect(log.reader(after: nil) != nil)
    first?.end()
    let places = [log.reader(after: nil), log.reader(after: nil)]
    #expect(places.allSatisfy { $0 != nil })
  }

  @Test func `closing the log ends all readers, including later ones`() async throws {
    let log = ChangeLog()
    let told = Told(try #require(log.reader(after: nil)))
    _ = await told.wait(1)

    log.close()
    await told.end()
    let later = Told(try #require(log.reader(after: nil)))

    await later.end()
  }

  @Test func `a heartbeat reaches readers`() async throws {
    let log = ChangeLog()
    let told = Told(try #require(log.reader(after: nil)))
    _ = await told.wait(1)

    log.beat()

    await told.beats.wait { $0.isEmpty == false }
  }
}

// What goes over the wire.
extension ChangeLogTests {
  @Test(arguments: [
    CatalogChange.saved(owl), .deleted("a\"\\\n"), .samples,
    .replaced(animals: [], categories: []),
    nil,
  ])
  func `an event survives an encoding round trip`(change: CatalogChange?) throws {
    let event = CatalogEvent(change, version: "abc-7")
    var parser = EventParser()

    let parsed = try parser.push(Array(try event.serverSentEvent().utf8))

    #expect(parsed.map { CatalogEvent($0) } == [event])
  }

  @Test func `an unknown event means reading everything`() {
    let event = ServerSentEvent(name: "sorted", id: "abc-7", data: "?")

    #expect(CatalogEvent(event) == CatalogEvent(nil, version: "abc-7"))
  }

  @Test(
    arguments: ["saved", "deleted", "replaced"], ["", "{}", "[]", "null", "{\"animalId\": 1}"])
  func `an event with mismatched data means reading everything`(name: String, data: String) {
    let event = ServerSentEvent(name: name, id: "1", data: data)

    #expect(CatalogEvent(event) == CatalogEvent(nil, version: "1"))
  }

  @Test func `an animal with a diet that only a newer server knows is left out`() {
    let (cat, newt) = (
      #"{"animalId": "Cat", "name": "Cat", "diet": "Fungivore"}"#,
      #"""
      {"animalId": "Newt", "name": "Newt", "diet": "Carnivore", "categoryId": "Amphibian",
      "isFavorite": false}
      """#
    )
    let saved = ServerSentEvent(name: "saved", id: "1", data: cat)
    let replaced = ServerSentEvent(
      name: "replaced", id: "2", data: #"{"animals": [\#(cat), \#(newt)], "categories": []}"#)

    #expect(CatalogEvent(saved) == CatalogEvent(.deleted("Cat"), version: "1"))
    #expect(
      CatalogEvent(replaced)
        == CatalogEvent(.replaced(animals: [.newt], categories: []), version: "2"))
  }

  @Test(arguments: ["", "a b", "ü", "a\u{7F}", String(repeating: "x", count: 101)])
  func `a version that cannot be sent back in a request is dropped`(id: String) {
    let event = ServerSentEvent(name: "changed", id: id, data: "{}")

    #expect(CatalogEvent(event).version == nil)
  }
}
