import HashTreeCollections
import ImmutableData
import Testing

@testable import AnimalsData

/// What came of an action: the state of the store, and why it was refused, if it was.
private struct Outcome: Hashable {
  var state: AnimalsState
  var code: AnimalsReducer.Error.Code?
}

private let statuses: [Status?] = [nil, .empty, .waiting, .success, .failure(error: "Disk")]
/// What an operation that has ended, or none, leaves.
private let endedStatuses: [Status?] = [nil, .empty, .success, .failure(error: "Disk")]

@MainActor struct AnimalsReducerTests {
  private func outcome(of action: AnimalsAction, in state: AnimalsState) -> Outcome {
    let store = Store(initialState: state, reducer: AnimalsReducer.reduce)
    do {
      try store.dispatch(action: action)
      return Outcome(state: store.state)
    } catch {
      return Outcome(state: store.state, code: (error as? AnimalsReducer.Error)?.code)
    }
  }
}

// Fetches.
extension AnimalsReducerTests {
  @Test(arguments: statuses)
  func `the list of categories begins a fetch only if there was none`(status: Status?) {
    let state = AnimalsState.make(categoriesStatus: status, animalsStatus: .empty)

    let outcome = self.outcome(of: .make(.categoryListOnAppear), in: state)

    #expect(
      outcome
        == Outcome(state: .make(categoriesStatus: status ?? .waiting, animalsStatus: .empty))
    )
  }

  @Test(arguments: statuses)
  func `the list of animals begins a fetch only if there was none`(status: Status?) {
    let state = AnimalsState.make(categoriesStatus: .empty, animalsStatus: status)

    let outcome = self.outcome(of: .make(.animalListOnAppear), in: state)

    #expect(
      outcome
        == Outcome(state: .make(categoriesStatus: .empty, animalsStatus: status ?? .waiting))
    )
  }

  @Test func `fetched categories join those that are there`() {
    let state = AnimalsState.make(
      categories: [.bird, Category(categoryId: "Fish", name: "Old name")],
      categoriesStatus: .waiting
    )

    let outcome = self.outcome(
      of: .make(.didFetchCategories, categories: [.fish, .mammal]),
      in: state
    )

    #expect(
      outcome
        == Outcome(state: .make(categories: [.bird, .fish, .mammal], categoriesStatus: .success))
    )
  }

  @Test func `fetched animals join those that are there`() {
    let state = AnimalsState.make(
      animals: [.dog, .make("Cat", name: "Old name")],
      animalsStatus: .waiting,
      queue: ["Cat": .waiting]
    )

    let outcome = self.outcome(of: .make(.didFetchAnimals, animals: [.cat, .newt]), in: state)

    #expect(
      outcome
        == Outcome(
          state: .make(
            animals: [.dog, .cat, .newt],
            animalsStatus: .success,
            queue: ["Cat": .waiting]
          )
        )
    )
  }

  @Test func `categories that could not be fetched leave those that are there`() {
    let state = AnimalsState.make(categories: [.bird], categoriesStatus: .waiting)

    let outcome = self.outcome(of: .make(.didFetchCategoriesFailure), in: state)

    #expect(
      outcome
        == Outcome(state: .make(categories: [.bird], categoriesStatus: .failure(error: "Disk")))
    )
  }

  @Test func `animals that could not be fetched leave those that are there`() {
    let state = AnimalsState.make(animals: [.dog], animalsStatus: .waiting)

    let outcome = self.outcome(of: .make(.didFetchAnimalsFailure), in: state)

    #expect(
      outcome == Outcome(state: .make(animals: [.dog], animalsStatus: .failure(error: "Disk")))
    )
  }
}

