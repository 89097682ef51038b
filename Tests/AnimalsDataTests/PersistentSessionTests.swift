import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

private typealias AnimalsStore = Store<AnimalsState, AnimalsAction>
private typealias Session = PersistentSession<StoreDouble>

/// A store that keeps a transcript of what is dispatched.
@MainActor private struct Recording {
  let store: AnimalsStore
  private let transcript: Transcript<AnimalsAction>

  init(_ state: AnimalsState) {
    let transcript = Transcript<AnimalsAction>()
    self.transcript = transcript
    self.store = Store(initialState: state) { state, action in
      transcript.append(action)
      return try AnimalsReducer.reduce(state: state, action: action)
    }
  }

  var actions: [AnimalsAction] { self.transcript.entries }
}

/// A thunk of the session, and all that it should do.
private struct Operation: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// What the store is asked.
  let calls: [StoreCall]
  /// What is dispatched when the obliging store has answered.
  let success: AnimalsAction.Data.PersistentSession
  /// What is dispatched when the store has refused, for this reason.
  let failure: @Sendable (String) -> AnimalsAction.Data.PersistentSession
  let run: @MainActor @Sendable (Session, AnimalsStore) async throws -> Void
}

private let operations = [
  Operation(
    testDescription: "fetchAnimalsQuery",
    calls: [.fetchAnimals],
    success: .didFetchAnimals(result: .success(animals: Animal.samples)),
    failure: { .didFetchAnimals(result: .failure(error: $0)) },
    run: { try await $1.dispatch(thunk: $0.fetchAnimalsQuery()) }
  ),
  Operation(
    testDescription: "fetchCategoriesQuery",
    calls: [.fetchCategories],
    success: .didFetchCategories(result: .success(categories: Category.samples)),
    failure: { .didFetchCategories(result: .failure(error: $0)) },
    run: { try await $1.dispatch(thunk: $0.fetchCategoriesQuery()) }
  ),
  Operation(
    testDescription: "refreshQuery",
    calls: [.fetchCategories, .fetchAnimals],
    success: .didRefresh(
      result: .success(animals: Animal.samples, categories: Category.samples)
    ),
    failure: { .didRefresh(result: .failure(error: $0)) },
    run: { try await $1.dispatch(thunk: $0.refreshQuery()) }
  ),
  Operation(
    testDescription: "reloadSampleDataMutation",
    calls: [.reload],
    success: .didReloadSampleData(
      result: .success(animals: Animal.samples, categories: Category.samples)
    ),
    failure: { .didReloadSampleData(result: .failure(error: $0)) },
    run: { try await $1.dispatch(thunk: $0.reloadSampleDataMutation()) }
  ),
  Operation(
    testDescription: "addAnimalMutation",
    calls: [.add(name: "Eagle", diet: .carnivorous, categoryId: "Bird")],
    success: .didAddAnimal(
      id: "placeholder",
      result: .success(animal: .make("id of Eagle", name: "Eagle", categoryId: "Bird"))
    ),
    failure: { .didAddAnimal(id: "placeholder", result: .failure(error: $0)) },
    run: { session, store in
      try await store.dispatch(
        thunk: session.addAnimalMutation(
          id: "placeholder",
          name: "Eagle",
          diet: .carnivorous,
          categoryId: "Bird"
        )
      )
    }
  ),
  Operation(
    testDescription: "updateAnimalMutation",
    calls: [.update(animalId: "Cat", name: "Owl", diet: .omnivorous, categoryId: "Bird")],
    success: .didUpdateAnimal(
      animalId: "Cat",
      result: .success(
        animal: .make("Cat", name: "Owl", diet: .omnivorous, categoryId: "Bird")
      )
    ),
    failure: { .didUpdateAnimal(animalId: "Cat", result: .failure(error: $0)) },
    run: { session, store in
      try await store.dispatch(
        thunk: session.updateAnimalMutation(
          animalId: "Cat",
          name: "Owl",
          diet: .omnivorous,
          categoryId: "Bird"
        )
      )
    }
  ),
  Operation(
    testDescription: "deleteAnimalMutation",
    calls: [.delete(animalId: "Cat")],
    success: .didDeleteAnimal(animalId: "Cat", result: .success(animal: .cat)),
    failure: { .didDeleteAnimal(animalId: "Cat", result: .failure(error: $0)) },
    run: { try await $1.dispatch(thunk: $0.deleteAnimalMutation(animalId: "Cat")) }
  ),
]

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct PersistentSessionTests {
  @Test(arguments: operations)
  private func `a thunk calls the store once and dispatches its answer`(
    operation: Operation
  ) async throws {
    let double = StoreDouble.obliging
    let recording = Recording(.fetched)

    try await operation.run(PersistentSession(store: double), recording.store)

    #expect(double.calls == operation.calls)
    #expect(recording.actions == [.did(operation.success)])
  }

  @Test(arguments: operations)
  private func `a thunk dispatches and throws the store's error`(
    operation: Operation
  ) async throws {
    let double = StoreDouble()
    let recording = Recording(.fetched)
    let refusal = StoreError(call: try #require(operation.calls.first))

    await #expect(throws: refusal) {
      try await operation.run(PersistentSession(store: double), recording.store)
    }

    #expect(double.calls == [refusal.call])
    #expect(recording.actions == [.did(operation.failure(refusal.localizedDescription))])
  }

  @Test(arguments: operations.suffix(3), ["", "a\nb", "e\u{301}"])
  private func `an animal that a store answers with under an unusable id is a failure`(
    operation: Operation, id: String
  ) async throws {
    for unusable in [Animal.make(id), .make("Eagle", categoryId: id)] {
      var double = StoreDouble(hasForeignWriters: true)
      double.add = { _, _, _ in unusable }
      double.update = { _ in unusable }
      double.delete = { _ in unusable }
      let recording = Recording(.fetched)

      await #expect(throws: UnusableAnimal.self) {
        try await operation.run(PersistentSession(store: double), recording.store)
      }

      let reason = UnusableAnimal().localizedDescription
      #expect(recording.actions == [.did(operation.failure(reason))])
      #expect(recording.store.state.animals.data == AnimalsState.fetched.animals.data)
    }
  }

  @Test func `reloaded animals and categories with unusable ids are left out`() async throws {
    var double = StoreDouble(hasForeignWriters: true)
    double.reload = {
      (
        [.make("a\nb"), .cat, .make("Eagle", categoryId: "")],
        [.mammal, Category(categoryId: "", name: "C")]
      )
    }
    let recording = Recording(.fetched)

    try await recording.store.dispatch(
      thunk: PersistentSession(store: double).reloadSampleDataMutation())

    #expect(
      recording.actions == [
        .did(.didReloadSampleData(result: .success(animals: [.cat], categories: [.mammal])))
      ])
  }

  @Test func `a refresh fails when only the animals cannot be fetched`() async throws {
    var double = StoreDouble()
    double.fetchCategories = { Category.samples }
    let recording = Recording(.fetched)
    let refusal = StoreError(call: .fetchAnimals)

    await #expect(throws: refusal) {
      try await recording.store.dispatch(
        thunk: PersistentSession(store: double).refreshQuery()
      )
    }

    #expect(
      recording.actions
        == [.did(.didRefresh(result: .failure(error: refusal.localizedDescription)))]
    )
  }

  @Test func `a reload that was given up and succeeds keeps what was added meanwhile`()
    async throws
  {
    let clock = ManualClock()
    let lanes = EffectLanes(deadline: .seconds(10), clock: clock)
    let gate = Gate()
    let wolf = Animal.make("Wolf")
    var double = StoreDouble.obliging
    double.add = { _, _, _ in wolf }
    double.reload = {
      await gate.wait()
      return (Animal.samples, Category.samples)
    }
    double.fetchAnimals = { Animal.samples + [wolf] }
    let recording = Recording(.fetched)
    let store = recording.store
    let session = PersistentSession(store: double)
    let reload: Session.Thunk<AnimalsStore, AnimalsStore> = session.reloadSampleDataMutation()
    lanes.run(Effect("reload") { _, _ in try await reload(store, store) }, on: ViewStore(store))
    await clock.sleeps.wait { $0.count == 1 }
    clock.advance(by: .seconds(10))
    while recording.actions.isEmpty { await letOthersGoOn() }
    try await store.dispatch(
      thunk: session.addAnimalMutation(
        id: "new", name: wolf.name, diet: wolf.diet, categoryId: wolf.categoryId))

    gate.open()
    while lanes.count > 0 { await letOthersGoOn() }

    #expect(store.state.animals.data.count == Animal.samples.count + 1)
    #expect(store.state.animals.data[wolf.id] == wolf)
    #expect(store.state.animals.status == .success)
  }

  @Test func `a thunk throws the reducer's refusal of its action`() async throws {
    let recording = Recording(AnimalsState())

    let error = await #expect(throws: AnimalsReducer.Error.self) {
      try await recording.store.dispatch(
        thunk: PersistentSession(store: StoreDouble.obliging).deleteAnimalMutation(animalId: "Cat")
      )
    }

    #expect(error?.code == .animalNotFound)
    #expect(recording.store.state == AnimalsState())
  }
}

