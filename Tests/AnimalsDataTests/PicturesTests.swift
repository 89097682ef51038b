import Foundation
import GRDB
import Pictures
import Testing

@testable import AnimalsData

struct PicturesTests {
  private static let pictured = Animal.cat.with(.picture(.sample))

  @Test func `a picture survives other changes`() async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      let marked = try await first.markAnimalMutation(animalId: "Cat", mark: .picture(.sample))
      #expect(marked == Self.pictured)
      _ = try await first.markAnimalMutation(animalId: "Cat", mark: .favorite(true))
      _ = try await first.updateAnimalMutation(
        animalId: "Cat", name: "Lion", diet: .carnivorous, categoryId: "Mammal")
      try first.close()

      let store = try LocalStore<UUID>(url: url)

      let lion = Self.pictured.with(.favorite(true)).with(Animal.Changes(name: "Lion"))
      let kept = try await store.fetchAnimalsQuery()
      #expect(kept.first { $0.id == "Cat" } == lion)
      let plain = try await store.markAnimalMutation(animalId: "Cat", mark: .picture(nil))
      #expect(plain.picture == nil)
      try store.close()
    }
  }

  @Test func `a restored animal keeps its picture`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    _ = try await store.markAnimalMutation(animalId: "Cat", mark: .picture(.sample))
    let deleted = try await store.deleteAnimalMutation(animalId: "Cat")

    let restored = try await store.restoreAnimalMutation(deleted)

    #expect(restored == Self.pictured)
  }

  @Test func `a store says which pictures are in use`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    let hash = try #require(Picture.sample).hash
    _ = try await store.markAnimalMutation(animalId: "Cat", mark: .picture(.sample))

    let used = try await store.picturesInUse(among: [hash, String(repeating: "a", count: 64)])

    #expect(used == [hash])
  }

  @Test(arguments: ["pictureKind = 'image/svg+xml'", "pictureWidth = 0", "picture = '../x'"])
  func `an invalid stored picture is ignored`(change: String) async throws {
    try await withTemporaryFolder { folder in
      let url = folder.appending(path: "animals.store")
      let first = try LocalStore<UUID>(url: url)
      _ = try await first.markAnimalMutation(animalId: "Cat", mark: .picture(.sample))
      try first.close()
      let old = try DatabaseQueue(path: url.path)
      try await old.write { try $0.execute(sql: "UPDATE animal SET \(change)") }
      try old.close()

      let store = try LocalStore<UUID>(url: url)

      let animals = try await store.fetchAnimalsQuery()
      #expect(animals.first { $0.id == "Cat" } == .cat)
      try store.close()
    }
  }

  @Test func `a catalog on a server keeps which picture an animal has`() async throws {
    try await StoreKind.remote.withStore { store in
      let cat = try await store.markAnimalMutation(animalId: "Cat", mark: .picture(.sample))
      let kept = try await store.fetchAnimalsQuery().first { $0.id == "Cat" }
      _ = try await store.markAnimalMutation(animalId: "Cat", mark: .picture(nil))

      let animals = try await store.fetchAnimalsQuery()
      #expect((cat.picture, kept?.picture) == (.sample, .sample))
      #expect(animals == Animal.samples)
    }
  }

  @Test func `choosing a picture is refused where pictures are not kept`() throws {
    let state = AnimalsState(noPictures: "Pictures are kept elsewhere.")

    #expect(throws: AnimalsReducer.Error.self) {
      try AnimalsReducer.reduce(state: state, action: .make(.animalDetailOnChoosePicture))
    }
  }

  @Test func `JSON includes an animal's picture, and an invalid one is ignored`() throws {
    let json = try JSONEncoder().encode(Self.pictured)
    let text = String(decoding: json, as: UTF8.self)

    #expect(try JSONDecoder().decode(Animal.self, from: json) == Self.pictured)
    let broken = Data(text.replacing("640", with: "0").utf8)
    #expect(try JSONDecoder().decode(Animal.self, from: broken) == .cat)
  }
}