// Reloads and refreshes: of everything.
extension AnimalsReducerTests {
  @Test(
    arguments: [ActionKind.categoryListOnTapReload, .categoryListOnTapRefresh],
    endedStatuses
  )
  func `everything is fetched again`(kind: ActionKind, status: Status?) {
    let state = AnimalsState.make(
      categories: [.bird],
      categoriesStatus: status,
      animals: [.dog],
      animalsStatus: status,
      queue: ["Dog": .success]
    )

    let outcome = self.outcome(of: .make(kind), in: state)

    #expect(
      outcome
        == Outcome(
          state: .make(
            categories: [.bird],
            categoriesStatus: .waiting,
            animals: [.dog],
            animalsStatus: .waiting,
            queue: ["Dog": .success]
          )
        )
    )
  }

  @Test(arguments: [
    AnimalsState.make(categoriesStatus: .waiting, animalsStatus: .success),
    .make(categoriesStatus: .success, animalsStatus: .waiting),
    .make(categoriesStatus: .waiting, animalsStatus: .waiting),
    .make(categoriesStatus: .waiting, queue: ["Cat": .waiting]),
  ])
  func `nothing is reloaded while something is fetched`(state: AnimalsState) {
    let outcome = self.outcome(of: .make(.categoryListOnTapReload), in: state)

    #expect(outcome == Outcome(state: state))
  }

  @Test(arguments: endedStatuses)
  func `what is not being fetched is refreshed`(status: Status?) {
    let waiting = AnimalsState.make(categoriesStatus: .waiting, animalsStatus: .waiting)

    for state in [
      waiting,
      .make(categoriesStatus: .waiting, animalsStatus: status),
      .make(categoriesStatus: status, animalsStatus: .waiting),
    ] {
      let outcome = self.outcome(of: .make(.categoryListOnTapRefresh), in: state)
      #expect(outcome == Outcome(state: waiting))
    }
  }

  @Test func `nothing is reloaded while an operation is under way`() {
    let state = AnimalsState.fetched.waiting("Dog")

    let outcome = self.outcome(of: .make(.categoryListOnTapReload), in: state)

    #expect(outcome == Outcome(state: state, code: .animalsAreWaiting))
  }

  @Test func `everything is refreshed while an operation is under way`() {
    let state = AnimalsState.fetched.waiting("Dog")

    let outcome = self.outcome(of: .make(.categoryListOnTapRefresh), in: state)

    var expected = state
    expected.categories.status = .waiting
    expected.animals.status = .waiting
    #expect(outcome == Outcome(state: expected))
  }

  @Test(arguments: [ActionKind.didReload, .didRefresh])
  func `what came replaces everything but the operations`(kind: ActionKind) {
    let state = AnimalsState.make(
      categories: [.bird, Category(categoryId: "Fish", name: "Old name")],
      categoriesStatus: .waiting,
      animals: [.dog, .make("Cat", name: "Old name")],
      animalsStatus: .waiting,
      queue: ["Cat": .success, "Dog": .waiting]
    )

    let outcome = self.outcome(
      of: .make(kind, animals: [.cat, .newt], categories: [.fish, .mammal]),
      in: state
    )

    #expect(
      outcome
        == Outcome(
          state: .make(
            categories: [.fish, .mammal],
            categoriesStatus: .success,
            animals: [.cat, .newt],
            animalsStatus: .success,
            queue: ["Cat": .success, "Dog": .waiting]
          )
        )
    )
  }

  @Test(arguments: [ActionKind.didReloadFailure, .didRefreshFailure])
  func `a failure leaves everything and shows at both`(kind: ActionKind) {
    let state = AnimalsState.make(
      categories: [.bird],
      categoriesStatus: .waiting,
      animals: [.dog],
      animalsStatus: .waiting
    )

    let outcome = self.outcome(of: .make(kind), in: state)

    #expect(
      outcome
        == Outcome(
          state: .make(
            categories: [.bird],
            categoriesStatus: .failure(error: "Disk"),
            animals: [.dog],
            animalsStatus: .failure(error: "Disk")
          )
        )
    )
  }
}

private let changes: [ActionKind] = [
  .animalListOnTapDelete, .animalDetailOnTapDelete, .animalEditorOnTapUpdate,
  .animalEditorOnTapSaveChanges,
]

