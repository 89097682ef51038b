import Foundation
import GRDB
import Testing

@testable import AnimalsData

struct FavoritesTests {
  private static let starredCat = Animal.cat.with(.favorite(true))

  @Test(arguments: StoreKind.allCases)
  func `a star survives other changes`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let marked = try await store.markAnimalMutation(animalId: "Cat", mark: .favorite(true))
      #expect(marked == Self.starredCat)

      let lion = try await store.updateAnimalMutation(
        animalId: "Cat", name: "Lion", diet: .carnivorous, categoryId: "Mammal")

      #expect(lion == Self.starredCat.with(Animal.Changes(name: "Lion")))
      #expect(
        try await store.fetchAnimalsQuery() == Animal.samples.map { $0.id == "Cat" ? lion : $0 })
      let plain = try await store.markAnimalMutation(animalId: "Cat", mark: .favorite(false))
      #expect(plain == Animal.cat.with(Animal.Changes(name: "Lion")))
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a restored animal keeps its star`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      _ = try await store.markAnimalMutation(animalId: "Cat", mark: .favorite(true))
      let deleted = try await store.deleteAnimalMutation(animalId: "Cat")
      #expect(deleted == Self.starredCat)

      let restored = try await store.restoreAnimalMutation(deleted)

      #expect(restored.isFavorite)
      #expect(try await store.fetchAnimalsQuery().filter(\.isFavorite) == [restored])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a missing animal cannot be starred`(kind: StoreKind) async throws {
    try await kind.withStore { store in
      let error = await failure {
        _ = try await store.markAnimalMutation(animalId: "Unicorn", mark: .favorite(true))
      }

      let animals = try await store.fetchAnimalsQuery()
      #expect(error?.hasSuffix("There is no animal “Unicorn”.") == true)
      #expect(animals == Animal.samples)
    }
  }

  @Test func `a database from before marks existed keeps its animals, without marks`() async throws
  {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      _ = try await first.updateAnimalMutation(
        animalId: "Dog", name: "Wolf", diet: .carnivorous, categoryId: "Mammal")
      try first.close()
      let old = try DatabaseQueue(path: url.path)
      try await old.write { database in
        try database.execute(
          sql: """
            ALTER TABLE animal DROP COLUMN isFavorite;
            ALTER TABLE animal DROP COLUMN position;
            DROP INDEX animalOnPicture;
            ALTER TABLE animal DROP COLUMN picture;
            ALTER TABLE animal DROP COLUMN pictureKind;
            ALTER TABLE animal DROP COLUMN pictureWidth;
            ALTER TABLE animal DROP COLUMN pictureHeight;
            DELETE FROM grdb_migrations WHERE identifier > 'animals 1';
            """)
      }
      try old.close()

      let store = try LocalStore<UUID>(url: url)

      let wolf = Animal.dog.with(Animal.Changes(name: "Wolf"))
      #expect(
        try await store.fetchAnimalsQuery() == Animal.samples.map { $0.id == "Dog" ? wolf : $0 })
      let marked = try await store.markAnimalMutation(animalId: "Dog", mark: .favorite(true))
      #expect(marked == wolf.with(.favorite(true)))
      try store.close()
    }
  }

  @Test func `JSON omits a star that is not set`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    func json(_ animal: Animal) throws -> String {
      String(decoding: try encoder.encode(animal), as: UTF8.self)
    }
    let plain = #"{"animalId":"Cat","categoryId":"Mammal","diet":"Carnivore","name":"Cat"}"#

    let (withoutStar, withStar) = (try json(.cat), try json(Self.starredCat))

    #expect(withoutStar == plain)
    #expect(
      withStar
        == plain.replacing(#","name""#, with: #","isFavorite":true,"name""#))
    #expect(try JSONDecoder().decode(Animal.self, from: Data(plain.utf8)) == .cat)
    #expect(try JSONDecoder().decode(Animal.self, from: Data(withStar.utf8)) == Self.starredCat)
  }

  @Test func `a store without marks reports that it keeps none`() async throws {
    let store = StoreDouble.obliging

    let error = await failure {
      _ = try await store.markAnimalMutation(animalId: "Cat", mark: .favorite(true))
    }

    #expect(error == "This catalog does not support favorites.")
  }

  @Test func `a failure to save a star shows until the next attempt`() throws {
    let waiting = AnimalsState.fetched.waiting("Cat")

    let failed = try AnimalsReducer.reduce(state: waiting, action: .make(.didMarkFailure))
    let again = try AnimalsReducer.reduce(state: failed, action: .make(.animalListOnTapFavorite))

    #expect(AnimalsState.selectFailure()(failed)?.error == "Disk")
    #expect(AnimalsState.selectAnimalStatus(animalId: "Cat")(failed) == .failure(error: "Disk"))
    #expect(again == waiting)
  }

  @Test func `favorites follow stars`() {
    var (count, favorites) = (RowCount<Animal>.favorites, SortedRows<Animal>.favoriteAnimals())
    for row in Animal.samples {
      count.insert(row)
      favorites.insert(row)
    }
    #expect(count.output == 0)

    for animal in [Animal.newt, .cat] {
      count.remove(animal)
      favorites.remove(animal)
      count.insert(animal.with(.favorite(true)))
      favorites.insert(animal.with(.favorite(true)))
    }

    #expect(count.output == 2)
    #expect(favorites.map(\.id) == ["Cat", "Newt"])
  }
}
