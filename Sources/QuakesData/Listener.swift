public import ImmutableData
import Logging

/// Does what actions call for: reads and writes the stores, and dispatches what came of it.
///
/// Source: the guide, chapter QuakesData, section Listener.
@MainActor final public class Listener<LocalStore, RemoteStore>
where LocalStore: PersistentSessionLocalStore, RemoteStore: PersistentSessionRemoteStore {
  private typealias Effect = ImmutableData.Effect<QuakesState, QuakesAction>

  private let session: PersistentSession<LocalStore, RemoteStore>
  private let lanes: EffectLanes
  private weak var store: AnyObject?
  private var listening: Listening?

  /// - Parameters:
  ///   - localStore: Where the quakes are kept.
  ///   - remoteStore: Where they come from.
  ///   - lanes: Where effects run: what is written to the local store one after the other, in the order
  ///     of their actions, and fetches beside that; `nil`: each effect is awaited before the next, as the
  ///     guide has it.
  public init(
    localStore: LocalStore,
    remoteStore: RemoteStore,
    lanes: EffectLanes? = nil
  ) {
    self.session = PersistentSession(localStore: localStore, remoteStore: remoteStore)
    self.lanes = lanes ?? EffectLanes(isSerial: true)
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
    let logger = Logger(label: "QuakesData")
    self.listening = self.lanes.listen(to: store) { error in
      logger.error("An effect has failed", metadata: ["error": "\(error)"])
    } effects: { [weak self] oldState, state, action in
      self?.effects(oldState, state, action) ?? []
    }
  }
}

extension Listener {
  private func effects(
    _ oldState: QuakesState,
    _ state: QuakesState,
    _ action: QuakesAction
  ) -> [Effect] {
    /// A fetch is called for if the status has just become waiting, which only its end changes.
    func fetch(_ thunk: @autoclosure () -> Effect.Thunk) -> [Effect] {
      guard oldState.quakes.status != .waiting, state.quakes.status == .waiting else { return [] }
      return [Effect("fetch", while: { $0.quakes.status == .waiting }, thunk())]
    }
    func write(_ name: String, _ thunk: @escaping Effect.Thunk) -> [Effect] {
      [Effect(name, lane: "quakes.write", thunk)]
    }
    let session = self.session

    switch action {
    case .ui(.quakeList(.onAppear)):
      return fetch(session.fetchLocalQuakesQuery())
    case .ui(.quakeList(.onTapRefreshQuakesButton(let range))):
      return fetch(session.fetchRemoteQuakesQuery(range: range))
    case .ui(.quakeList(.onTapLoadSampleButton)):
      return fetch(session.fetchSampleQuakesQuery())
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton(let quakeId))):
      return write("delete", session.deleteLocalQuakeMutation(quakeId: quakeId))
    case .ui(.quakeList(.onTapDeleteAllQuakesButton)):
      session.willDeleteAll(of: oldState)
      return write("delete", session.deleteLocalQuakesMutation())
    case .data(.persistentSession(.localStore(.didFailToDeleteQuakes(let error)))):
      // Among the writes: what is deleted before this action is then written.
      return write("fetch again", session.fetchLocalQuakesAgainQuery(after: error))
    case .data(.persistentSession(.remoteStore(.didFetchQuakes(.success(let quakes))))):
      let changes = oldState.quakes.changes(by: quakes)
      return write(
        "save",
        session.didFetchRemoteQuakesMutation(
          inserted: changes.inserted,
          updated: changes.updated,
          deleted: changes.deleted
        )
      )
    case .data(.persistentSession(.localStore(.didFetchQuakes))),
      .data(.persistentSession(.localStore(.didFailToSaveQuakes))),
      .data(.persistentSession(.localStore(.didFetchQuakesAgain))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(.failure)))),
      .data(.persistentSession(.remoteStore(.didSkipFeatures))):
      return []
    }
  }
}
