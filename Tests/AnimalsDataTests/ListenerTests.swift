import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

/// A listener at work: a store that it listens to, and the double that it calls.
@MainActor private final class Fixture {
  let store: Store<AnimalsState, AnimalsAction>
  let double: StoreDouble
  let listener: Listener<StoreDouble>
  private var iterator: AsyncStream<(oldState: AnimalsState, action: AnimalsAction)>.Iterator

  init(
    _ state: AnimalsState = .fetched,
    double: StoreDouble = .obliging,
    lanes: EffectLanes? = nil
  ) {
    self.store = Store(initialState: state, reducer: AnimalsReducer.reduce)
    self.double = double
    // As a product makes them: without lanes by the initialiser of the guide.
    self.listener = lanes.map { Listener(store: double, lanes: $0) } ?? Listener(store: double)
    self.iterator = self.store.makeStream().makeAsyncIterator()
    self.listener.listen(to: self.store)
  }

  func dispatch(_ action: AnimalsAction) throws {
    try self.store.dispatch(action: action)
  }

  /// The actions from where the last call ended to the first that is meant, with it.
  @discardableResult func actions(
    until isLast: (AnimalsAction) -> Bool
  ) async -> [AnimalsAction] {
    var iterator = self.iterator
    defer { self.iterator = iterator }
    var actions: [AnimalsAction] = []
    while let action = await iterator.next(isolation: #isolation)?.action {
      actions.append(action)
      if isLast(action) { break }
    }
    return actions
  }

  /// Awaits the end of all that is under way.
  func actionsUntilNothingIsWaitedFor() async {
    await self.actions { _ in self.store.select(AnimalsState.selectIsWaiting()) == false }
  }

  /// Adds an animal and awaits its end: by then each action before it has been looked at.
  func addLast() async throws {
    try self.dispatch(.onTapAdd("last", Self.last))
    await self.actions { $0.isEnd(of: "last") }
  }

  static let last = Animal.make("id of Last", name: "Last")
  static let lastCall = StoreCall.add(name: "Last", diet: .carnivorous, categoryId: "Mammal")
}

extension AnimalsAction {
  /// Whether an operation on an animal, or on the one with this placeholder, has ended.
  fileprivate func isEnd(of animalId: Animal.ID) -> Bool {
    switch self {
    case .data(.persistentSession(.didAddAnimal(animalId, _))),
      .data(.persistentSession(.didUpdateAnimal(animalId, _))),
      .data(.persistentSession(.didDeleteAnimal(animalId, _))):
      true
    default: false
    }
  }
}

extension StoreCall {
  fileprivate static func update(_ animal: Animal) -> Self {
    .update(
      animalId: animal.id,
      name: animal.name,
      diet: animal.diet,
      categoryId: animal.categoryId
    )
  }
}

private let owl = Animal.make("Cat", name: "Owl", diet: .omnivorous, categoryId: "Bird")

