import Foundation
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

/// What the guide's sessions and listeners ask of doubles of stores, and in which order.
@MainActor @Suite(.timeLimit(.minutes(20))) struct GuideDoublesTests {
  enum Thunk: CaseIterable, Sendable {
    case fetchCategories, fetchAnimals, add, update, delete, reload
  }

  @Test(arguments: Thunk.allCases)
  func `a thunk asks its store once, and dispatches once`(thunk: Thunk) async throws {
    let persistentStore = CountedPersistentStore()
    let session = PersistentSession(store: persistentStore)
    let dispatcher = CountedDispatcher<AnimalsState, AnimalsAction>()

    try await self.thunk(thunk, session)(dispatcher, CountedSelector(AnimalsState()))

    #expect(persistentStore.log.entries == [Self.call(thunk)])
    #expect(dispatcher.actions == [Self.success(thunk)])
  }

  @Test func `what a store answers is dispatched as it is, whatever its texts are`() async throws {
    let animal = Animal(animalId: "", name: "", diet: .omnivorous, categoryId: "\u{0}")
    let category = AnimalsData.Category(categoryId: "", name: "\n")
    let session = PersistentSession(
      store: CountedPersistentStore(animals: [animal], animal: animal, category: category))
    let dispatcher = CountedDispatcher<AnimalsState, AnimalsAction>()

    for thunk in Thunk.allCases {
      try await self.thunk(thunk, session)(dispatcher, CountedSelector(AnimalsState()))
    }

    let actions: [AnimalsAction.Data.PersistentSession] = [
      .didFetchCategories(result: .success(categories: [category])),
      .didFetchAnimals(result: .success(animals: [animal])),
      .didAddAnimal(id: "id", result: .success(animal: animal)),
      .didUpdateAnimal(animalId: "id", result: .success(animal: animal)),
      .didDeleteAnimal(animalId: "id", result: .success(animal: animal)),
      .didReloadSampleData(result: .success(animals: [animal], categories: [category])),
    ]
    #expect(dispatcher.actions == actions.map { .data(.persistentSession($0)) })
  }

  @Test(arguments: Thunk.allCases)
  func `a thunk whose store throws dispatches the error's description and throws it`(
    thunk: Thunk
  ) async throws {
    let error = PlainError()
    let persistentStore = CountedPersistentStore(error: error)
    let session = PersistentSession(store: persistentStore)
    let dispatcher = CountedDispatcher<AnimalsState, AnimalsAction>()

    let thrown = await #expect(throws: PlainError.self) {
      try await self.thunk(thunk, session)(dispatcher, CountedSelector(AnimalsState()))
    }

    #expect(thrown === error)
    #expect(persistentStore.log.entries == [Self.call(thunk)])
    #expect(dispatcher.actions == [Self.failure(thunk, error.localizedDescription)])
  }

  @Test(arguments: Thunk.allCases, [nil, PlainError()])
  func `a thunk whose action is refused throws the refusal, and dispatches nothing more`(
    thunk: Thunk, storeError: PlainError?
  ) async throws {
    let refusal = PlainError()
    let session = PersistentSession(store: CountedPersistentStore(error: storeError))
    let dispatcher = CountedDispatcher<AnimalsState, AnimalsAction>(error: refusal)

    let thrown = await #expect(throws: PlainError.self) {
      try await self.thunk(thunk, session)(dispatcher, CountedSelector(AnimalsState()))
    }

    #expect(thrown === refusal)
    #expect(dispatcher.actions.count == 1)
  }

  @Test(arguments: Self.listenerCases)
  func `a listener selects and dispatches as often as the guide's`(
    listenerCase: ListenerCase
  ) async {
    let store = CountedStore<AnimalsState, AnimalsAction>(state: listenerCase.state)
    let listener = Listener(store: CountedPersistentStore())
    listener.listen(to: store)
    listener.listen(to: store)

    store.continuation.yield((oldState: listenerCase.oldState, action: listenerCase.action))
    store.continuation.finish()
    await store.finished()

    #expect(store.log == ["stream"] + listenerCase.log)
    withExtendedLifetime(listener) {}
  }

  @Test func `a listener that goes cancels its stream`() async {
    let store = CountedStore<AnimalsState, AnimalsAction>(state: AnimalsState())
    var listener: Listener<CountedPersistentStore>? = Listener(store: CountedPersistentStore())
    listener?.listen(to: store)

    listener = nil
    await store.finished()

    #expect(store.log == ["stream"])
  }

  @Test func `a listener that moves to another store cancels its first stream`() async {
    let first = CountedStore<AnimalsState, AnimalsAction>(state: AnimalsState())
    let second = CountedStore<AnimalsState, AnimalsAction>(state: AnimalsState())
    let listener = Listener(store: CountedPersistentStore())

    listener.listen(to: first)
    listener.listen(to: second)
    await first.finished()
    second.continuation.finish()
    await second.finished()

    #expect(first.log == ["stream"])
    #expect(second.log == ["stream"])
    withExtendedLifetime(listener) {}
  }

  @Test func `what a listener does for its first store does not hold up the second`() async {
    let (begun, cancelled) = (Gate(), Gate())
    let first = CountedStore<AnimalsState, AnimalsAction>(state: .counted(categories: .waiting))
    let second = CountedStore<AnimalsState, AnimalsAction>(state: .counted(animals: .waiting))
    let double = StoreDouble.hanging(begun: begun, cancelled: cancelled)
    let listener = Listener(store: double)
    listener.listen(to: first)
    first.continuation.yield((AnimalsState(), .ui(.categoryList(.onAppear))))
    await begun.wait()

    listener.listen(to: second)
    second.continuation.yield((AnimalsState(), .ui(.animalList(.onAppear))))
    second.continuation.finish()
    await second.finished()
    await cancelled.wait()
    await first.finished()

    #expect(second.log == ["stream", "select", "thunk"])
    withExtendedLifetime(listener) {}
  }

  struct ListenerCase: Sendable {
    let action: AnimalsAction
    let oldState: AnimalsState
    let state: AnimalsState
    let log: [String]
  }

  nonisolated private static let statuses: [Status?] = [
    nil, .empty, .waiting, .success, .failure(error: "failed"),
  ]

  /// Each action with each status before and after it.
  nonisolated private static let listenerCases: [ListenerCase] =
    statuses.flatMap { old in
      statuses.flatMap { new in
        [
          ListenerCase(
            action: .ui(.categoryList(.onAppear)),
            oldState: .counted(categories: old),
            state: .counted(categories: new),
            log: old != nil ? [] : new == .waiting ? ["select", "thunk"] : ["select"]
          ),
          ListenerCase(
            action: .ui(.animalList(.onAppear)),
            oldState: .counted(animals: old),
            state: .counted(animals: new),
            log: old != nil ? [] : new == .waiting ? ["select", "thunk"] : ["select"]
          ),
          ListenerCase(
            action: .ui(.categoryList(.onTapReloadSampleDataButton)),
            oldState: .counted(categories: old, animals: .success),
            state: .counted(categories: new, animals: .waiting),
            log: old == .waiting
              ? [] : new == .waiting ? ["select", "select", "thunk"] : ["select"]
          ),
          ListenerCase(
            action: .ui(.categoryList(.onTapReloadSampleDataButton)),
            oldState: .counted(categories: nil, animals: old),
            state: .counted(categories: .waiting, animals: new),
            log: old == .waiting
              ? ["select"]
              : new == .waiting ? ["select", "select", "thunk"] : ["select", "select"]
          ),
        ]
          + [
            .ui(.animalList(.onTapDeleteSelectedAnimalButton(animalId: "Cat"))),
            .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(animalId: "Cat"))),
            .ui(
              .animalEditor(
                .onTapAddAnimalButton(
                  id: "Cat", name: "name", diet: .omnivorous, categoryId: "Bird"))),
            .ui(
              .animalEditor(
                .onTapUpdateAnimalButton(
                  animalId: "Cat", name: "name", diet: .omnivorous, categoryId: "Bird"))),
          ].map { action in
            ListenerCase(
              action: action,
              oldState: .counted(cat: old),
              state: .counted(cat: new),
              log: old == .waiting ? [] : new == .waiting ? ["select", "thunk"] : ["select"]
            )
          }
      }
    }
    + Thunk.allCases.flatMap { thunk in
      [success(thunk), failure(thunk, "error")].map { action in
        ListenerCase(
          action: action, oldState: AnimalsState(),
          state: .counted(categories: .waiting, animals: .waiting), log: [])
      }
    }

  private func thunk(
    _ thunk: Thunk,
    _ session: PersistentSession<CountedPersistentStore>
  ) async
    -> @Sendable (
      CountedDispatcher<AnimalsState, AnimalsAction>, CountedSelector<AnimalsState>
    ) async throws -> Void
  {
    switch thunk {
    case .fetchCategories: session.fetchCategoriesQuery()
    case .fetchAnimals: session.fetchAnimalsQuery()
    case .add:
      session.addAnimalMutation(id: "id", name: "n", diet: .omnivorous, categoryId: "c")
    case .update:
      session.updateAnimalMutation(
        animalId: "id", name: "n", diet: .omnivorous, categoryId: "c")
    case .delete: session.deleteAnimalMutation(animalId: "id")
    case .reload: session.reloadSampleDataMutation()
    }
  }

  nonisolated private static func call(_ thunk: Thunk) -> String {
    switch thunk {
    case .fetchCategories: "categories"
    case .fetchAnimals: "animals"
    case .add: "add n Omnivore c"
    case .update: "update id n Omnivore c"
    case .delete: "delete id"
    case .reload: "reload"
    }
  }

  nonisolated private static func success(_ thunk: Thunk) -> AnimalsAction {
    let action: AnimalsAction.Data.PersistentSession =
      switch thunk {
      case .fetchCategories: .didFetchCategories(result: .success(categories: [.bird]))
      case .fetchAnimals: .didFetchAnimals(result: .success(animals: [.newt]))
      case .add: .didAddAnimal(id: "id", result: .success(animal: .cat))
      case .update: .didUpdateAnimal(animalId: "id", result: .success(animal: .cat))
      case .delete: .didDeleteAnimal(animalId: "id", result: .success(animal: .cat))
      case .reload: .didReloadSampleData(result: .success(animals: [.newt], categories: [.bird]))
      }
    return .data(.persistentSession(action))
  }

  nonisolated private static func failure(_ thunk: Thunk, _ error: String) -> AnimalsAction {
    let action: AnimalsAction.Data.PersistentSession =
      switch thunk {
      case .fetchCategories: .didFetchCategories(result: .failure(error: error))
      case .fetchAnimals: .didFetchAnimals(result: .failure(error: error))
      case .add: .didAddAnimal(id: "id", result: .failure(error: error))
      case .update: .didUpdateAnimal(animalId: "id", result: .failure(error: error))
      case .delete: .didDeleteAnimal(animalId: "id", result: .failure(error: error))
      case .reload: .didReloadSampleData(result: .failure(error: error))
      }
    return .data(.persistentSession(action))
  }
}