// Operations that begin.
extension AnimalsReducerTests {
  @Test(arguments: changes, endedStatuses)
  func `a change of an animal begins`(kind: ActionKind, status: Status?) {
    var state = AnimalsState.fetched
    state.animals.queue["Cat"] = status

    let outcome = self.outcome(of: .make(kind, animal: .make(name: "Lion")), in: state)

    #expect(outcome == Outcome(state: .fetched.waiting("Cat")))
  }

  @Test(arguments: changes)
  func `a change of an animal that is not there is refused`(kind: ActionKind) {
    let outcome = self.outcome(of: .make(kind, id: "Dragon"), in: .fetched)

    #expect(outcome == Outcome(state: .fetched, code: .animalNotFound))
  }

  @Test(arguments: changes)
  func `a change of an animal that is being changed is refused`(kind: ActionKind) {
    let state = AnimalsState.fetched.waiting("Cat")

    let outcome = self.outcome(of: .make(kind, id: "Cat"), in: state)

    #expect(outcome == Outcome(state: state, code: .animalIsWaiting))
  }

  @Test(arguments: changes)
  func `an animal that is gone is not found even while it is waited for`(kind: ActionKind) {
    let state = AnimalsState.fetched.waiting("Dragon")

    let outcome = self.outcome(of: .make(kind, id: "Dragon"), in: state)

    #expect(outcome == Outcome(state: state, code: .animalNotFound))
  }

  @Test(arguments: endedStatuses)
  func `an addition begins under its placeholder`(status: Status?) {
    var state = AnimalsState.fetched
    state.animals.queue["placeholder"] = status

    let outcome = self.outcome(of: .make(.animalEditorOnTapAdd, id: "placeholder"), in: state)

    #expect(outcome == Outcome(state: .fetched.waiting("placeholder")))
  }

  @Test func `an addition whose placeholder is being added is refused`() {
    let state = AnimalsState.fetched.waiting("placeholder")

    let outcome = self.outcome(of: .make(.animalEditorOnTapAdd, id: "placeholder"), in: state)

    #expect(outcome == Outcome(state: state, code: .animalIsWaiting))
  }

  @Test(arguments: changes + [.animalEditorOnTapAdd])
  func `operations on other animals do not get in the way`(kind: ActionKind) {
    let outcome = self.outcome(of: .make(kind, id: "Cat"), in: .fetched.waiting("Dog", "Newt"))

    #expect(outcome == Outcome(state: .fetched.waiting("Cat", "Dog", "Newt")))
  }
}