/// What reads all animals.
private enum Reading: CaseIterable, Sendable {
  case fetchAnimals
  case refresh

  @MainActor func run(_ session: Session, _ store: AnimalsStore) async throws {
    switch self {
    case .fetchAnimals: try await store.dispatch(thunk: session.fetchAnimalsQuery())
    case .refresh: try await store.dispatch(thunk: session.refreshQuery())
    }
  }
}

/// What writes while they are read.
private enum Writing: CaseIterable, Sendable {
  case add
  case update
  case delete
  case updateThenDelete
  case addThenUpdate

  @MainActor func run(_ session: Session, _ store: AnimalsStore) async throws {
    switch self {
    case .add: try await self.add(session, store)
    case .update: try await self.update("Cat", session, store)
    case .delete: try await store.dispatch(thunk: session.deleteAnimalMutation(animalId: "Cat"))
    case .updateThenDelete:
      try await self.update("Cat", session, store)
      try await store.dispatch(thunk: session.deleteAnimalMutation(animalId: "Cat"))
    case .addThenUpdate:
      try await self.add(session, store)
      try await self.update("id of Eagle", session, store)
    }
  }

  /// What is there afterwards, where a cat and a dog were before.
  var animals: [Animal] {
    switch self {
    case .add: [.cat, .dog, .make("id of Eagle", name: "Eagle", categoryId: "Bird")]
    case .update: [.dog, .make("Cat", name: "Lion")]
    case .delete, .updateThenDelete: [.dog]
    case .addThenUpdate: [.cat, .dog, .make("id of Eagle", name: "Lion")]
    }
  }

