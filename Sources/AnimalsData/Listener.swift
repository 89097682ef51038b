import HashTreeCollections
public import ImmutableData
import Logging

/// Does what actions call for: reads and writes a store, and dispatches what came of it.
///
/// Source: the guide, chapter AnimalsData, section Listener.
@MainActor final public class Listener<PersistentStore>
where PersistentStore: PersistentSessionPersistentStore {
  private let session: PersistentSession<PersistentStore>
  private let effects: EffectRunner
  private let logger: Logger
  private weak var store: AnyObject?
  private var task: Task<Void, any Error>?
  /// What has ended and is still remembered, oldest first.
  private var ended: [Animal.ID] = []

  /// A listener that awaits each effect before it looks at the next action, as the guide has it.
  ///
  /// - Parameter store: Where the catalogue is kept.
  public convenience init(store: PersistentStore) {
    self.init(store: store, lanes: nil)
  }

  /// A listener that runs its effects beside the actions: writes one after the other, in the order of
  /// their actions, and reads beside them.
  ///
  /// - Parameters:
  ///   - store: Where the catalogue is kept.
  ///   - lanes: Where effects run; `nil`: each is awaited.
  public init(store: PersistentStore, lanes: EffectLanes?) {
    self.session = PersistentSession(store: store)
    let logger = Logger(label: "AnimalsData")
    self.effects = EffectRunner(lanes: lanes, writingIn: "animals.write") { error in
      logger.error("An effect has failed", metadata: ["error": "\(error)"])
    }
    self.logger = logger
  }

  deinit {
    self.task?.cancel()
  }
}

extension Listener {
  /// How many operations that have ended are remembered with their status, at least; at twice as
  /// many the oldest are forgotten.
  public nonisolated static var statusLimit: Int { 1_000 }

  /// Listens from now on; to another store than before, instead of that.
  ///
  /// - Parameter store: Whose actions call for effects, and where those dispatch.
  public func listen(
    to store: some ImmutableData.Dispatcher<AnimalsState, AnimalsAction>
      & ImmutableData.Selector<AnimalsState>
      & ImmutableData.Streamer<AnimalsState, AnimalsAction>
      & AnyObject
  ) {
    guard self.store !== store else { return }
    self.store = store
    let stream = store.makeStream()
    self.task?.cancel()
    self.task = Task { [weak self] in
      for try await (oldState, action) in stream {
        guard let self else { return }
        await self.onReceive(from: store, oldState: oldState, action: action)
      }
    }
  }
}

extension Listener {
  private func onReceive(
    from store: some ImmutableData.Dispatcher<AnimalsState, AnimalsAction>
      & ImmutableData.Selector<AnimalsState>,
    oldState: AnimalsState,
    action: AnimalsAction
  ) async {
    switch action {
    case .ui(let action):
      await self.onReceive(from: store, oldState: oldState, action: action)
    case .data(.persistentSession(let action)):
      self.onReceive(from: store, action: action)
    }
  }

  /// An effect is called for if its status has just become waiting, which only its end changes.
  private func onReceive(
    from store: some ImmutableData.Dispatcher<AnimalsState, AnimalsAction>
      & ImmutableData.Selector<AnimalsState>,
    oldState: AnimalsState,
    action: AnimalsAction.UI
  ) async {
    let state = store.state
    let begins = { (status: (AnimalsState) -> Status?) in
      status(oldState) != .waiting && status(state) == .waiting
    }
    let beginsOn = { (id: Animal.ID) in begins { $0.animals.queue[id] } }

    switch action {
    case .categoryList(.onAppear):
      if oldState.categories.status == nil, begins({ $0.categories.status }) {
        await self.effects.read(store, self.session.fetchCategoriesQuery())
      }
    case .categoryList(.onTapReloadSampleDataButton):
      if begins({ $0.categories.status }), begins({ $0.animals.status }) {
        await self.effects.write(store, self.session.reloadSampleDataMutation())
      }
    case .categoryList(.onTapRefreshButton):
      switch (begins { $0.categories.status }, begins { $0.animals.status }) {
      case (true, true): await self.effects.read(store, self.session.refreshQuery())
      case (true, false): await self.effects.read(store, self.session.fetchCategoriesQuery())
      case (false, true): await self.effects.read(store, self.session.fetchAnimalsQuery())
      case (false, false): break
      }
    case .animalList(.onAppear):
      if oldState.animals.status == nil, begins({ $0.animals.status }) {
        await self.effects.read(store, self.session.fetchAnimalsQuery())
      }
    case .animalList(.onTapDeleteSelectedAnimalButton(let animalId)),
      .animalDetail(.onTapDeleteSelectedAnimalButton(let animalId)):
      if beginsOn(animalId) {
        await self.effects.write(store, self.session.deleteAnimalMutation(animalId: animalId))
      }
    case .animalEditor(.onTapAddAnimalButton(let id, let name, let diet, let categoryId)):
      if beginsOn(id) {
        await self.effects.write(
          store,
          self.session.addAnimalMutation(
            id: id,
            name: name,
            diet: diet,
            categoryId: categoryId
          )
        )
      }
    case .animalEditor(
      .onTapUpdateAnimalButton(let animalId, let name, let diet, let categoryId)
    ):
      if beginsOn(animalId) {
        await self.effects.write(
          store,
          self.session.updateAnimalMutation(
            animalId: animalId,
            name: name,
            diet: diet,
            categoryId: categoryId
          )
        )
      }
    }
  }

  /// Keeps statuses from piling up: the oldest are forgotten once there are too many.
  private func onReceive(
    from store: some ImmutableData.Dispatcher<AnimalsState, AnimalsAction>,
    action: AnimalsAction.Data.PersistentSession
  ) {
    switch action {
    case .didAddAnimal(let animalId, result: _),
      .didUpdateAnimal(let animalId, result: _),
      .didDeleteAnimal(let animalId, result: _):
      self.ended.append(animalId)
    case .didFetchCategories, .didFetchAnimals, .didReloadSampleData, .didRefresh,
      .didExpireStatuses:
      break
    }
    // In batches: each is an action of its own.
    guard self.ended.count >= 2 * Self.statusLimit else { return }
    let oldest = self.ended.prefix(Self.statusLimit)
    self.ended.removeFirst(Self.statusLimit)
    let newer = Set(self.ended)
    let expired = oldest.filter { newer.contains($0) == false }
    do {
      try store.dispatch(
        action: .data(.persistentSession(.didExpireStatuses(animalIds: expired)))
      )
    } catch {
      self.logger.error("An action was refused", metadata: ["error": "\(error)"])
    }
  }
}