// Operations that end.
extension AnimalsReducerTests {
  @Test func `an animal that was added is there under the id that its store gave it`() {
    let outcome = self.outcome(
      of: .make(.didAdd, id: "placeholder", animal: .cat),
      in: .make(animals: [.dog], queue: ["placeholder": .waiting, "Dog": .waiting])
    )

    #expect(
      outcome
        == Outcome(
          state: .make(
            animals: [.dog, .cat],
            queue: ["placeholder": .success, "Dog": .waiting]
          )
        )
    )
  }

  @Test func `an addition that failed leaves its error under the placeholder`() {
    let outcome = self.outcome(
      of: .make(.didAddFailure, id: "placeholder"),
      in: .make(animals: [.dog], queue: ["placeholder": .waiting])
    )

    #expect(
      outcome
        == Outcome(state: .make(animals: [.dog], queue: ["placeholder": .failure(error: "Disk")]))
    )
  }

  @Test func `an animal that was updated takes the place of the old one`() {
    let outcome = self.outcome(
      of: .make(.didUpdate, animal: .make("Cat", name: "Lion", categoryId: "Fish")),
      in: .make(animals: [.dog, .cat], queue: ["Cat": .waiting, "Dog": .waiting])
    )

    #expect(
      outcome
        == Outcome(
          state: .make(
            animals: [.dog, .make("Cat", name: "Lion", categoryId: "Fish")],
            queue: ["Cat": .success, "Dog": .waiting]
          )
        )
    )
  }

  @Test func `an animal that was deleted is gone, and its status stays`() {
    let outcome = self.outcome(
      of: .make(.didDelete, animal: .cat),
      in: .make(animals: [.dog, .cat], queue: ["Cat": .waiting, "Dog": .waiting])
    )

    #expect(
      outcome
        == Outcome(state: .make(animals: [.dog], queue: ["Cat": .success, "Dog": .waiting]))
    )
  }

  @Test(arguments: [ActionKind.didUpdateFailure, .didDeleteFailure])
  func `a change that failed leaves the animal and its error`(kind: ActionKind) {
    let outcome = self.outcome(
      of: .make(kind),
      in: .make(animals: [.dog, .cat], queue: ["Cat": .waiting])
    )

    #expect(
      outcome
        == Outcome(state: .make(animals: [.dog, .cat], queue: ["Cat": .failure(error: "Disk")]))
    )
  }

  @Test(
    arguments: [
      (.didUpdate, [.dog, .cat], .success),
      (.didUpdateFailure, [.dog], .failure(error: "Disk")),
      (.didDelete, [.dog], .success),
      (.didDeleteFailure, [.dog], .failure(error: "Disk")),
    ] as [(ActionKind, [Animal], Status)])
  func `an operation ends though its animal has gone in the meantime`(
    kind: ActionKind,
    animals: [Animal],
    status: Status
  ) {
    let outcome = self.outcome(
      of: .make(kind, id: "Cat", animal: .cat),
      in: .make(animals: [.dog], queue: ["Cat": .waiting])
    )

    #expect(outcome == Outcome(state: .make(animals: animals, queue: ["Cat": status])))
  }

  @Test(
    arguments: [ActionKind.didUpdate, .didUpdateFailure, .didDelete, .didDeleteFailure],
    endedStatuses
  )
  func `the end of an operation that nobody began on an animal that is not there is refused`(
    kind: ActionKind,
    status: Status?
  ) {
    var state = AnimalsState.fetched
    state.animals.queue["Dragon"] = status

    let outcome = self.outcome(of: .make(kind, id: "Dragon", animal: .make("Dragon")), in: state)

    #expect(outcome == Outcome(state: state, code: .animalNotFound))
  }
}

// What others have changed.
extension AnimalsReducerTests {
  @Test(
    arguments: [
      (.didSaveElsewhere, [.dog, .make("Cat", name: "Lion")]), (.didDeleteElsewhere, [.dog]),
    ] as [(ActionKind, [Animal])])
  func `a change elsewhere leaves all other animals and what is under way`(
    kind: ActionKind,
    animals: [Animal]
  ) {
    let state = AnimalsState.make(
      animals: [.dog, .cat],
      animalsStatus: .waiting,
      queue: ["Cat": .waiting, "Dog": .failure(error: "Disk")]
    )

    let outcome = self.outcome(of: .make(kind, animal: .make("Cat", name: "Lion")), in: state)

    var expected = state
    expected.animals.data = AnimalsState.make(animals: animals).animals.data
    #expect(outcome == Outcome(state: expected))
  }

  @Test(arguments: statuses)
  func `what was read again replaces everything, and only ends a failure`(status: Status?) {
    let state = AnimalsState.make(
      categories: [.bird],
      categoriesStatus: status,
      animals: [.dog],
      animalsStatus: status,
      queue: ["Dog": .waiting]
    )

    let outcome = self.outcome(
      of: .make(.didReplaceElsewhere, animals: [.cat], categories: [.fish]),
      in: state
    )

    let ended: Status? = status == .failure(error: "Disk") ? .success : status
    #expect(
      outcome
        == Outcome(
          state: .make(
            categories: [.fish],
            categoriesStatus: ended,
            animals: [.cat],
            animalsStatus: ended,
            queue: ["Dog": .waiting]
          )
        )
    )
  }
}
