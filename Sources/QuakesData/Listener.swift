import HashTreeCollections
public import ImmutableData
import Logging

/// Does what actions call for: reads and writes the stores, and dispatches what came of it.
///
/// Source: the guide, chapter QuakesData, section Listener.
@MainActor final public class Listener<LocalStore, RemoteStore>
where LocalStore: PersistentSessionLocalStore, RemoteStore: PersistentSessionRemoteStore {
  private let session: PersistentSession<LocalStore, RemoteStore>
  private let effects: EffectRunner
  private weak var store: AnyObject?
  private var task: Task<Void, any Error>?

  /// A listener that awaits each effect before it looks at the next action, as the guide has it.
  ///
  /// - Parameters:
  ///   - localStore: Where the quakes are kept.
  ///   - remoteStore: Where they come from.
  public convenience init(
    localStore: LocalStore,
    remoteStore: RemoteStore
  ) {
    self.init(localStore: localStore, remoteStore: remoteStore, lanes: nil)
  }

  /// A listener that runs its effects beside the actions: what is written to the local store one after
  /// the other, in the order of their actions, and fetches beside that.
  ///
  /// - Parameters:
  ///   - localStore: Where the quakes are kept.
  ///   - remoteStore: Where they come from.
  ///   - lanes: Where effects run; `nil`: each is awaited.
  public init(
    localStore: LocalStore,
    remoteStore: RemoteStore,
    lanes: EffectLanes?
  ) {
    self.session = PersistentSession(localStore: localStore, remoteStore: remoteStore)
    let logger = Logger(label: "QuakesData")
    self.effects = EffectRunner(lanes: lanes, writingIn: "quakes.write") { error in
      logger.error("An effect has failed", metadata: ["error": "\(error)"])
    }
  }

  deinit {
    self.task?.cancel()
  }
}

extension Listener {
  /// Listens from now on; to another store than before, instead of that.
  ///
  /// - Parameter store: Whose actions call for effects, and where those dispatch.
  public func listen(
    to store: some ImmutableData.Dispatcher<QuakesState, QuakesAction>
      & ImmutableData.Selector<QuakesState>
      & ImmutableData.Streamer<QuakesState, QuakesAction>
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
    from store: some ImmutableData.Dispatcher<QuakesState, QuakesAction>
      & ImmutableData.Selector<QuakesState>,
    oldState: QuakesState,
    action: QuakesAction
  ) async {
    switch action {
    case .ui(.quakeList(let action)):
      await self.onReceive(from: store, oldState: oldState, action: action)
    case .data(.persistentSession(.localStore(let action))):
      await self.onReceive(from: store, action: action)
    case .data(.persistentSession(.remoteStore(let action))):
      await self.onReceive(from: store, oldState: oldState, action: action)
    }
  }

  /// A fetch is called for if the status has just become waiting, which only its end changes, or
  /// what is read again after it.
  private func onReceive(
    from store: some ImmutableData.Dispatcher<QuakesState, QuakesAction>
      & ImmutableData.Selector<QuakesState>,
    oldState: QuakesState,
    action: QuakesAction.UI.QuakeList
  ) async {
    let isWaiting = store.state.quakes.status == .waiting

    switch action {
    case .onAppear:
      if oldState.quakes.status == nil, isWaiting {
        await self.effects.read(store, self.session.fetchLocalQuakesQuery())
      }
    case .onTapRefreshQuakesButton(let range):
      if oldState.quakes.status != .waiting, isWaiting {
        await self.effects.read(store, self.session.fetchRemoteQuakesQuery(range: range))
      }
    case .onTapLoadSampleButton:
      if oldState.quakes.status != .waiting, isWaiting {
        await self.effects.read(store, self.session.fetchSampleQuakesQuery())
      }
    case .onTapDeleteSelectedQuakeButton(let quakeId):
      await self.effects.write(store, self.session.deleteLocalQuakeMutation(quakeId: quakeId))
    case .onTapDeleteAllQuakesButton:
      await self.effects.write(store, self.session.deleteLocalQuakesMutation())
    }
  }

  private func onReceive(
    from store: some ImmutableData.Dispatcher<QuakesState, QuakesAction>
      & ImmutableData.Selector<QuakesState>,
    action: QuakesAction.Data.PersistentSession.LocalStore
  ) async {
    switch action {
    // Among the writes: what was deleted before this action is then written, and what is deleted after
    // it is not, which the state remembers.
    case .didFailToDeleteQuakes(let error):
      await self.effects.write(store, self.session.fetchLocalQuakesAgainQuery(after: error))
    case .didMissQuakes:
      await self.effects.write(store, self.session.fetchLocalQuakesAgainQuery(after: nil))
    case .didFetchQuakes, .didFailToSaveQuakes, .didFetchQuakesAgain:
      break
    }
  }

  private func onReceive(
    from store: some ImmutableData.Dispatcher<QuakesState, QuakesAction>
      & ImmutableData.Selector<QuakesState>,
    oldState: QuakesState,
    action: QuakesAction.Data.PersistentSession.RemoteStore
  ) async {
    switch action {
    case .didFetchQuakes(.success(let quakes)):
      let changes = oldState.quakes.changes(by: quakes)
      await self.effects.write(
        store,
        self.session.didFetchRemoteQuakesMutation(
          inserted: changes.inserted,
          updated: changes.updated,
          deleted: changes.deleted
        )
      )
    case .didFetchQuakes(.failure), .didSkipFeatures:
      break
    }
  }
}
