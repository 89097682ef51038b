import HashTreeCollections
import ImmutableData
import Synchronization

// Changes that others make in the store.
extension PersistentSession {
  /// The changes of the store as actions.
  nonisolated func changes(
    clock: any Clock<Duration>
  ) -> OutsideEvents<AnimalsState, AnimalsAction> {
    // The known version outlives the connection that it came from.
    let position = Mutex<(version: String?, hasFailed: Bool)>((nil, false))
    return OutsideEvents("animals.changes", clock: clock) { following in
      try await self.store.followChanges(since: position.withLock { $0.version }) {
        // After a failed change, only its success ends the outage.
        guard position.withLock({ $0.hasFailed }) == false else { return }
        following.didConnect()
      } _: { event in
        position.withLock { $0.hasFailed = true }
        if let change = event.change {
          try await self.apply(change.showable, following)
        } else {
          try await following.perform { self.readAgain($0) }
        }
        // Only now, so that a failed change is delivered again.
        position.withLock { $0 = (event.version, false) }
        following.didSucceed()
      }
    }
  }

  private nonisolated func apply(
    _ change: CatalogChange,
    _ following: Following<AnimalsState, AnimalsAction>
  ) async throws {
    // A write in progress may have been made before the change, and its result must not undo it.
    try await following.perform { state in
      guard state.isWriting(what: change) else { return nil }
      return Effect("await writes", lane: "animals.write") { _, _ in }
    }
    try await MainActor.run {
      // A fetch in progress may have missed it, even if the state does not change.
      self.didChange(change)
      guard change.isNews(to: following.store.state) else { return }
      try following.store.dispatch(action: .didChangeElsewhere(change))
    }
  }

  /// Reads everything again. It takes its turn among the writes, so that it cannot undo the result
  /// of a write in progress.
  private nonisolated func readAgain(
    _ state: AnimalsState
  ) -> Effect<AnimalsState, AnimalsAction>? {
    // A later read includes all changes.
    guard state.animals.status != nil || state.categories.status != nil else { return nil }
    let read: Effect<AnimalsState, AnimalsAction>.Thunk = self.readAgainQuery()
    return Effect("read again", lane: "animals.write") { dispatcher, selector in
      try await read(dispatcher, selector)
      // A fetch that began before may have missed it, even if the state does not change. Without a
      // read, nothing is known that could replace what a fetch brings.
      self.operations.didChangeEverything()
    }
  }

  private nonisolated func readAgainQuery<
    Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector
  >() -> Thunk<Dispatcher, Selector> {
    self.operations.query { _ in
      try await self.everything()
    } actions: { result, meanwhile, state in
      // A failure is not shown, because the windows' content may still be valid, and it is retried.
      guard case .success(let fetched) = result else { return [] }
      let (animals, categories) = state.merged(fetched, meanwhile)
      let change = CatalogChange.replaced(animals: animals, categories: categories)
      return change.isNews(to: state) ? [.didChangeElsewhere(change)] : []
    }
  }

  /// Reports a change that a fetch in progress may have missed.
  nonisolated func didChange(_ change: CatalogChange) {
    switch change {
    case .saved(let animal): self.operations.didChange([animal.id])
    case .deleted(let animalId): self.operations.didChange([animalId])
    case .replaced: self.operations.didChangeEverything()
    }
  }
}

extension AnimalsState {
  /// Whether a write in progress may change the same as a change by others.
  ///
  /// - Complexity: O(n), n operations in progress.
  fileprivate func isWriting(what change: CatalogChange) -> Bool {
    // A reload looks like a fetch, and the id of a new animal is not known yet.
    if self.isFetching || self.animals.waiting.contains(where: { self.animals.data[$0] == nil }) {
      return true
    }
    return switch change {
    case .saved(let animal): self.animals.waiting.contains(animal.id)
    case .deleted(let animalId): self.animals.waiting.contains(animalId)
    case .replaced: self.animals.waiting.isEmpty == false
    }
  }

  /// What was fetched, with what has changed meanwhile.
  func merged(
    _ fetched: (animals: [Animal], categories: [Category]),
    _ meanwhile: Meanwhile<Animal.ID>
  ) -> (animals: [Animal], categories: [Category]) {
    if meanwhile.isEverything {
      return (Array(self.animals.data.values), Array(self.categories.data.values))
    }
    let changed = self.animals.data.values(for: meanwhile.ids)
    return (meanwhile.unchanged(fetched.animals) + changed, fetched.categories)
  }
}

extension AnimalsAction {
  fileprivate static func didChangeElsewhere(_ change: CatalogChange) -> Self {
    .data(.persistentSession(.didChangeElsewhere(change)))
  }
}