/// What begins an effect, what it asks of the store, and what then is dispatched.
private let effects: [(ActionKind, AnimalsState, [StoreCall], AnimalsAction)] = [
  (
    .categoryListOnAppear, AnimalsState(), [.fetchCategories],
    .did(.didFetchCategories(result: .success(categories: Category.samples)))
  ),
  (
    .animalListOnAppear, AnimalsState(), [.fetchAnimals],
    .did(.didFetchAnimals(result: .success(animals: Animal.samples)))
  ),
  (
    .categoryListOnTapReload, .fetched, [.reload],
    .did(
      .didReloadSampleData(
        result: .success(animals: Animal.samples, categories: Category.samples)
      )
    )
  ),
  (
    .categoryListOnTapRefresh, .fetched, [.fetchCategories, .fetchAnimals],
    .did(.didRefresh(result: .success(animals: Animal.samples, categories: Category.samples)))
  ),
  (
    .categoryListOnTapRefresh, .make(animalsStatus: .waiting), [.fetchCategories],
    .did(.didFetchCategories(result: .success(categories: Category.samples)))
  ),
  (
    .categoryListOnTapRefresh, .make(categoriesStatus: .waiting), [.fetchAnimals],
    .did(.didFetchAnimals(result: .success(animals: Animal.samples)))
  ),
  (
    .animalListOnTapDelete, .fetched, [.delete(animalId: "Cat")],
    .did(.didDeleteAnimal(animalId: "Cat", result: .success(animal: .cat)))
  ),
  (
    .animalDetailOnTapDelete, .fetched, [.delete(animalId: "Cat")],
    .did(.didDeleteAnimal(animalId: "Cat", result: .success(animal: .cat)))
  ),
  (
    .animalEditorOnTapAdd, .fetched,
    [.add(name: "Owl", diet: .omnivorous, categoryId: "Bird")],
    .did(
      .didAddAnimal(
        id: "Cat",
        result: .success(
          animal: .make("id of Owl", name: "Owl", diet: .omnivorous, categoryId: "Bird")
        )
      )
    )
  ),
  (
    .animalEditorOnTapUpdate, .fetched, [.update(owl)],
    .did(.didUpdateAnimal(animalId: "Cat", result: .success(animal: owl)))
  ),
  (
    // A store of the guide needs every value: what was not changed is saved as it is.
    .animalEditorOnTapSaveChanges, .fetched, [.update(.make("Cat", name: "Owl"))],
    .did(.didUpdateAnimal(animalId: "Cat", result: .success(animal: .make("Cat", name: "Owl"))))
  ),
]

