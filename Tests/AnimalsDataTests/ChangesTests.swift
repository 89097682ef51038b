import Foundation
import HashTreeCollections
import ImmutableData
import TestSupport
import Testing

@testable import AnimalsData

/// A store whose changes are those that a test tells.
private struct FollowedStore: PersistentSessionPersistentStore {
  struct Lost: Error {}

  let base: StoreDouble
  /// From which versions somebody has followed.
  let versions = Transcript<String?>()
  /// What each connection tells before it is lost.
  let connections: [[CatalogEvent]]

  func followChanges(
    since version: String?,
    onFollowing: @Sendable () -> Void,
    _ body: @Sendable (CatalogEvent) async throws -> Void
  ) async throws {
    let index = self.versions.entries.count
    self.versions.append(version)
    onFollowing()
    guard index < self.connections.count else { return }
    for event in self.connections[index] { try await body(event) }
    throw Lost()
  }

  func fetchAnimalsQuery() async throws -> [Animal] { try await self.base.fetchAnimalsQuery() }
  func fetchCategoriesQuery() async throws -> [AnimalsData.Category] {
    try await self.base.fetchCategoriesQuery()
  }
  func addAnimalMutation(
    name: String, diet: Animal.Diet, categoryId: String
  ) async throws -> Animal {
    try await self.base.addAnimalMutation(name: name, diet: diet, categoryId: categoryId)
  }
  func updateAnimalMutation(
    animalId: String, name: String, diet: Animal.Diet, categoryId: String
  ) async throws -> Animal {
    try await self.base.updateAnimalMutation(
      animalId: animalId, name: name, diet: diet, categoryId: categoryId)
  }
  func deleteAnimalMutation(animalId: String) async throws -> Animal {
    try await self.base.deleteAnimalMutation(animalId: animalId)
  }
  func reloadSampleDataMutation() async throws -> (
    animals: [Animal], categories: [AnimalsData.Category]
  ) {
    try await self.base.reloadSampleDataMutation()
  }
}

/// A listener that follows, and all that it dispatched.
@MainActor private struct Fixture {
  let store: Store<AnimalsState, AnimalsAction>
  let followed: FollowedStore
  let actions = Transcript<AnimalsAction>()
  let outages = Transcript<Bool>()
  let clock = ManualClock()
  private let listener: Listener<FollowedStore>
  private let observing: Subscription

  init(
    _ state: AnimalsState = .fetched,
    double: StoreDouble = .obliging,
    telling connections: [[CatalogEvent]]
  ) {
    self.store = Store(initialState: state, reducer: AnimalsReducer.reduce)
    self.followed = FollowedStore(base: double, connections: connections)
    self.observing = self.store.observe { [actions] _, action, _ in actions.append(action) }
    let lanes = EffectLanes { [outages] _, isLost in outages.append(isLost) }
    self.listener = Listener(store: self.followed, lanes: lanes, clock: self.clock)
    self.listener.listen(to: self.store)
  }

  /// Gives it the time to handle the changes of the first connection, if they need not wait.
  func letItHandleChanges() async {
    await self.followed.versions.wait { $0.isEmpty == false }
    for _ in 0..<100 { await Task.yield() }
  }

  /// Waits until all connections have ended.
  func finish() async {
    for count in 1...self.followed.connections.count {
      await self.clock.sleeps.wait { $0.count == count }
      self.clock.advance(by: .seconds(60))
    }
    await self.followed.versions.wait { $0.count == self.followed.connections.count + 1 }
  }
}

private let owl = Animal.make("Owl", name: "Owl", categoryId: "Bird")