  @MainActor private func add(_ session: Session, _ store: AnimalsStore) async throws {
    try await store.dispatch(
      thunk: session.addAnimalMutation(
        id: "placeholder",
        name: "Eagle",
        diet: .carnivorous,
        categoryId: "Bird"
      )
    )
  }

  @MainActor private func update(
    _ animalId: Animal.ID,
    _ session: Session,
    _ store: AnimalsStore
  ) async throws {
    try await store.dispatch(
      thunk: session.updateAnimalMutation(
        animalId: animalId,
        name: "Lion",
        diet: .carnivorous,
        categoryId: "Mammal"
      )
    )
  }
}

/// A store whose animals can be held: what it then answers was read before it was held.
private struct HeldStore {
  let began = Gate()
  let gate = Gate()
  let double: StoreDouble

  init(answering animals: [Animal]) {
    var double = StoreDouble.obliging
    double.fetchCategories = { [.bird, .mammal] }
    double.fetchAnimals = { [began, gate] in
      began.open()
      await gate.wait()
      return animals
    }
    self.double = double
  }
}

// What is read while something is written.
extension PersistentSessionTests {
  private static let state = AnimalsState.make(
    categories: [.bird, .mammal],
    categoriesStatus: .success,
    animals: [.cat, .dog]
  )

  @Test(arguments: Reading.allCases, Writing.allCases)
  private func `a write wins over a read that began before it`(
    reading: Reading,
    writing: Writing
  ) async throws {
    let held = HeldStore(answering: [.cat, .dog])
    let session = PersistentSession(store: held.double)
    let store = Store(initialState: Self.state, reducer: AnimalsReducer.reduce)

    let read = Task { try await reading.run(session, store) }
    await held.began.wait()
    try await writing.run(session, store)
    held.gate.open()
    try await read.value

    #expect(AnimalsState.selectAnimalsStatus()(store.state) == .success)
    #expect(store.state.animals.data == AnimalsState.make(animals: writing.animals).animals.data)
  }