// The limit is for what would else hang.
@Suite(.timeLimit(.minutes(20))) @MainActor struct ListenerTests {
  @Test(arguments: effects, [false, true])
  private func `an action that begins an operation calls the store once`(
    effect: (kind: ActionKind, state: AnimalsState, calls: [StoreCall], answer: AnimalsAction),
    hasLanes: Bool
  ) async throws {
    let fixture = Fixture(effect.state, lanes: hasLanes ? EffectLanes() : nil)
    let action = AnimalsAction.make(effect.kind, animal: owl)

    try fixture.dispatch(action)
    let actions = await fixture.actions { $0 == effect.answer }
    try await fixture.addLast()

    #expect(actions == [action, effect.answer])
    #expect(fixture.double.calls == effect.calls + [Fixture.lastCall])
  }

  @Test(
    arguments: [
      (.categoryListOnAppear, .make(categoriesStatus: .empty)),
      (.categoryListOnAppear, .make(categoriesStatus: .waiting)),
      (.categoryListOnAppear, .make(categoriesStatus: .success)),
      (.categoryListOnAppear, .make(categoriesStatus: .failure(error: "Disk"))),
      (.animalListOnAppear, .make(animalsStatus: .empty)),
      (.animalListOnAppear, .make(animalsStatus: .waiting)),
      (.animalListOnAppear, .make(animalsStatus: .success)),
      (.animalListOnAppear, .make(animalsStatus: .failure(error: "Disk"))),
      (.categoryListOnTapReload, .make(categoriesStatus: .waiting)),
      (.categoryListOnTapReload, .make(animalsStatus: .waiting)),
      (.categoryListOnTapRefresh, .make(categoriesStatus: .waiting, animalsStatus: .waiting)),
    ] as [(ActionKind, AnimalsState)])
  private func `an action that begins no operation does not call the store`(
    kind: ActionKind,
    state: AnimalsState
  ) async throws {
    let fixture = Fixture(state)

    try fixture.dispatch(.make(kind))
    try await fixture.addLast()

    #expect(fixture.double.calls == [Fixture.lastCall])
  }

  @Test(arguments: ActionKind.allCases.filter(\.isAnswer))
  private func `a result action does not call the store`(kind: ActionKind) async throws {
    let fixture = Fixture()

    try fixture.dispatch(.make(kind))
    try await fixture.addLast()

    #expect(fixture.double.calls == [Fixture.lastCall])
  }

  @Test(arguments: [
    ActionKind.animalListOnTapDelete, .animalDetailOnTapDelete, .animalEditorOnTapUpdate,
    .animalEditorOnTapSaveChanges, .animalEditorOnTapAdd,
  ])
  private func `a change of an animal during another does not call the store`(
    kind: ActionKind
  ) async throws {
    let fixture = Fixture(.fetched.waiting("Cat"))

    try fixture.dispatch(.make(kind, id: "Cat"))
    try await fixture.addLast()

    #expect(fixture.double.calls == [Fixture.lastCall])
  }

  @Test func `saving one value keeps what others have saved meanwhile`() async throws {
    let local = try LocalStore<UUID>(isStoredInMemoryOnly: true)
    let store = Store(initialState: AnimalsState.fetched, reducer: AnimalsReducer.reduce)
    let listener = Listener(store: local)
    var iterator = store.makeStream().makeAsyncIterator()
    listener.listen(to: store)
    _ = try await local.updateAnimalMutation(
      animalId: "Cat", name: "Lion", diet: .carnivorous, categoryId: "Mammal")

    try store.dispatch(
      action: .ui(
        .animalEditor(
          .onTapSaveChangesButton(animalId: "Cat", changes: Animal.Changes(diet: .omnivorous)))))
    while let action = await iterator.next(isolation: #isolation)?.action {
      if action.isEnd(of: "Cat") { break }
    }

    let lion = Animal.make("Cat", name: "Lion", diet: .omnivorous)
    #expect(store.state.animals.data["Cat"] == lion)
    #expect(try await local.fetchAnimalsQuery().first { $0.id == "Cat" } == lion)
  }

  @Test func `lists that appear in many windows are fetched once`() async throws {
    let fixture = Fixture(AnimalsState())

    for _ in 0..<3 {
      try fixture.dispatch(.make(.categoryListOnAppear))
      try fixture.dispatch(.make(.animalListOnAppear))
    }
    try await fixture.addLast()

    #expect(fixture.double.calls == [.fetchCategories, .fetchAnimals, Fixture.lastCall])
  }

  @Test(arguments: [ActionKind.categoryListOnAppear, .animalListOnAppear])
  private func `a list that appears just before a refresh is fetched only once`(
    kind: ActionKind
  ) async throws {
    let fixture = Fixture()

    try fixture.dispatch(.make(kind))
    try fixture.dispatch(.make(.categoryListOnTapRefresh))
    try await fixture.addLast()

    #expect(fixture.double.calls == [.fetchCategories, .fetchAnimals, Fixture.lastCall])
  }

  @Test(
    arguments: [
      (.categoryListOnAppear, .didFetchCategoriesFailure, AnimalsState()),
      (.animalListOnAppear, .didFetchAnimalsFailure, AnimalsState()),
      (.categoryListOnTapReload, .didReloadFailure, .fetched),
      (.categoryListOnTapRefresh, .didRefreshFailure, .fetched),
      (.animalListOnTapDelete, .didDeleteFailure, .fetched),
      (.animalDetailOnTapDelete, .didDeleteFailure, .fetched),
      (.animalEditorOnTapAdd, .didAddFailure, .fetched),
      (.animalEditorOnTapUpdate, .didUpdateFailure, .fetched),
    ] as [(ActionKind, ActionKind, AnimalsState)])
  private func `an operation that ended before the listener saw it does not call the store`(
    kind: ActionKind,
    end: ActionKind,
    state: AnimalsState
  ) async throws {
    let fixture = Fixture(state)

    try fixture.dispatch(.make(kind))
    try fixture.dispatch(.make(end))
    try await fixture.addLast()

    #expect(fixture.double.calls == [Fixture.lastCall])
  }

  @Test(arguments: [false, true])
  func `a failed effect does not stop the listener`(hasLanes: Bool) async throws {
    var double = StoreDouble.obliging
    double.delete = StoreDouble().delete
    let fixture = Fixture(double: double, lanes: hasLanes ? EffectLanes() : nil)

    try fixture.dispatch(.make(.animalListOnTapDelete))
    try await fixture.addLast()

    let reason = StoreError(call: .delete(animalId: "Cat")).localizedDescription
    var expected = AnimalsState.fetched
    expected.animals.data[Fixture.last.id] = Fixture.last
    expected.animals.queue = ["Cat": .failure(error: reason), "last": .success]
    #expect(fixture.store.state == expected)
  }
}

