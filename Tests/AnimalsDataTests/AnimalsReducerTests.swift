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
  private func outcome(
    of action: AnimalsAction,
    in state: AnimalsState,
    _ reduce: @escaping @Sendable (AnimalsState, AnimalsAction) throws -> AnimalsState =
      AnimalsReducer.reduce
  ) -> Outcome {
    let store = Store(initialState: state, reducer: reduce)
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
  func `showing the category list begins a fetch only the first time`(status: Status?) {
    let state = AnimalsState.make(categoriesStatus: status, animalsStatus: .empty)

    let outcome = self.outcome(of: .make(.categoryListOnAppear), in: state)

    #expect(
      outcome
        == Outcome(state: .make(categoriesStatus: status ?? .waiting, animalsStatus: .empty))
    )
  }

  @Test(arguments: statuses)
  func `showing the animal list begins a fetch only the first time`(status: Status?) {
    let state = AnimalsState.make(categoriesStatus: .empty, animalsStatus: status)

    let outcome = self.outcome(of: .make(.animalListOnAppear), in: state)

    #expect(
      outcome
        == Outcome(state: .make(categoriesStatus: .empty, animalsStatus: status ?? .waiting))
    )
  }

  @Test func `fetched categories are merged with existing ones`() {
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

  @Test func `fetched animals are merged with existing ones`() {
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

  @Test func `a failed fetch of categories keeps the existing ones`() {
    let state = AnimalsState.make(categories: [.bird], categoriesStatus: .waiting)

    let outcome = self.outcome(of: .make(.didFetchCategoriesFailure), in: state)

    #expect(
      outcome
        == Outcome(state: .make(categories: [.bird], categoriesStatus: .failure(error: "Disk")))
    )
  }

  @Test func `a failed fetch of animals keeps the existing ones`() {
    let state = AnimalsState.make(animals: [.dog], animalsStatus: .waiting)

    let outcome = self.outcome(of: .make(.didFetchAnimalsFailure), in: state)

    #expect(
      outcome == Outcome(state: .make(animals: [.dog], animalsStatus: .failure(error: "Disk")))
    )
  }
}