  @Test(arguments: Reading.allCases)
  private func `a write that overlaps the start of a read wins too`(
    reading: Reading
  ) async throws {
    let held = HeldStore(answering: [.cat, .dog])
    let updateBegan = Gate()
    let updateGate = Gate()
    var double = held.double
    double.update = { animal in
      updateBegan.open()
      await updateGate.wait()
      return animal
    }
    let session = PersistentSession(store: double)
    let store = Store(initialState: Self.state, reducer: AnimalsReducer.reduce)

    let write = Task { try await Writing.update.run(session, store) }
    await updateBegan.wait()
    let read = Task { try await reading.run(session, store) }
    await held.began.wait()
    updateGate.open()
    try await write.value
    held.gate.open()
    try await read.value

    #expect(
      store.state.animals.data
        == AnimalsState.make(animals: Writing.update.animals).animals.data
    )
  }

  @Test(arguments: Reading.allCases)
  private func `a read that began after a write is taken as it is`(reading: Reading) async throws {
    let held = HeldStore(answering: [.make("Cat", name: "Tiger"), .dog])
    held.gate.open()
    let session = PersistentSession(store: held.double)
    let store = Store(initialState: Self.state, reducer: AnimalsReducer.reduce)

    try await Writing.update.run(session, store)
    try await reading.run(session, store)

    #expect(
      store.state.animals.data
        == AnimalsState.make(animals: [.make("Cat", name: "Tiger"), .dog]).animals.data
    )
  }

  @Test(arguments: Reading.allCases)
  private func `a failed write hides nothing that was read`(
    reading: Reading
  ) async throws {
    let held = HeldStore(answering: [.make("Cat", name: "Tiger"), .dog])
    var double = held.double
    double.update = StoreDouble().update
    let session = PersistentSession(store: double)
    let store = Store(initialState: Self.state, reducer: AnimalsReducer.reduce)

    let read = Task { try await reading.run(session, store) }
    await held.began.wait()
    await #expect(throws: StoreError.self) { try await Writing.update.run(session, store) }
    held.gate.open()
    try await read.value

    #expect(
      store.state.animals.data
        == AnimalsState.make(animals: [.make("Cat", name: "Tiger"), .dog]).animals.data
    )
  }

  @Test func `a refresh takes changes by others next to an overlapping write`() async throws {
    let held = HeldStore(answering: [.cat, .make("Dog", name: "Wolf"), .newt])
    let session = PersistentSession(store: held.double)
    var state = Self.state
    state.animals.data["Sparrow"] = .sparrow
    let store = Store(initialState: state, reducer: AnimalsReducer.reduce)

    let read = Task { try await Reading.refresh.run(session, store) }
    await held.began.wait()
    try await Writing.update.run(session, store)
    held.gate.open()
    try await read.value

    #expect(
      store.state
        == .make(
          categories: [.bird, .mammal],
          categoriesStatus: .success,
          animals: [.make("Cat", name: "Lion"), .make("Dog", name: "Wolf"), .newt],
          animalsStatus: .success,
          queue: ["Cat": .success]
        )
    )
  }

  @Test(arguments: [false, true])
  func `two reads that overlap a write both keep it`(firstEndsFirst: Bool) async throws {
    let held = [HeldStore(answering: [.cat, .dog]), HeldStore(answering: [.cat, .dog])]
    let session = PersistentSession(store: Self.store(answering: held))
    let store = Store(initialState: Self.state, reducer: AnimalsReducer.reduce)

    let firstRead = Task { try await Reading.fetchAnimals.run(session, store) }
    await held[0].began.wait()
    let secondRead = Task { try await Reading.fetchAnimals.run(session, store) }
    await held[1].began.wait()
    try await Writing.update.run(session, store)
    let ends = [(held[0].gate, firstRead), (held[1].gate, secondRead)]
    for (gate, read) in firstEndsFirst ? ends : ends.reversed() {
      gate.open()
      try await read.value
    }

    #expect(
      store.state.animals.data
        == AnimalsState.make(animals: Writing.update.animals).animals.data
    )
  }

  @Test func `each of two reads keeps writes made since it began`() async throws {
    let held = [
      HeldStore(answering: [.cat, .dog]),
      HeldStore(answering: [.make("Cat", name: "Tiger"), .dog]),
    ]
    let session = PersistentSession(store: Self.store(answering: held))
    let store = Store(initialState: Self.state, reducer: AnimalsReducer.reduce)

    let firstRead = Task { try await Reading.fetchAnimals.run(session, store) }
    await held[0].began.wait()
    try await Writing.update.run(session, store)
    let secondRead = Task { try await Reading.fetchAnimals.run(session, store) }
    await held[1].began.wait()
    held[1].gate.open()
    try await secondRead.value
    held[0].gate.open()
    try await firstRead.value

    // The first, which ends last, is the older.
    #expect(
      store.state.animals.data
        == AnimalsState.make(animals: [.make("Cat", name: "Tiger"), .dog]).animals.data
    )
  }

  /// A store that answers its first reading as the first does, and so on.
  private static func store(answering stores: [HeldStore]) -> StoreDouble {
    let doubles = stores.map(\.double)
    let readings = Transcript<Void>()
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      readings.append(())
      return try await doubles[readings.entries.count - 1].fetchAnimals()
    }
    return double
  }
}
