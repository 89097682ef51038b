import Foundation
import GRDB
import TestSupport
import Testing

@testable import AnimalsData

/// What other programs have written to a store is cleaned before windows show it.
@MainActor @Suite(.timeLimit(.minutes(20))) struct CleaningTests {
  private let dispatcher = CountedDispatcher<AnimalsState, AnimalsAction>()
  private let selector = CountedSelector(AnimalsState())

  private typealias Thunk =
    @Sendable (
      CountedDispatcher<AnimalsState, AnimalsAction>, CountedSelector<AnimalsState>
    ) async throws -> Void

  private func run(_ thunks: Thunk...) async throws -> [AnimalsAction] {
    for thunk in thunks { try await thunk(self.dispatcher, self.selector) }
    return self.dispatcher.actions
  }

  @Test func `names and ids in a database are cleaned`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    try await store.file.write { database in
      try database.execute(
        sql: """
          DELETE FROM animal WHERE animalId NOT IN ('Dog', 'Newt');
          DELETE FROM category WHERE categoryId NOT IN ('Bird', 'Fish');
          UPDATE animal SET animalId = '' WHERE animalId = 'Dog';
          UPDATE animal SET name = 'a' || char(10) || 'b' WHERE animalId = 'Newt';
          UPDATE category SET categoryId = char(10) WHERE categoryId = 'Bird';
          UPDATE category SET name = '' WHERE categoryId = 'Fish';
          """)
    }
    let session = PersistentSession(store: store)

    let actions = try await self.run(
      session.fetchAnimalsQuery(), session.fetchCategoriesQuery(),
      session.updateAnimalMutation(
        animalId: "Newt", name: "c\nd", diet: .carnivorous, categoryId: "Amphibian"))

    let newt = { Animal.make("Newt", name: $0, diet: .carnivorous, categoryId: "Amphibian") }
    #expect(
      actions == [
        .did(.didFetchAnimals(result: .success(animals: [newt("a b")]))),
        .did(
          .didFetchCategories(
            result: .success(
              categories: [AnimalsData.Category(categoryId: "Fish", name: "Unnamed")]))),
        .did(.didUpdateAnimal(animalId: "Newt", result: .success(animal: newt("c d")))),
      ])
  }

  @Test func `names and ids from a server are cleaned`() async throws {
    let animals =
      #"[{"animalId": "", "name": "Dog", "diet": "Carnivore", "categoryId": "Mammal"}, "#
      + #"{"animalId": "Cat", "name": "a\nb", "diet": "Carnivore", "categoryId": "Mammal"}]"#
    let session = PersistentSession(
      store: RemoteStore(
        session: SessionDouble(answers: [
          #"{"query": [{"animals": {"animals": \#(animals)}}]}"#,
          #"{"mutation": [{"reloadSampleData": {"animals": \#(animals), "categories": []}}]}"#,
        ])))

    let actions = try await self.run(
      session.fetchAnimalsQuery(), session.reloadSampleDataMutation())

    let cat = Animal.make("Cat", name: "a b", diet: .carnivorous, categoryId: "Mammal")
    #expect(
      actions == [
        .did(.didFetchAnimals(result: .success(animals: [cat]))),
        .did(.didReloadSampleData(result: .success(animals: [cat], categories: []))),
      ])
  }
}
