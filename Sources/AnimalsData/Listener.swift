import HashTreeCollections
public import ImmutableData

/// Performs the effects of actions: reads and writes a store, and dispatches the results.
///
/// Source: the guide, chapter AnimalsData, section Listener.
@MainActor final public class Listener<PersistentStore>: EffectListener<AnimalsState, AnimalsAction>
where PersistentStore: PersistentSessionPersistentStore {
  private let session: PersistentSession<PersistentStore>

  /// - Parameters:
  ///   - store: The store of the catalog.
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
    _ newState: () -> AnimalsState,
    _ action: AnimalsAction
  ) -> [Effect] {
    switch action {
    case .ui(let action):
      return self.effects(oldState, newState, action)
    case .data(.persistentSession(.didChangeElsewhere(let change))):
      self.session.didChange(change)
      return []
    case .data(.persistentSession):
      return []
    }
  }

  private func effects(
    _ oldState: AnimalsState,
    _ newState: () -> AnimalsState,
    _ action: AnimalsAction.UI
  ) -> [Effect] {
    let lane = "animals.write"
    func begin(
      _ name: String,
      of values: (any Sendable)? = nil,
      lane: String? = nil,
      _ status: any KeyPath<AnimalsState, Status?> & Sendable,
      _ thunk: @autoclosure () -> Effect.Thunk
    ) -> [Effect] {
      .begin(name, of: values, lane: lane, status, from: oldState, to: newState, thunk())
    }
    func write(
      _ name: String,
      of values: any Sendable,
      _ thunk: @autoclosure () -> Effect.Thunk
    ) -> [Effect] {
      guard let animalId = action.animalId else { return [] }
      return begin(name, of: values, lane: lane, \.animals.queue[animalId], thunk())
    }
    func mark(_ animalId: Animal.ID, _ mark: Animal.Mark) -> [Effect] {
      write(
        "mark", of: (animalId: animalId, mark: mark),
        self.session.mutation {
          try await $0.markAnimalMutation(animalId: animalId, mark: mark)
        } action: {
          .didMarkAnimal(animalId: animalId, result: $0)
        })
    }

    switch action {
    case .categoryList(.onAppear):
      guard oldState.categories.status == nil else { return [] }
      return begin("fetch", \.categories.status, self.session.fetchCategoriesQuery())
    case .animalList(.onAppear):
      guard oldState.animals.status == nil else { return [] }
      return begin("fetch", \.animals.status, self.session.fetchAnimalsQuery())
    case .categoryList(.onTapReloadSampleDataButton):
      guard oldState.categories.status != .waiting, newState().categories.status == .waiting else {
        return []
      }
      return begin("reload", lane: lane, \.animals.status, self.session.reloadSampleDataMutation())
    case .categoryList(.onTapRefreshButton):
      // Data that is already being fetched is not fetched again.
      switch (oldState.categories.status == .waiting, oldState.animals.status == .waiting) {
      case (false, false): return begin("fetch", \.animals.status, self.session.refreshQuery())
      case (false, true):
        return begin("fetch", \.categories.status, self.session.fetchCategoriesQuery())
      case (true, _): return begin("fetch", \.animals.status, self.session.fetchAnimalsQuery())
      }
    case .animalList(.onTapDeleteSelectedAnimalButton(let animalId)),
      .animalDetail(.onTapDeleteSelectedAnimalButton(let animalId)):
      return write(
        "delete", of: animalId, self.session.deleteAnimalMutation(animalId: animalId))
    case .animalList(.onTapRestoreAnimalButton(let animal)):
      return write(
        "restore", of: animal,
        self.session.mutation {
          try await $0.restoreAnimalMutation(animal)
        } action: {
          .didAddAnimal(id: animal.id, result: $0)
        })
    case .animalList(.onTapFavoriteButton(let animalId, let isFavorite)),
      .animalDetail(.onTapFavoriteButton(let animalId, let isFavorite)):
      return mark(animalId, .favorite(isFavorite))
    case .animalDetail(.onChoosePicture(let animalId, let picture)):
      return mark(animalId, .picture(picture))
    case .animalList(.onTapMoveButton(let animalId, let after, let before)):
      guard let position = oldState.animals.data.position(after: after, before: before) else {
        return []
      }
      return mark(animalId, .position(position))
    case .animalList(.onTapUndoMoveButton(let animalId, let position)):
      return mark(animalId, .position(position))
    case .animalEditor(.onTapAddAnimalButton(let id, let name, let diet, let categoryId)):
      return write(
        "add", of: (id: id, name: name, diet: diet, categoryId: categoryId),
        self.session.addAnimalMutation(id: id, name: name, diet: diet, categoryId: categoryId))
    case .animalEditor(.onTapUpdateAnimalButton(let id, let name, let diet, let categoryId)):
      return write(
        "update", of: (id: id, name: name, diet: diet, categoryId: categoryId),
        self.session.updateAnimalMutation(
          animalId: id, name: name, diet: diet, categoryId: categoryId))
    case .animalEditor(.onTapSaveChangesButton(let id, let changes)):
      guard let animal = oldState.animals.data[id] else { return [] }
      return write(
        "update", of: (animal: animal, changes: changes),
        self.session.mutation {
          try await $0.updateAnimalMutation(animal, changes: changes)
        } action: {
          .didUpdateAnimal(animalId: id, result: $0)
        })
    case .categoryList(.onTapDismissFailureButton), .animalList(.onTapDismissFailureButton):
      return []
    }
  }
}
