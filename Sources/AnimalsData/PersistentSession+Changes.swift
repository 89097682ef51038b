import ImmutableData
import Synchronization

// What others do in the store.
extension PersistentSession {
  /// The changes of the store as actions.
  nonisolated func changes(
    clock: any Clock<Duration>
  ) -> OutsideEvents<AnimalsState, AnimalsAction> {
    // What is known outlives the connection that it came by.
    let version = Mutex<String?>(nil)
    return OutsideEvents("animals.changes", clock: clock) { following in
      try await self.store.followChanges(since: version.withLock { $0 }) { event in
        if let change = event.change {
          if let change = change.cleaned { try await Self.apply(change, following) }
        } else {
          try await following.perform { self.readAgain($0) }
        }
        // Only now: whatever has failed is told again.
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

  /// Reads everything again. It takes its turn among the writes, so that none of ours is under way
  /// whose result would be undone.
  private nonisolated func readAgain(
    _ state: AnimalsState
  ) -> Effect<AnimalsState, AnimalsAction>? {
    // What is read later has every change.
    guard state.animals.status != nil || state.categories.status != nil else { return nil }
    return Effect("read again", lane: "animals.write", self.readAgainQuery())
  }

  private nonisolated func readAgainQuery<
    Dispatcher: AnimalsDispatcher, Selector: AnimalsSelector
  >() -> Thunk<Dispatcher, Selector> {
    self.operations.query { _ in
      try await self.everything()
    } actions: { result, meanwhile, state in
      // A failure shows to nobody: what windows show may be as it is, and it is tried again.
      guard case .success(let fetched) = result else { return [] }
      let change = CatalogueChange.replaced(
        animals: meanwhile.unchanged(fetched.animals)
          + state.animals.data.values(for: meanwhile.ids),
        categories: fetched.categories
      )
      return change.isNews(to: state) ? [.didChangeElsewhere(change)] : []
    }
  }

  /// Says what the state has changed, which a fetch that is under way may not have seen.
  nonisolated func didChange(_ animalIds: [Animal.ID]) {
    self.operations.didChange(animalIds)
  }
}

extension AnimalsAction {
  fileprivate static func didChangeElsewhere(_ change: CatalogueChange) -> Self {
    .data(.persistentSession(.didChangeElsewhere(change)))
  }
}