extension AnimalsState {
  fileprivate static func counted(
    categories: Status? = nil, animals: Status? = nil, cat: Status? = nil
  ) -> Self {
    var state = Self()
    state.categories.status = categories
    state.animals.status = animals
    state.animals.data = ["Cat": .cat]
    state.animals.queue["Cat"] = cat
    return state
  }
}

private struct CountedPersistentStore: PersistentSessionPersistentStore {
  let log = Transcript<String>()
  var error: PlainError?
  var animals: [Animal] = [.newt]
  var animal = Animal.cat
  var category = AnimalsData.Category.bird

  func fetchAnimalsQuery() async throws -> [Animal] {
    try self.answer("animals", self.animals)
  }

  func addAnimalMutation(
    name: String, diet: Animal.Diet, categoryId: String
  ) async throws -> Animal {
    try self.answer("add \(name) \(diet.rawValue) \(categoryId)", self.animal)
  }

  func updateAnimalMutation(
    animalId: String, name: String, diet: Animal.Diet, categoryId: String
  ) async throws -> Animal {
    try self.answer("update \(animalId) \(name) \(diet.rawValue) \(categoryId)", self.animal)
  }

  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try self.answer("delete \(animalId)", self.animal)
  }

  func fetchCategoriesQuery() async throws -> [AnimalsData.Category] {
    try self.answer("categories", [self.category])
  }

  func reloadSampleDataMutation() async throws -> (
    animals: [Animal], categories: [AnimalsData.Category]
  ) {
    try self.answer("reload", (self.animals, [self.category]))
  }

  private func answer<Value>(_ call: String, _ value: Value) throws -> Value {
    self.log.append(call)
    if let error = self.error { throw error }
    return value
  }
}
