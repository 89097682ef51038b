import ImmutableData
import Synchronization

// Changes that others make in the store.
extension PersistentSession {
  /// The changes of the store as actions.
  nonisolated func changes(
    clock: any Clock<Duration>
  ) -> OutsideEvents<AnimalsState, AnimalsAction> {
    // The known version outlives the connection that it came from.
    let version = Mutex<String?>(nil)
    return OutsideEvents("animals.changes", clock: clock) { following in
      try await self.store.followChanges(since: version.withLock { $0 }) { event in
        if let change = event.change {
          try await Self.apply(change.showable, following)
        } else {
          try await following.perform { self.readAgain($0) }
        }
        // Only now, so that a failed change is delivered again.
        version.withLock { $0 = event.version }
        following.didSucceed()
      }
    }
  }

  @MainActor private static func apply(
    _ change: CatalogueChange,
    _ following: Following<AnimalsState, AnimalsAction>
  ) throws {
    guard change.isNews(to: following.store.state) else { return }
    try following.store.dispatch(action: .didChangeElsewhere(change))
  }

  /// Reads everything again. It takes its turn among the writes, so that it cannot undo the result
  /// of a write in progress.
  private nonisolated func readAgain(
    _ state: AnimalsState
  ) -> Effect<AnimalsState, AnimalsAction>? {
    // A later read includes all changes.
    guard state.animals.status != nil || state.categories.status != nil else { return nil }
    return Effect("read again", lane: "animals.write", self.readAgainQuery())
  }

  private nonisolated func readAgainQuery<
    Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector
  >() -> Thunk<Dispatcher, Selector> {
    self.operations.query { _ in
      try await self.everything()
    } actions: { result, meanwhile, state in
      // A failure is not shown, because the windows' content may still be valid, and it is retried.
      guard case .success(let fetched) = result else { return [] }
      let change = CatalogueChange.replaced(
        animals: meanwhile.unchanged(fetched.animals)
          + state.animals.data.values(for: meanwhile.ids),
        categories: fetched.categories
      )
      return change.isNews(to: state) ? [.didChangeElsewhere(change)] : []
    }
  }

  /// Reports the changes of the state that a fetch in progress may have missed.
  nonisolated func didChange(_ animalIds: [Animal.ID]) {
    self.operations.didChange(animalIds)
  }
}

extension AnimalsAction {
  fileprivate static func didChangeElsewhere(_ change: CatalogueChange) -> Self {
    .data(.persistentSession(.didChangeElsewhere(change)))
  }
}
