// As a test that is written against the guide imports: no module of swift-collections, no FoundationNetworking.
import Foundation
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

/// What tests that are written against the guide rely on.
@MainActor struct GuideCompatibilityTests {
  @Test func `members of modules that a test does not import can be used`() {
    var state = AnimalsState(
      categories: AnimalsState.Categories(data: ["Bird": .bird]),
      animals: AnimalsState.Animals(data: ["Dog": .dog], queue: ["Dog": .waiting]))
    state.animals.data["Cat"] = .cat

    #expect(state.animals.data["Cat"] == .cat)
    #expect(state.animals.queue["Dog"] == .waiting)
    #expect(URLRequest(url: URL(filePath: "/")).httpMethod == "GET")
  }

  @Test func `states are made from dictionaries, as in the guide's listings`() {
    let categories: [AnimalsData.Category.ID: AnimalsData.Category] = ["Bird": .bird]
    let animals: [Animal.ID: Animal] = ["Dog": .dog]
    let queue: [Animal.ID: Status] = ["Dog": .waiting]

    let state = AnimalsState(
      categories: AnimalsState.Categories(data: categories, status: .success),
      animals: AnimalsState.Animals(data: animals, status: .empty, queue: queue))

    #expect(AnimalsState.selectCategories()(state) == ["Bird": .bird])
    #expect(AnimalsState.selectCategoriesStatus()(state) == .success)
    #expect(AnimalsState.selectAnimals(categoryId: "Mammal")(state) == ["Dog": .dog])
    #expect(AnimalsState.selectAnimalsStatus()(state) == .empty)
    #expect(AnimalsState.selectAnimalStatus(animalId: "Dog")(state) == .waiting)
  }

  private func ids(
    sort keyPath: KeyPath<AnimalsData.Category, some Comparable> & Sendable,
    _ state: AnimalsState
  ) -> [AnimalsData.Category.ID] {
    AnimalsState.selectCategoriesValues(sort: keyPath)(state).map(\.id)
  }

  private func ids(
    sort keyPath: KeyPath<Animal, some Comparable> & Sendable, of categoryId: Category.ID,
    _ state: AnimalsState
  ) -> [Animal.ID] {
    AnimalsState.selectAnimalsValues(categoryId: categoryId, sort: keyPath)(state).map(\.id)
  }

  @Test func `types of key paths can be written as in the guide`() {
    let state = AnimalsState(
      categories: AnimalsState.Categories(data: ["Mammal": .mammal, "Bird": .bird]),
      animals: AnimalsState.Animals(data: ["Dog": .dog, "Cat": .cat]))

    #expect(self.ids(sort: \.name, state) == ["Bird", "Mammal"])
    #expect(self.ids(sort: \.name, of: "Mammal", state) == ["Cat", "Dog"])
  }

  @Test func `errors of a local store are those of its model actor`() async throws {
    let store = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    let modelActor: ModelActor<UUID> = await store.modelActor

    let error = await #expect(throws: ModelActor<UUID>.Error.self) {
      try await modelActor.deleteAnimalMutation(animalId: "Unicorn")
    }

    #expect(error?.code == .animalNotFound)
    #expect(modelActor === store)
  }

  @Test func `a listener asks a store what the guide's does, in the same order`() async {
    let notes = Transcript<String>()
    let store = SteppedStore(
      state: AnimalsState(
        categories: AnimalsState.Categories(status: .waiting),
        animals: AnimalsState.Animals(data: ["Cat": .cat], queue: ["Cat": .waiting])),
      actions: [
        .ui(.categoryList(.onAppear)),
        .data(.persistentSession(.didFetchCategories(result: .success(categories: [])))),
        .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: "Cat"))),
      ],
      notes: notes)
    let listener = Listener(store: NotingPersistentStore(notes: notes))

    listener.listen(to: store)
    for await _ in store.stream.end.stream { break }

    #expect(
      notes.entries == [
        "next", "select", "thunk", "fetch categories", "dispatch", "next", "next", "select",
        "thunk", "delete Cat", "dispatch", "next",
      ])
  }

  @Test func `a remote store sends a request with the guide's header and body`() async throws {
    let answer = try JSONEncoder().encode(RemoteResponse(query: [.animals(animals: [.dog])]))
    let session = SessionDouble(answers: [String(decoding: answer, as: UTF8.self)])

    let animals = try await RemoteStore(session: session).fetchAnimalsQuery()

    #expect(animals == [.dog])
    let request = try #require(session.requests.first)
    #expect(request.url == URL(string: "http://localhost:8080/animals/api"))
    #expect(request.httpMethod == "POST")
    #expect(request.allHTTPHeaderFields == ["Content-Type": "application/json"])
    #expect(request.httpBody == Data(#"{"query":[{"animals":{}}]}"#.utf8))
  }
}

/// A store whose stream has some actions, each after a state with nothing in it.
@MainActor private final class SteppedStore: Dispatcher, Selector, Streamer {
  struct Stream: AsyncSequence, Sendable {
    typealias Element = (oldState: AnimalsState, action: AnimalsAction)

    let actions: [AnimalsAction]
    let notes: Transcript<String>
    /// Has an element when another element is asked for than there are.
    let end = AsyncStream<Void>.makeStream()

    struct Iterator: AsyncIteratorProtocol {
      let stream: Stream
      var rest: ArraySlice<AnimalsAction>

      mutating func next() async throws -> Element? {
        self.stream.notes.append("next")
        if let action = self.rest.popFirst() { return (AnimalsState(), action) }
        self.stream.end.continuation.yield()
        return nil
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(stream: self, rest: self.actions[...]) }
  }

  typealias State = AnimalsState
  typealias Action = AnimalsAction

  let stream: Stream
  private let selected: AnimalsState
  private let notes: Transcript<String>

  init(state: AnimalsState, actions: [AnimalsAction], notes: Transcript<String>) {
    self.selected = state
    self.stream = Stream(actions: actions, notes: notes)
    self.notes = notes
  }

  func makeStream() -> Stream { self.stream }

  func select<T>(_ selector: @Sendable (AnimalsState) -> T) -> T where T: Sendable {
    self.notes.append("select")
    return selector(self.selected)
  }

  func dispatch(action: AnimalsAction) throws { self.notes.append("dispatch") }

  func dispatch(thunk: @Sendable (SteppedStore, SteppedStore) throws -> Void) rethrows {
    try thunk(self, self)
  }

  func dispatch(thunk: @Sendable (SteppedStore, SteppedStore) async throws -> Void) async rethrows {
    self.notes.append("thunk")
    try await thunk(self, self)
  }
}

/// A store with only the guide's functions.
private struct NotingPersistentStore: PersistentSessionPersistentStore {
  struct Refusal: Error {}

  let notes: Transcript<String>

  func fetchAnimalsQuery() async throws -> [Animal] { throw Refusal() }

  func addAnimalMutation(
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    throw Refusal()
  }

  func updateAnimalMutation(
    animalId: String,
    name: String,
    diet: Animal.Diet,
    categoryId: String
  ) async throws -> Animal {
    throw Refusal()
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    await Task.yield()
    self.notes.append("delete \(animalId)")
    return .cat
  }

  func fetchCategoriesQuery() async throws -> [Category] {
    await Task.yield()
    self.notes.append("fetch categories")
    return []
  }

  func reloadSampleDataMutation() async throws -> (
    animals: [Animal], categories: [Category]
  ) {
    throw Refusal()
  }
}