@Suite(.timeLimit(.minutes(20))) @MainActor struct ChangesTests {
  @Test func `changes made elsewhere become actions, in order`() async {
    let fixture = Fixture(telling: [
      [
        CatalogEvent(.saved(owl), version: "1"), CatalogEvent(.deleted("Cat"), version: "2"),
        CatalogEvent(.replaced(animals: [.dog], categories: [.mammal]), version: "3"),
      ]
    ])

    await fixture.finish()

    #expect(
      fixture.actions.entries == [
        .did(.didChangeElsewhere(.saved(owl))), .did(.didChangeElsewhere(.deleted("Cat"))),
        .did(.didChangeElsewhere(.replaced(animals: [.dog], categories: [.mammal]))),
      ]
    )
    #expect(fixture.followed.base.calls == [])
  }

  @Test func `changes that are already known dispatch nothing`() async {
    let fixture = Fixture(telling: [
      [
        CatalogEvent(.saved(.cat), version: "1"), CatalogEvent(.deleted("Owl"), version: "2"),
        CatalogEvent(
          .replaced(animals: Animal.samples, categories: Category.samples), version: "3"),
        CatalogEvent(nil, version: "4"),
      ]
    ])

    await fixture.finish()

    #expect(fixture.actions.entries == [])
    #expect(fixture.followed.base.calls == [.fetchCategories, .fetchAnimals])
  }

  @Test func `changes made before the first fetch are neither read nor shown`() async {
    let fixture = Fixture(
      AnimalsState(), telling: [[CatalogEvent(nil, version: "1"), CatalogEvent(.saved(owl))]])

    await fixture.finish()

    #expect(fixture.store.state == AnimalsState())
    #expect(fixture.followed.base.calls == [])
  }

  @Test func `an unspecified change is read from the store`() async {
    var double = StoreDouble.obliging
    double.fetchAnimals = { [owl] }
    let fixture = Fixture(double: double, telling: [[CatalogEvent(nil)]])

    await fixture.finish()

    #expect(
      fixture.store.state
        == .make(
          categories: Category.samples, categoriesStatus: .success, animals: [owl],
          animalsStatus: .success))
  }

  @Test func `following resumes from the last seen version after an outage`() async {
    let fixture = Fixture(telling: [
      [CatalogEvent(.saved(owl), version: "7")], [],
      [CatalogEvent(.deleted("Owl"), version: "8")],
    ])

    await fixture.finish()

    #expect(fixture.followed.versions.entries == [nil, "7", "7", "8"])
    #expect(fixture.store.state == .fetched)
  }

  @Test func `a change that could not be read is delivered again`() async {
    let reads = Transcript<Int>()
    var double = StoreDouble.obliging
    double.fetchCategories = {
      reads.append(1)
      if reads.entries.count == 1 { throw StoreError(call: .fetchCategories) }
      return Category.samples
    }
    double.fetchAnimals = { [owl] }
    let fixture = Fixture(
      double: double,
      telling: [
        [CatalogEvent(.saved(.newt), version: "1"), CatalogEvent(nil, version: "2")],
        [CatalogEvent(nil, version: "2")],
      ])

    await fixture.finish()

    #expect(fixture.followed.versions.entries == [nil, "1", "2"])
    #expect(fixture.store.state.animals.data == AnimalsState.make(animals: [owl]).animals.data)
    // A visitor can do nothing about it, and what shows may be as it is.
    #expect(fixture.store.state.animals.status == .success)
  }

  @Test func `an outage ends when changes can be followed again, even if there are none`() async {
    let fixture = Fixture(telling: [[CatalogEvent(.saved(owl), version: "7")], []])

    await fixture.finish()
    await fixture.outages.wait { $0.count == 5 }

    #expect(fixture.outages.entries == [false, true, false, true, false])
  }

  @Test func `an outage goes on while a change cannot be read`() async {
    var double = StoreDouble.obliging
    double.fetchCategories = { throw StoreError(call: .fetchCategories) }
    let fixture = Fixture(
      double: double,
      telling: [[CatalogEvent(nil, version: "1")], [CatalogEvent(nil, version: "1")]])

    await fixture.finish()

    #expect(fixture.outages.entries == [false, true])
  }

  @Test(arguments: [
    [CatalogChange.saved(.make("Cat", name: "Lion")), .saved(.make("Cat", name: "Tiger"))],
    [.saved(.make("Cat", name: "Lion")), .deleted("Cat")],
    [.replaced(animals: [.dog], categories: [.mammal])],
  ])
  func `the result of a write does not undo a later change made elsewhere`(
    changes: [CatalogChange]
  ) async throws {
    let gate = Gate()
    var double = StoreDouble.obliging
    double.update = { animal in
      await gate.wait()
      return animal
    }
    let fixture = Fixture(double: double, telling: [changes.map { CatalogEvent($0) }])
    try fixture.store.dispatch(action: .onTapUpdate("Cat", .make("Cat", name: "Lion")))
    await fixture.letItHandleChanges()

    gate.open()
    await fixture.finish()

    var expected = fixture.store.state
    for change in changes { expected.apply(change) }
    #expect(fixture.store.state == expected)
    #expect(fixture.actions.entries.contains(.did(.didChangeElsewhere(changes[changes.count - 1]))))
  }

  @Test func `the result of an addition or a reload does not undo a later change made elsewhere`()
    async throws
  {
    let gate = Gate()
    var double = StoreDouble.obliging
    double.reload = {
      await gate.wait()
      return (Animal.samples, Category.samples)
    }
    double.add = { _, _, _ in
      await gate.wait()
      return owl
    }
    let later = Animal.make("Owl", name: "Barn owl", categoryId: "Bird")
    let fixture = Fixture(
      double: double, telling: [[CatalogEvent(.saved(owl)), CatalogEvent(.saved(later))]])
    try fixture.store.dispatch(action: .make(.categoryListOnTapReload))
    try fixture.store.dispatch(action: .onTapAdd("placeholder", owl))
    await fixture.letItHandleChanges()

    gate.open()
    await fixture.finish()

    #expect(fixture.store.state.animals.data["Owl"] == later)
  }

  @Test(arguments: [
    CatalogChange.deleted("Cat"), .replaced(animals: [.dog], categories: [.mammal]),
  ])
  func `a first fetch does not bring back what was deleted elsewhere meanwhile`(
    change: CatalogChange
  ) async throws {
    let gate = Gate()
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      await gate.wait()
      return [.cat, .dog]
    }
    double.fetchCategories = {
      await gate.wait()
      return Category.samples
    }
    let fixture = Fixture(AnimalsState(), double: double, telling: [[CatalogEvent(change)]])
    try fixture.store.dispatch(action: .make(.animalListOnAppear))
    try fixture.store.dispatch(action: .make(.categoryListOnAppear))
    await fixture.finish()

    gate.open()
    await fixture.actions.wait { actions in
      actions.contains { ActionKind(of: $0) == .didFetchAnimals }
        && actions.contains { ActionKind(of: $0) == .didFetchCategories }
    }

    var expected = fixture.store.state
    expected.apply(change)
    #expect(fixture.store.state == expected)
    #expect(fixture.store.state.animals.data == ["Dog": .dog])
  }

  @Test func `a successful read clears a failure that shows`() async {
    let fixture = Fixture(
      .make(categoriesStatus: .failure(error: "Down"), animalsStatus: .failure(error: "Down")),
      telling: [[CatalogEvent(nil, version: "1")]])

    await fixture.finish()

    #expect(fixture.store.state == .fetched)
  }

  @Test func `a fetch that began earlier does not undo a change made elsewhere`() async throws {
    let (began, gate) = (Gate(), Gate())
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      began.open()
      await gate.wait()
      return Animal.samples
    }
    let store = Store(initialState: AnimalsState.fetched, reducer: AnimalsReducer.reduce)
    let listener = Listener(store: double, lanes: EffectLanes())
    listener.listen(to: store)
    var stream = store.makeStream().makeAsyncIterator()

    try store.dispatch(action: .make(.categoryListOnTapRefresh))
    await began.wait()
    try store.dispatch(action: .did(.didChangeElsewhere(.deleted("Cat"))))
    gate.open()
    while let action = await stream.next(isolation: #isolation)?.action {
      if case .data(.persistentSession(.didRefresh)) = action { break }
    }

    #expect(store.state.animals.data["Cat"] == nil)
  }

  @Test func `a fetch that began earlier does not undo a change that the state already has`()
    async throws
  {
    let (began, gate) = (Gate(), Gate())
    let reads = Transcript<Void>()
    var double = StoreDouble.obliging
    double.fetchAnimals = {
      reads.append(())
      guard reads.entries.count == 1 else { return [.dog] }
      began.open()
      await gate.wait()
      return [.cat, .dog]
    }
    double.fetchCategories = { [.mammal] }
    var state = AnimalsState.fetched
    state.apply(.replaced(animals: [.dog], categories: [.mammal]))
    let fixture = Fixture(
      state, double: double, telling: [[], [CatalogEvent(nil, version: "1")]])
    try fixture.store.dispatch(action: .make(.categoryListOnTapRefresh))
    await began.wait()

    await fixture.finish()
    gate.open()
    await fixture.actions.wait { $0.contains { ActionKind(of: $0) == .didRefresh } }

    #expect(fixture.store.state.animals.data == ["Dog": .dog])
  }

  @Test func `an animal that gets an unusable category elsewhere no longer shows`() async {
    let fixture = Fixture(telling: [
      [CatalogEvent(.saved(.make("Cat", name: "Cat", categoryId: "a\0")), version: "1")]
    ])

    await fixture.finish()

    #expect(fixture.actions.entries == [.did(.didChangeElsewhere(.deleted("Cat")))])
  }

  @Test func `rows that cannot be shown are logged, with their number and the first id`() {
    let lines = Transcript<String>()
    let rows = [owl, .make("a\0"), .make("b\0")]

    let showable = rows.showable(lines.logger, "They are skipped", \.cleaned)

    #expect(showable == [owl])
    #expect(lines.entries == ["warning They are skipped count=2 first=a\0"])
  }

  @Test func `names from elsewhere are cleaned before they show`() async {
    let fixture = Fixture(telling: [
      [
        CatalogEvent(.saved(.make("Owl", name: "a\nb")), version: "1"),
        CatalogEvent(.saved(.make("\u{0}", name: "Zero")), version: "2"),
      ]
    ])

    await fixture.finish()

    #expect(
      fixture.actions.entries == [
        .did(.didChangeElsewhere(.saved(.make("Owl", name: "a b"))))
      ])
  }
}
