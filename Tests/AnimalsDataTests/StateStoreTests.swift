import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

/// Keeps actions until a test puts them into the order that all servers share.
@MainActor private final class SharedOrder: ActionSequencer {
  private var sent: [AnimalsAction] = []

  func send(_ action: AnimalsAction) { self.sent.append(action) }

  func post(_ action: AnimalsAction, id: String) async throws -> UInt64 {
    self.sent.append(action)
    return 0
  }

  func catchUp() {}

  func version(ofPost id: String) async throws -> UInt64? { nil }

  var isEmpty: Bool { self.sent.isEmpty }

  func take() -> [AnimalsAction] {
    defer { self.sent = [] }
    return self.sent
  }
}

/// The state is the only storage, and its actions are reduced later, among those of other servers.
@MainActor struct StateStoreTests {
  private typealias AnimalsStore = Store<AnimalsState, AnimalsAction>

  private static let bear = Animal(
    animalId: "bear", name: "Bear", diet: .omnivorous, categoryId: "Mammal")

  private let order = SharedOrder()
  private let store: AnimalsStore
  private let session: PersistentSession<StateStore>

  init() {
    self.store = Store(
      initialState: .samples(),
      version: 0,
      sequencer: self.order,
      reducer: Reducer(AnimalsReducer.reduceOrRefuse)
    )
    self.session = PersistentSession(store: StateStore(self.store))
  }

  private var names: Set<String> { Set(self.store.state.animals.data.values.map(\.name)) }

  private func apply(_ action: AnimalsAction, from node: String? = nil) throws {
    try self.store.apply(action, version: self.store.snapshot().version + 1, from: node)
  }

  private func applySent() throws {
    for action in self.order.take() { try self.apply(action) }
  }

  @Test func `a refresh keeps animals whose actions are reduced after it has read`() async throws {
    let before = self.names
    try self.apply(.ui(.categoryList(.onTapRefreshButton)))
    let refresh: PersistentSession<StateStore>.Thunk<AnimalsStore, AnimalsStore> =
      self.session.refreshQuery()
    try await self.store.dispatch(
      thunk: self.session.addAnimalMutation(
        id: "new", name: "Wolf", diet: .carnivorous, categoryId: "Mammal"))
    try await self.store.dispatch(thunk: refresh)

    let added = AnimalsAction.Data.PersistentSession.didAddAnimal(
      id: "bear", result: .success(animal: Self.bear))
    try self.apply(.data(.persistentSession(added)), from: "other")
    try self.applySent()

    #expect(self.names == before.union(["Wolf", "Bear"]))
    #expect(self.store.state.animals.status == .success)
    #expect(self.store.state.categories.status == .success)
    #expect(self.store.state.categories.data.count == Category.samples.count)
  }

  /// Its result is as old as the state that it was computed from.
  @Test func `a change that was given up does not happen later`() async throws {
    let clock = ManualClock()
    let lanes = EffectLanes(deadline: .seconds(10), clock: clock)
    let gate = Gate()
    let dog = try #require(self.store.state.animals.data["Dog"])
    let mark: PersistentSession<StateStore>.Thunk<AnimalsStore, AnimalsStore> =
      self.session.mutation { store in
        await gate.wait()
        return dog
      } action: {
        .didMarkAnimal(animalId: "Dog", result: $0)
      }
    let store = self.store
    lanes.run(Effect("mark") { _, _ in try await mark(store, store) }, on: ViewStore(store))
    await clock.sleeps.wait { $0.count == 1 }
    clock.advance(by: .seconds(10))
    while self.order.isEmpty { await letOthersGoOn() }

    gate.open()
    while lanes.count > 0 { await letOthersGoOn() }

    let failure = AnimalsAction.Data.PersistentSession.didMarkAnimal(
      animalId: "Dog", result: .failure(error: "This took too long. Try again."))
    #expect(self.order.take() == [.data(.persistentSession(failure))])
  }

  @Test func `a fetch does not bring back an animal that is deleted elsewhere`() async throws {
    let deleted = try #require(Animal.samples.first)
    try await self.store.dispatch(thunk: self.session.fetchAnimalsQuery())

    let didDelete = AnimalsAction.Data.PersistentSession.didDeleteAnimal(
      animalId: deleted.id, result: .success(animal: deleted))
    try self.apply(.data(.persistentSession(didDelete)), from: "other")
    try self.applySent()

    #expect(self.store.state.animals.data[deleted.id] == nil)
    #expect(self.store.state.animals.data.count == Animal.samples.count - 1)
  }
}
