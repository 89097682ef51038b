import Foundation
import Testing

@testable import AnimalsData

/// What every store does alike.
@Suite(.timeLimit(.minutes(20))) struct StoreContractTests {
  @Test(arguments: StoreKind.allCases)
  func `a new store has the sample data`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let animals = try await store.fetchAnimalsQuery()
      let categories = try await store.fetchCategoriesQuery()

      #expect(animals == Animal.samples)
      #expect(categories == Category.samples)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an animal is added with an id of its own`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let first = try await store.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      let second = try await store.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")

      #expect(first.id != second.id)
      #expect(
        first
          == Animal(animalId: first.id, name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      )
      #expect(try await store.fetchAnimalsQuery() == Animal.samples + [first, second])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an update changes every field of one animal`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let animal = try await store.updateAnimalMutation(
        animalId: "Dog", name: "Wolf", diet: .omnivorous, categoryId: "Fish")

      let wolf = Animal(animalId: "Dog", name: "Wolf", diet: .omnivorous, categoryId: "Fish")
      #expect(animal == wolf)
      #expect(
        try await store.fetchAnimalsQuery() == Animal.samples.map { $0.id == "Dog" ? wolf : $0 }
      )
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an update of one field keeps the others`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let wolf = try await store.updateAnimalMutation(
        .dog, changes: Animal.Changes(name: "Wolf"))
      let omnivore = try await store.updateAnimalMutation(
        wolf, changes: Animal.Changes(diet: .omnivorous))

      #expect(wolf == Animal.dog.with(Animal.Changes(name: "Wolf")))
      #expect(omnivore == wolf.with(Animal.Changes(diet: .omnivorous)))
      #expect(try await store.fetchAnimalsQuery().contains(omnivore))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a delete returns the deleted animal`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let animal = try await store.deleteAnimalMutation(animalId: "Cat")

      #expect(animal == .cat)
      #expect(try await store.fetchAnimalsQuery() == Animal.samples.filter { $0.id != "Cat" })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a reload brings the sample data back and nothing else`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.deleteAnimalMutation(animalId: "Cat")
      _ = try await store.addAnimalMutation(
        name: "Eagle", diet: .carnivorous, categoryId: "Bird")

      let (animals, categories) = try await store.reloadSampleDataMutation()

      #expect(animals == Animal.samples)
      #expect(categories == Category.samples)
      #expect(try await store.fetchAnimalsQuery() == Animal.samples)
      #expect(try await store.fetchCategoriesQuery() == Category.samples)
    }
  }

  @Test(arguments: StoreKind.allCases, ["Unicorn", "", "Dog\u{0}x", "dog", "' OR 1=1 --"])
  func `a missing animal is named in the error, and nothing changes`(
    kind: StoreKind,
    id: String
  ) async throws {
    try await kind.withStore { store in
      let update = await failure {
        _ = try await store.updateAnimalMutation(
          animalId: id, name: "A", diet: .omnivorous, categoryId: "Bird")
      }
      let delete = await failure { _ = try await store.deleteAnimalMutation(animalId: id) }

      let animals = try await store.fetchAnimalsQuery()
      #expect(update?.hasSuffix("There is no animal “\(id)”.") == true)
      #expect(delete?.hasSuffix("There is no animal “\(id)”.") == true)
      #expect(animals == Animal.samples)
    }
  }

  @Test(arguments: [StoreKind.memory, .disk])
  func `a local store accepts a category that does not exist, as in the guide`(
    kind: StoreKind
  ) async throws {
    try await kind.withStore { store in
      let animal = try await store.addAnimalMutation(
        name: "name", diet: .herbivorous, categoryId: "categoryId")
      let updated = try await store.updateAnimalMutation(
        animalId: animal.id, name: "name", diet: .omnivorous, categoryId: "other")

      #expect(animal.categoryId == "categoryId")
      #expect(updated.categoryId == "other")
      #expect(try await store.fetchAnimalsQuery().contains(updated))
    }
  }

  @Test(arguments: [StoreKind.remote, .state])
  func `a shared store names a missing category in its error, and nothing changes`(
    kind: StoreKind
  ) async throws {
    try await kind.withStore { store in
      let add = await failure {
        _ = try await store.addAnimalMutation(
          name: "A", diet: .omnivorous, categoryId: "Dragon")
      }
      let update = await failure {
        _ = try await store.updateAnimalMutation(
          animalId: "Dog", name: "A", diet: .omnivorous, categoryId: "Dragon")
      }

      let animals = try await store.fetchAnimalsQuery()
      #expect(add?.hasSuffix("There is no category “Dragon”.") == true)
      #expect(update?.hasSuffix("There is no category “Dragon”.") == true)
      #expect(animals == Animal.samples)
    }
  }

  /// The API takes names that can be shown, and makes them one way of writing them.
  @Test func `a name comes back from the API in NFC and trimmed, or is refused`() async throws {
    try await StoreKind.remote.withStore { store in
      for name in awkwardNames {
        let add: () async throws -> Animal = {
          try await store.addAnimalMutation(name: name, diet: .omnivorous, categoryId: "Bird")
        }
        if let expected = (try? AnimalName(name))?.text {
          #expect(Array(try await add().name.utf8) == Array(expected.utf8))
        } else {
          let message = await failure { _ = try await add() }
          #expect(message?.contains("invisible characters") == true)
        }
      }

      let names = try await store.fetchAnimalsQuery().dropFirst(Animal.samples.count).map(\.name)
      #expect(names == awkwardNames.compactMap { (try? AnimalName($0))?.text })
    }
  }

  @Test(arguments: [StoreKind.memory, .disk, .state])
  func `any text is stored unchanged`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      var added: [Animal] = []
      for name in awkwardNames {
        added.append(
          try await store.addAnimalMutation(name: name, diet: .omnivorous, categoryId: "Bird")
        )
      }

      let fetched = try await store.fetchAnimalsQuery().dropFirst(Animal.samples.count)

      #expect(added.map { Array($0.name.utf8) } == awkwardNames.map { Array($0.utf8) })
      #expect(fetched.map { Array($0.name.utf8) } == awkwardNames.map { Array($0.utf8) })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `concurrent mutations are all applied`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let names = (0..<20).map { "Animal \($0)" }

      try await withThrowingTaskGroup { group in
        for name in names {
          group.addTask {
            _ = try await store.addAnimalMutation(
              name: name, diet: .omnivorous, categoryId: "Bird")
          }
        }
        try await group.waitForAll()
      }

      let fetched = try await store.fetchAnimalsQuery().dropFirst(Animal.samples.count)
      #expect(Set(fetched.map(\.name)) == Set(names))
      #expect(fetched.count == names.count)
    }
  }
}
