import HashTreeCollections
public import ImmutableData

/// Performs the effects of actions: reads and writes a store, and dispatches the results.
///
/// Source: the guide, chapter AnimalsData, section Listener.
@MainActor final public class Listener<PersistentStore>: EffectListener<AnimalsState, AnimalsAction>
where PersistentStore: PersistentSessionPersistentStore {
  private let session: PersistentSession<PersistentStore>

  /// - Parameters:
  ///   - store: The store of the catalogue.
  ///   - lanes: Where effects run: writes one after another, in the order of their actions, and
  ///     reads concurrently with them; `nil`: each effect is awaited before the next, as in the
  ///     guide.
  ///   - clock: Measures the pauses after a failure to follow the changes of the store.
  public init(
    store: PersistentStore,
    lanes: EffectLanes? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    let session = PersistentSession(store: store)
    self.session = session
    super.init(lanes: lanes, label: "AnimalsData", outside: [session.changes(clock: clock)])
  }

  public override func interrupted(in state: AnimalsState) -> [AnimalsAction] {
    let error = OperationFailure.interruption
    var actions: [AnimalsAction.Data.PersistentSession] = []
    if state.categories.status == .waiting {
      actions.append(.didFetchCategories(result: .failure(error: error)))
    }
    if state.animals.status == .waiting {
      actions.append(.didFetchAnimals(result: .failure(error: error)))
    }
    for (id, status) in state.animals.queue where status == .waiting {
      actions.append(
        state.animals.data[id] == nil
          ? .didAddAnimal(id: id, result: .failure(error: error))
          : .didUpdateAnimal(animalId: id, result: .failure(error: error)))
    }
    return actions.map { .data(.persistentSession($0)) }
  }

  public override func effects(
    _ oldState: AnimalsState,
    _ state: AnimalsState,
    _ action: AnimalsAction
  ) -> [Effect] {
    func begin(
      _ name: String,
      lane: String? = nil,
      _ status: any KeyPath<AnimalsState, Status?> & Sendable,
      _ thunk: @autoclosure () -> Effect.Thunk
    ) -> [Effect] {
      .begin(name, lane: lane, status, from: oldState, to: state, thunk())
    }
    let write = "animals.write"

    switch action {
    case .ui(.categoryList(.onAppear)):
      guard oldState.categories.status == nil else { return [] }
      return begin("fetch", \.categories.status, session.fetchCategoriesQuery())
    case .ui(.animalList(.onAppear)):
      guard oldState.animals.status == nil else { return [] }
      return begin("fetch", \.animals.status, session.fetchAnimalsQuery())
    case .ui(.categoryList(.onTapReloadSampleDataButton)):
      guard oldState.categories.status != .waiting, state.categories.status == .waiting else {
        return []
      }
      return begin("reload", lane: write, \.animals.status, session.reloadSampleDataMutation())
    case .ui(.categoryList(.onTapRefreshButton)):
      // Data that is already being fetched is not fetched again.
      switch (oldState.categories.status == .waiting, oldState.animals.status == .waiting) {
      case (false, false): return begin("fetch", \.animals.status, session.refreshQuery())
      case (false, true):
        return begin("fetch", \.categories.status, session.fetchCategoriesQuery())
      case (true, _): return begin("fetch", \.animals.status, session.fetchAnimalsQuery())
      }
    case .ui(.animalList(.onTapDeleteSelectedAnimalButton(let animalId))),
      .ui(.animalDetail(.onTapDeleteSelectedAnimalButton(let animalId))):
      let thunk: Effect.Thunk = session.deleteAnimalMutation(animalId: animalId)
      return begin("delete", lane: write, \.animals.queue[animalId], thunk)
    case .ui(.animalList(.onTapRestoreAnimalButton(let animal))):
      let thunk: Effect.Thunk = session.restoreAnimalMutation(animal)
      return begin("restore", lane: write, \.animals.queue[animal.id], thunk)
    case .ui(.animalList(.onTapFavoriteButton(let animalId, let isFavorite))),
      .ui(.animalDetail(.onTapFavoriteButton(let animalId, let isFavorite))):
      let thunk: Effect.Thunk = session.markAnimalMutation(
        animalId: animalId, mark: .favorite(isFavorite))
      return begin("mark", lane: write, \.animals.queue[animalId], thunk)
    case .ui(.animalDetail(.onChoosePicture(let animalId, let picture))):
      let thunk: Effect.Thunk = session.markAnimalMutation(
        animalId: animalId, mark: .picture(picture))
      return begin("mark", lane: write, \.animals.queue[animalId], thunk)
    case .ui(.animalList(.onTapMoveButton(let animalId, let after, let before))):
      guard let position = oldState.position(after: after, before: before) else { return [] }
      let thunk: Effect.Thunk = session.markAnimalMutation(
        animalId: animalId, mark: .position(position))
      return begin("mark", lane: write, \.animals.queue[animalId], thunk)
    case .ui(.animalEditor(.onTapAddAnimalButton(let id, let name, let diet, let categoryId))):
      let thunk: Effect.Thunk = session.addAnimalMutation(
        id: id, name: name, diet: diet, categoryId: categoryId)
      return begin("add", lane: write, \.animals.queue[id], thunk)
    case .ui(.animalEditor(.onTapUpdateAnimalButton(let id, let name, let diet, let categoryId))):
      let thunk: Effect.Thunk = session.updateAnimalMutation(
        animalId: id, name: name, diet: diet, categoryId: categoryId)
      return begin("update", lane: write, \.animals.queue[id], thunk)
    case .ui(.animalEditor(.onTapSaveChangesButton(let id, let changes))):
      let thunk: Effect.Thunk = session.updateAnimalMutation(animalId: id, changes: changes)
      return begin("update", lane: write, \.animals.queue[id], thunk)
    case .ui(.categoryList(.onTapDismissFailureButton)),
      .ui(.animalList(.onTapDismissFailureButton)):
      return []
    case .data(.persistentSession(.didChangeElsewhere(let change))):
      session.didChange(change.animalIds(in: oldState))
      return []
    case .data(.persistentSession(.didFetchCategories)),
      .data(.persistentSession(.didFetchAnimals)),
      .data(.persistentSession(.didReloadSampleData)), .data(.persistentSession(.didRefresh)),
      .data(.persistentSession(.didAddAnimal)), .data(.persistentSession(.didUpdateAnimal)),
      .data(.persistentSession(.didMarkAnimal)), .data(.persistentSession(.didDeleteAnimal)):
      return []
    }
  }
}
