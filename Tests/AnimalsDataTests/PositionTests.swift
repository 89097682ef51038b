import Foundation
import GRDB
import ImmutableData
import Testing

@testable import AnimalsData

struct PositionTests {
  @Test(arguments: ["", "0", "00", "4100", "4g", "AB", "é1", String(repeating: "41", count: 1_025)])
  func `text that is not a position is ignored`(text: String) throws {
    let json =
      #"{"animalId":"A","categoryId":"C","diet":"Carnivore","name":"N","position":"\#(text)"}"#
    #expect(try JSONDecoder().decode(Animal.self, from: Data(json.utf8)).position == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `a position survives other changes and can be cleared`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let position = try #require(Animal.Position.between(Animal.newt.place, Animal.kangaroo.place))
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
