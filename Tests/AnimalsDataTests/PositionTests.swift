import Foundation
import GRDB
import HashTreeCollections
import ImmutableData
import Testing

@testable import AnimalsData

struct PositionTests {
  private static let animals: [Animal] = [
    .make("A", name: "Ant"), .make("B", name: "Bee"), .make("C", name: "Cat"),
    .make("D", name: "Dog"),
  ]

  private static func order(_ animals: [Animal]) -> String {
    animals.sorted { $0.place < $1.place }.map(\.id).joined()
  }

  @Test func `an animal that was never moved is sorted by name`() {
    let animals = [Animal.make("2", name: "Cat"), .make("1", name: "Cat"), .make("3", name: "Ca")]

    #expect(Self.order(animals + Self.animals) == "AB312CD")
  }

  @Test(
    arguments: [
      (2, nil, 0, "CABD"), (2, 0, 1, "ACBD"), (0, 3, nil, "BCDA"), (3, 1, 2, "ABDC"),
    ] as [(Int, Int?, Int?, String)])
  func `a moved animal is placed between two others`(
    index: Int, lower: Int?, upper: Int?, expected: String
  ) throws {
    var animals = Self.animals
    let position = try #require(
      Animal.Position.between(lower.map { animals[$0] }, upper.map { animals[$0] }))

    animals[index] = animals[index].with(.position(position))

    #expect(Self.order(animals) == expected)
    #expect(Animal.Position(position.description) == position)
  }

  @Test func `two animals at one position keep an order with room between them`() throws {
    var animals = Self.animals
    let position = try #require(Animal.Position.between(animals[0], animals[1]))
    animals[2] = animals[2].with(.position(position))
    animals[3] = animals[3].with(.position(position))
    #expect(Self.order(animals) == "ACDB")

    let between = try #require(Animal.Position.between(animals[2], animals[3]))
    animals[1] = animals[1].with(.position(between))

    #expect(Self.order(animals) == "ACBD")
  }

  @Test func `a position exists between two animals that have swapped places`() throws {
    let (first, second) = (Self.animals[3], Self.animals[0])

    let position = try #require(Animal.Position.between(first, second))

    let moved = Self.animals[1].with(.position(position))
    #expect(first.place < moved.place)
  }

  @Test func `a position beside an animal leaves nothing in between`() throws {
    let others = [Self.animals[0], Self.animals[2]]
    let behind = try #require(Animal.Position.behind(Self.animals[1]))
    let before = try #require(Animal.Position.before(Self.animals[1]))

    let moved = [
      Animal.make("X").with(.position(behind)), .make("Y").with(.position(before)),
    ]

    #expect(Self.order(others + moved + [Self.animals[1]]) == "AYBXC")
  }

  @Test func `any sequence of moves gives the same order as moving list elements`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = Generator(seed: seed)
    var animals = (0..<20).map { Animal.make("id\($0)", name: "Animal \($0 % 7)") }
    animals.sort { $0.place < $1.place }

    for _ in 0..<2_000 {
      let animal = animals.remove(at: .random(in: animals.indices, using: &generator))
      let index = Int.random(in: 0...animals.count, using: &generator)
      let position = try #require(
        Animal.Position.between(
          index > 0 ? animals[index - 1] : nil, index < animals.count ? animals[index] : nil))
      animals.insert(animal.with(.position(position)), at: index)

      let sorted = animals.sorted { $0.place < $1.place }
      #expect(sorted.map(\.id) == animals.map(\.id), "seed \(seed)")
    }
  }

  @Test func `positions are bounded in length, and then there is no room`() throws {
    var (lower, upper, count) = (Self.animals[0], Self.animals[1], 0)
    var moved = Self.animals[2]

    while let position = Animal.Position.between(lower, upper), count < 100_000 {
      moved = (count.isMultiple(of: 2) ? Self.animals[2] : Self.animals[3]).with(
        .position(position))
      (lower, upper) = count.isMultiple(of: 2) ? (moved, upper) : (lower, moved)
      count += 1
    }

    #expect((1_000..<100_000).contains(count))
    #expect((moved.position?.bytes.count ?? 0) <= Animal.Position.byteLimit)
  }

  @Test(arguments: ["", "0", "00", "4100", "4g", "AB", "é1", String(repeating: "41", count: 1_025)])
  func `text that is not a position is ignored`(text: String) throws {
    #expect(Animal.Position(text) == nil)
    let json =
      #"{"animalId":"A","categoryId":"C","diet":"Carnivore","name":"N","position":"\#(text)"}"#
    #expect(try JSONDecoder().decode(Animal.self, from: Data(json.utf8)).position == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `a position survives other changes and can be cleared`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let position = try #require(Animal.Position.between(.newt, .kangaroo))
      let marked = try await store.markAnimalMutation(animalId: "Cat", mark: .position(position))
      #expect(marked == Animal.cat.with(.position(position)))

      _ = try await store.markAnimalMutation(animalId: "Cat", mark: .favorite(true))
      _ = try await store.updateAnimalMutation(
        animalId: "Cat", name: "Lion", diet: .carnivorous, categoryId: "Mammal")

      let fetched = try await store.fetchAnimalsQuery().first { $0.id == "Cat" }
      #expect(fetched?.position == position)
      let restored = try await store.restoreAnimalMutation(
        try await store.deleteAnimalMutation(animalId: "Cat"))
      #expect(restored.position == position)
      let back = try await store.markAnimalMutation(animalId: restored.id, mark: .position(nil))
      #expect(back.position == nil)
    }
  }

  @Test func `an invalid position in the database is ignored`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      try LocalStore<UUID>(url: url).close()
      let database = try DatabaseQueue(path: url.path)
      try await database.write {
        try $0.execute(sql: "UPDATE animal SET position = 'nonsense' WHERE animalId = 'Cat'")
      }
      try database.close()

      let store = try LocalStore<UUID>(url: url)

      #expect(try await store.fetchAnimalsQuery() == Animal.samples)
      try store.close()
    }
  }

  @Test(arguments: [
    ("Cat", "Dog", "Cat<Newt<Dog"), ("Unicorn", "Dog", "Cat<Newt<Dog"),
    ("Cat", "Unicorn", "Cat<Newt<Dog"),
  ])
  func `a deleted neighbor does not prevent a move`(
    after: String, before: String, expected: String
  ) throws {
    let state = AnimalsState.make(animals: [.cat, .dog, .newt])
    let position = try #require(state.position(after: after, before: before))

    let sorted = [Animal.cat, .dog, .newt.with(.position(position))]
      .sorted { $0.place < $1.place }.map(\.id)

    #expect(sorted.joined(separator: "<") == expected)
  }

  @Test func `a move between two deleted animals is refused`() throws {
    let action = AnimalsAction.ui(
      .animalList(.onTapMoveButton(animalId: "Cat", after: "Unicorn", before: "Dragon")))

    #expect {
      try AnimalsReducer.reduce(state: .fetched, action: action)
    } throws: { error in
      (error as? AnimalsReducer.Error)?.code == .positionNotFound
    }
  }
}

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { self.state = seed }

  mutating func next() -> UInt64 {
    self.state &+= 0x9E37_79B9_7F4A_7C15
    var value = self.state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