// Failures that were read.
extension AnimalsReducerTests {
  @Test(arguments: statuses)
  func `the failure of a fetch can be dismissed if there are rows`(status: Status?) {
    let state = AnimalsState.make(
      categories: [.bird], categoriesStatus: status, animals: [.dog], animalsStatus: status)

    let outcome = self.outcome(of: .make(.categoryListOnTapDismissFailure), in: state)

    let expected = status?.error == nil ? status : .success
    #expect(
      outcome
        == Outcome(
          state: .make(
            categories: [.bird], categoriesStatus: expected, animals: [.dog],
            animalsStatus: expected)))
  }

  @Test func `without rows the failure of a fetch stays, because it is the reason`() {
    let failure = Status.failure(error: "Disk")
    let state = AnimalsState.make(categoriesStatus: failure, animalsStatus: failure)

    let outcome = self.outcome(of: .make(.categoryListOnTapDismissFailure), in: state)

    #expect(outcome == Outcome(state: state))
  }

  @Test func `the failure of a mark can be dismissed`() {
    var state = AnimalsState.fetched
    state.animals.failure = ChangeFailure(animalId: "Dog", isDeletion: false, error: "Disk")

    let outcome = self.outcome(of: .make(.animalListOnTapDismissFailure), in: state)

    #expect(outcome == Outcome(state: .fetched))
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
  func `a reload is ignored while a fetch is running`(state: AnimalsState) {
    let outcome = self.outcome(of: .make(.categoryListOnTapReload), in: state)

    #expect(outcome == Outcome(state: state))
  }

  @Test(arguments: endedStatuses)
  func `a refresh fetches whatever is not being fetched already`(status: Status?) {
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

  @Test func `a reload is refused while an operation is running`() {
    let state = AnimalsState.fetched.waiting("Dog")

    let outcome = self.outcome(
      of: .make(.categoryListOnTapReload), in: state, AnimalsReducer.reduceOrRefuse)

    #expect(outcome == Outcome(state: state, code: .animalsAreWaiting))
  }

  /// Its result could otherwise undo a part of the reload, if other servers share the state.
  @Test(arguments: [
    ActionKind.didReload, .didReloadFailure, .didFetchAnimalsFailure,
  ])
  func `changes are refused while everything is reloaded, until that ends`(end: ActionKind) {
    func reduce(_ kind: ActionKind, _ state: AnimalsState) -> Outcome {
      self.outcome(of: .make(kind), in: state, AnimalsReducer.reduceOrRefuse)
    }
    let reloading = reduce(.categoryListOnTapReload, .fetched).state
    let ended = reduce(end, reloading).state

    for change in [ActionKind.animalListOnTapFavorite, .animalListOnTapDelete] {
      #expect(
        reduce(change, reloading) == Outcome(state: reloading, code: .animalsAreWaiting))
      #expect(reduce(change, ended).code == nil)
    }
  }

  @Test func `a reload during an operation begins, as in the guide`() {
    let state = AnimalsState.fetched.waiting("Dog")

    let outcome = self.outcome(of: .make(.categoryListOnTapReload), in: state)

    #expect(outcome.code == nil)
    #expect(outcome.state.categories.status == .waiting)
    #expect(outcome.state.animals.status == .waiting)
  }

  @Test func `a refresh is accepted while an operation is running`() {
    let state = AnimalsState.fetched.waiting("Dog")

    let outcome = self.outcome(of: .make(.categoryListOnTapRefresh), in: state)

    var expected = state
    expected.categories.status = .waiting
    expected.animals.status = .waiting
    #expect(outcome == Outcome(state: expected))
  }

  @Test(arguments: [ActionKind.didReload, .didRefresh])
  func `fetched data replaces everything but the operations`(kind: ActionKind) {
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
  func `a failure keeps all data and shows on categories and animals`(kind: ActionKind) {
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
  func `a change of a missing animal is refused`(kind: ActionKind) {
    let outcome = self.outcome(of: .make(kind, id: "Dragon"), in: .fetched)

    #expect(outcome == Outcome(state: .fetched, code: .animalNotFound))
  }

  @Test(arguments: changes)
  func `a change of an animal during another change is refused`(kind: ActionKind) {
    let state = AnimalsState.fetched.waiting("Cat")

    let outcome = self.outcome(
      of: .make(kind, id: "Cat"), in: state, AnimalsReducer.reduceOrRefuse)

    #expect(outcome == Outcome(state: state, code: .animalIsWaiting))
  }

  @Test(arguments: changes)
  func `a change of an animal during another change leaves it waiting, as in the guide`(
    kind: ActionKind
  ) {
    let state = AnimalsState.fetched.waiting("Cat")

    #expect(self.outcome(of: .make(kind, id: "Cat"), in: state) == Outcome(state: state))
  }

  @Test(arguments: changes)
  func `a missing animal is not found even while an operation on it waits`(kind: ActionKind) {
    let state = AnimalsState.fetched.waiting("Dragon")

    for reduce in [AnimalsReducer.reduce, AnimalsReducer.reduceOrRefuse] {
      let outcome = self.outcome(of: .make(kind, id: "Dragon"), in: state, reduce)
      #expect(outcome == Outcome(state: state, code: .animalNotFound))
    }
  }

  @Test(arguments: changes + [.animalEditorOnTapAdd])
  func `an id that only Unicode calls equivalent to another is refused`(kind: ActionKind) {
    let state = AnimalsState.fetched.waiting("K")

    let outcome = self.outcome(
      of: .make(kind, id: "\u{212A}"), in: state, AnimalsReducer.reduceOrRefuse)

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

    let outcome = self.outcome(
      of: .make(.animalEditorOnTapAdd, id: "placeholder"), in: state, AnimalsReducer.reduceOrRefuse)

    #expect(outcome == Outcome(state: state, code: .animalIsWaiting))
  }

  @Test(arguments: changes + [.animalEditorOnTapAdd])
  func `operations on other animals do not interfere`(kind: ActionKind) {
    let outcome = self.outcome(of: .make(kind, id: "Cat"), in: .fetched.waiting("Dog", "Newt"))

    #expect(outcome == Outcome(state: .fetched.waiting("Cat", "Dog", "Newt")))
  }
}

// Operations that end.
extension AnimalsReducerTests {
  @Test func `an added animal appears under the id from its store`() {
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

  @Test func `a failed addition keeps its error under the placeholder`() {
    let outcome = self.outcome(
      of: .make(.didAddFailure, id: "placeholder"),
      in: .make(animals: [.dog], queue: ["placeholder": .waiting])
    )

    #expect(
      outcome
        == Outcome(state: .make(animals: [.dog], queue: ["placeholder": .failure(error: "Disk")]))
    )
  }

  @Test func `an updated animal replaces the old one`() {
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

  @Test func `a deleted animal is removed, and its status stays`() {
    let outcome = self.outcome(
      of: .make(.didDelete, animal: .cat),
      in: .make(animals: [.dog, .cat], queue: ["Cat": .waiting, "Dog": .waiting])
    )

    #expect(
      outcome
        == Outcome(state: .make(animals: [.dog], queue: ["Cat": .success, "Dog": .waiting]))
    )
  }

  @Test(arguments: [nil, Status.waiting])
  func `of a deletion, the animal of the answer is removed and has ended, and none waits for ever`(
    status: Status?
  ) {
    var state = AnimalsState.make(animals: [.dog, .cat])
    state.animals.queue["Cat"] = status

    let action = AnimalsAction.make(.didDelete, id: "Cat", animal: .dog)
    let outcome = self.outcome(of: action, in: state, AnimalsReducer.reduceOrRefuse)

    var expected = AnimalsState.make(animals: [.cat], queue: ["Dog": .success])
    if status != nil { expected.animals.queue["Cat"] = .success }
    #expect(outcome.code == nil)
    #expect(outcome.state.animals.data == expected.animals.data)
    #expect(outcome.state.animals.queue == expected.animals.queue)
    // The guide's reducer ends only that of the answer.
    expected.animals.queue["Cat"] = status
    #expect(self.outcome(of: action, in: state) == Outcome(state: expected))
  }

  @Test(arguments: [ActionKind.didUpdateFailure, .didDeleteFailure])
  func `a failed change keeps the animal and its error`(kind: ActionKind) {
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
  func `an operation ends even if its animal has been deleted meanwhile`(
    kind: ActionKind,
    animals: [Animal],
    status: Status
  ) {
    let state = AnimalsState.make(animals: [.dog], queue: ["Cat": .waiting])
    let action = AnimalsAction.make(kind, id: "Cat", animal: .cat)

    let outcome = self.outcome(of: action, in: state, AnimalsReducer.reduceOrRefuse)

    #expect(outcome.code == nil)
    #expect(outcome.state.animals.data == AnimalsState.make(animals: animals).animals.data)
    #expect(outcome.state.animals.queue == ["Cat": status])
    // The guide's reducer refuses it.
    #expect(self.outcome(of: action, in: state) == Outcome(state: state, code: .animalNotFound))
  }

  @Test(
    arguments: [ActionKind.didUpdate, .didUpdateFailure, .didDelete, .didDeleteFailure],
    endedStatuses
  )
  func `the result of an unknown operation on a missing animal is refused`(
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
  func `a change made elsewhere keeps other animals and running operations`(
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
  func `data read again replaces everything, and clears only a failed status`(status: Status?) {
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