// Whom it listens to.
extension ListenerTests {
  @Test func `listening again to the same store handles pending operations once`()
    async throws
  {
    let fixture = Fixture()

    try fixture.dispatch(.make(.animalListOnTapDelete))
    fixture.listener.listen(to: fixture.store)
    try await fixture.addLast()

    #expect(fixture.double.calls == [.delete(animalId: "Cat"), Fixture.lastCall])
  }

  @Test func `listening to another store ends listening to the first`() async throws {
    let fixture = Fixture()
    let other = Store(initialState: AnimalsState.fetched, reducer: AnimalsReducer.reduce)
    var iterator = other.makeStream().makeAsyncIterator()

    fixture.listener.listen(to: other)
    try fixture.dispatch(.make(.animalListOnTapDelete, id: "Cat"))
    try other.dispatch(action: .make(.animalListOnTapDelete, id: "Dog"))
    while let action = await iterator.next(isolation: #isolation)?.action {
      if action.isEnd(of: "Dog") { break }
    }

    #expect(fixture.double.calls == [.delete(animalId: "Dog")])
  }

  @Test func `moving to another store cancels what was begun for the first, and does not wait`()
    async throws
  {
    let (begun, cancelled) = (Gate(), Gate())
    let double = StoreDouble.hanging(begun: begun, cancelled: cancelled)
    let fixture = Fixture(AnimalsState(), double: double)
    let other = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
    var iterator = other.makeStream().makeAsyncIterator()
    try fixture.dispatch(.make(.categoryListOnAppear))
    await begun.wait()

    fixture.listener.listen(to: other)
    try other.dispatch(action: .make(.animalListOnAppear))
    for _ in 1...2 { _ = await iterator.next(isolation: #isolation) }
    await cancelled.wait()

    #expect(other.state.animals.status == .success)
  }

  @Test func `what was begun ends after its listener was released`() async throws {
    let (begun, released) = (Gate(), Gate())
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      begun.open()
      await released.wait()
      return Animal.samples
    }
    let store = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
    var iterator = store.makeStream().makeAsyncIterator()
    var listener: Listener<StoreDouble>? = Listener(store: double)
    listener?.listen(to: store)
    try store.dispatch(action: .make(.animalListOnAppear))
    await begun.wait()

    listener = nil
    released.open()
    for _ in 1...2 { _ = await iterator.next(isolation: #isolation) }

    #expect(store.state == .make(animals: Animal.samples, animalsStatus: .success))
  }

  @Test(arguments: [false, true])
  func `a listener lets go of its store when it goes or moves`(moves: Bool) async throws {
    var store: Store? = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
    let other = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
    let stream = try #require(store?.makeStream())
    var listener: Listener<StoreDouble>? = Listener(store: .obliging)
    if let store { listener?.listen(to: store) }
    try store?.dispatch(action: .make(.animalListOnAppear))

    store = nil
    if moves { listener?.listen(to: other) } else { listener = nil }

    var actions: [AnimalsAction] = []
    for await (_, action) in stream { actions.append(action) }
    #expect(actions.first == .make(.animalListOnAppear))
    withExtendedLifetime(listener) {}
  }

  @Test func `a listener can be released while it is listening`() {
    let store = Store(initialState: AnimalsState(), reducer: AnimalsReducer.reduce)
    var listener: Listener<StoreDouble>? = Listener(store: .obliging)
    weak let weakListener = listener
    listener?.listen(to: store)

    listener = nil

    #expect(weakListener == nil)
  }
}

// The order of effects.
extension ListenerTests {
  @Test func `without lanes each effect is awaited before the next action`() async throws {
    let fixture = Fixture(AnimalsState())

    try fixture.dispatch(.make(.categoryListOnAppear))
    try fixture.dispatch(.make(.animalListOnAppear))
    try fixture.dispatch(.onTapAdd("placeholder", .newt))
    try await fixture.addLast()

    let calls: [StoreCall] = [
      .fetchCategories, .fetchAnimals,
      .add(name: "Newt", diet: .carnivorous, categoryId: "Amphibian"), Fixture.lastCall,
    ]
    #expect(fixture.double.transcript.entries == calls.flatMap { [.began($0), .ended($0)] })
  }

  @Test func `with lanes writes run one at a time while a fetch never ends`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let fetchBegan = Gate()
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      fetchBegan.open()
      await gate.wait()
      return []
    }
    let fixture = Fixture(
      .make(categoriesStatus: .success, animals: Animal.samples),
      double: double,
      lanes: EffectLanes()
    )

    try fixture.dispatch(.make(.animalListOnAppear))
    try fixture.dispatch(.onTapUpdate("Cat", owl))
    try fixture.dispatch(.make(.animalListOnTapDelete, id: "Dog"))
    try fixture.dispatch(.onTapAdd("placeholder", .newt))
    try fixture.dispatch(.make(.animalDetailOnTapDelete, id: "Newt"))
    await fetchBegan.wait()
    try await fixture.addLast()

    let writes: [StoreCall] = [
      .update(owl), .delete(animalId: "Dog"),
      .add(name: "Newt", diet: .carnivorous, categoryId: "Amphibian"),
      .delete(animalId: "Newt"), Fixture.lastCall,
    ]
    let entries = fixture.double.transcript.entries
    #expect(
      entries.filter { $0 != .began(.fetchAnimals) }
        == writes.flatMap { [.began($0), .ended($0)] }
    )
    #expect(entries.contains(.began(.fetchAnimals)))
    #expect(AnimalsState.selectAnimalsStatus()(fixture.store.state) == .waiting)
  }

