import Foundation
import Testing

@testable import AnimalsData

/// How many animals there may be.
struct AnimalsLimitTests {
  private static let full =
    "The catalog is full. Delete an animal, then try again."

  /// The sample data, with room for so many animals more.
  private static func state(room: Int) -> AnimalsState {
    .samples(limit: Animal.samples.count + room)
  }

  /// The state after actions, or why the first of them was refused that was.
  private func outcome(_ state: AnimalsState, _ actions: AnimalsAction...) -> AnimalsReducer.Error
    .Code?
  {
    var state = state
    do {
      for action in actions {
        state = try AnimalsReducer.reduceOrRefuse(state: state, action: action)
      }
      return nil
    } catch {
      return (error as? AnimalsReducer.Error)?.code
    }
  }

  @Test func `adding to a full catalog is refused`() {
    let eagle = Animal.make("eagle", name: "Eagle")

    #expect(self.outcome(Self.state(room: 1), .onTapAdd("token", eagle)) == nil)
    #expect(self.outcome(Self.state(room: 0), .onTapAdd("token", eagle)) == .catalogFull)
  }

  @Test func `pending additions count toward the limit, failed ones do not`() {
    let (eagle, owl) = (Animal.make("eagle", name: "Eagle"), Animal.make("owl", name: "Owl"))
    let failed = AnimalsAction.did(.didAddAnimal(id: "first", result: .failure(error: "Disk")))
    let added = AnimalsAction.did(.didAddAnimal(id: "first", result: .success(animal: eagle)))
    let state = Self.state(room: 1)

    #expect(
      self.outcome(state, .onTapAdd("first", eagle), .onTapAdd("second", owl)) == .catalogFull)
    #expect(
      self.outcome(state, .onTapAdd("first", eagle), failed, .onTapAdd("second", owl)) == nil)
    #expect(
      self.outcome(state, .onTapAdd("first", eagle), added, .onTapAdd("second", owl))
        == .catalogFull)
  }

  @Test func `an operation on an existing animal takes no room`() {
    let favorite = AnimalsAction.ui(
      .animalList(.onTapFavoriteButton(animalId: "Dog", isFavorite: true)))
    let eagle = Animal.make("eagle", name: "Eagle")

    #expect(self.outcome(Self.state(room: 1), favorite, .onTapAdd("token", eagle)) == nil)
  }

  @Test func `a deleted animal is restored only if there is room`() {
    let restore = AnimalsAction.ui(
      .animalList(.onTapRestoreAnimalButton(.make("gone", name: "Gone"))))

    #expect(self.outcome(Self.state(room: 1), restore) == nil)
    #expect(self.outcome(Self.state(room: 0), restore) == .catalogFull)
  }

  @Test func `animals above the limit stay and can be changed and deleted`() {
    let update = AnimalsAction.ui(
      .animalEditor(
        .onTapSaveChangesButton(animalId: "Dog", changes: Animal.Changes(name: "Wolf"))))
    let delete = AnimalsAction.ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: "Cat")))

    #expect(self.outcome(Self.state(room: -3), update, delete) == nil)
    #expect(Self.state(room: -3).animals.data.count == Animal.samples.count)
  }

  @Test func `a snapshot from a release without limits gets the default limit`() throws {
    let old = try JSONDecoder().decode(
      AnimalsState.self, from: JSONEncoder().encode(AnimalsState()))
    let new = try JSONDecoder().decode(
      AnimalsState.self, from: JSONEncoder().encode(Self.state(room: 2)))

    #expect(old.animalLimit == 10_000)
    #expect(new.animalLimit == Animal.samples.count + 2)
  }

  @Test func `a database never holds more than its limit`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true, limit: Animal.samples.count + 1)
    func add() async throws -> Animal {
      try await store.addAnimalMutation(name: "Eagle", diet: .carnivorous, categoryId: "Bird")
    }

    let eagle = try await add()
    let message = await failure { _ = try await add() }
    _ = try await store.deleteAnimalMutation(animalId: "Dog")
    _ = try await store.restoreAnimalMutation(.make("Dog", name: "Dog"))
    let again = await failure {
      _ = try await store.restoreAnimalMutation(.make("Wolf", name: "Wolf"))
    }

    #expect((message, again) == (Self.full, Self.full))
    #expect(try await store.fetchAnimalsQuery().count == Animal.samples.count + 1)
    #expect(try await store.fetchAnimalsQuery().contains(eagle))
  }

  @Test func `an API client learns that the catalog is full`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true, limit: Animal.samples.count)

    try await withServer(of: store) { url in
      let remote = RemoteStore(session: TestSession(), url: url)
      let message = await failure {
        _ = try await remote.addAnimalMutation(
          name: "Eagle", diet: .carnivorous, categoryId: "Bird")
      }

      let animals = try await remote.fetchAnimalsQuery()

      #expect(message?.contains(Self.full) == true)
      #expect(animals == Animal.samples)
    }
  }
}