  @Test func `with lanes a reload does not undo a later write`() async throws {
    let fixture = Fixture(lanes: EffectLanes())

    try fixture.dispatch(.make(.categoryListOnTapReload))
    try fixture.dispatch(.onTapUpdate("Cat", owl))
    try await fixture.addLast()

    let calls: [StoreCall] = [.reload, .update(owl), Fixture.lastCall]
    #expect(fixture.double.transcript.entries == calls.flatMap { [.began($0), .ended($0)] })
    var animals = AnimalsState.fetched.animals.data
    animals["Cat"] = owl
    animals[Fixture.last.id] = Fixture.last
    #expect(fixture.store.state.animals.data == animals)
  }

  @Test func `with lanes a fetch that overlaps a write does not undo it`() async throws {
    let gate = Gate()
    let fetchBegan = Gate()
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      fetchBegan.open()
      await gate.wait()
      return Animal.samples
    }
    let fixture = Fixture(double: double, lanes: EffectLanes())

    try fixture.dispatch(.make(.categoryListOnTapRefresh))
    await fetchBegan.wait()
    try fixture.dispatch(.onTapUpdate("Cat", owl))
    try fixture.dispatch(.make(.animalListOnTapDelete, id: "Dog"))
    try await fixture.addLast()
    gate.open()
    await fixture.actionsUntilNothingIsWaitedFor()

    #expect(
      fixture.store.state
        == .make(
          categories: Category.samples,
          categoriesStatus: .success,
          animals: [owl, .kangaroo, .gibbon, .sparrow, .newt, Fixture.last],
          animalsStatus: .success,
          queue: ["Cat": .success, "Dog": .success, "last": .success]
        )
    )
  }

  @Test func `the lanes count unfinished effects`() async throws {
    let gate = Gate()
    defer { gate.open() }
    let fetchBegan = Gate()
    var double = StoreDouble.obliging
    double.update = { animal in
      await gate.wait()
      return animal
    }
    double.fetchCategories = {
      fetchBegan.open()
      await gate.wait()
      return []
    }
    let lanes = EffectLanes()
    let fixture = Fixture(double: double, lanes: lanes)

    try fixture.dispatch(.onTapUpdate("Cat", .cat))
    try fixture.dispatch(.onTapUpdate("Dog", .dog))
    try fixture.dispatch(.make(.categoryListOnTapRefresh))
    // The last of them has begun, so the listener has looked at all.
    await fetchBegan.wait()

    #expect(lanes.count == 3)
  }
}
