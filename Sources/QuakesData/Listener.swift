public import Foundation
import HashTreeCollections
public import ImmutableData

/// Performs the effects of actions: reads and writes the stores, and dispatches the results.
///
/// Source: the guide, chapter QuakesData, section Listener.
@MainActor
final public class Listener<LocalStore, RemoteStore>: EffectListener<
  QuakesState, QuakesAction
>
where LocalStore: PersistentSessionLocalStore, RemoteStore: PersistentSessionRemoteStore {
  private let session: PersistentSession<LocalStore, RemoteStore>
  /// The newest write, if it deletes everything.
  private var pendingDeletion: PendingDeletion?

  /// - Parameters:
  ///   - localStore: The store that keeps the quakes.
  ///   - remoteStore: The source of the quakes.
  ///   - lanes: Where effects run: writes to the local store one after another, in the order of
  ///     their actions, and refreshes concurrently with them; `nil`: each effect is awaited before
  ///     the next, as in the guide.
  ///   - schedule: The schedule for automatic refreshes; `nil`: there are none.
  ///   - refreshInterval: The minimum time between the starts of two requested refreshes. An
  ///     earlier request waits.
  ///   - now: The current time, which determines how far back a scheduled refresh must go.
  public init(
    localStore: LocalStore,
    remoteStore: RemoteStore,
    lanes: EffectLanes? = nil,
    schedule: Schedule? = nil,
    refreshInterval: Duration = .zero,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    let session = PersistentSession(
      localStore: localStore,
      remoteStore: remoteStore,
      refreshInterval: refreshInterval,
      now: now
    )
    self.session = session
    super.init(
      lanes: lanes,
      label: "QuakesData",
      outside: [session.changes()] + (schedule.map { [session.refreshes(on: $0)] } ?? [])
    )
  }

  public override func interrupted(in state: QuakesState) -> [QuakesAction] {
    guard state.quakes.status == .waiting else { return [] }
    let failure = OperationFailure.interruption
    return [
      .data(.persistentSession(.remoteStore(.didFetchQuakes(result: .failure(error: failure)))))
    ]
  }

  public override func effects(
    _ oldState: QuakesState,
    _ newState: () -> QuakesState,
    _ action: QuakesAction
  ) -> [Effect] {
    func fetch(
      _ name: String,
      of values: (any Sendable)? = nil,
      lane: String? = nil,
      _ thunk: @autoclosure () -> Effect.Thunk
    ) -> [Effect] {
      .begin(name, of: values, lane: lane, \.quakes.status, from: oldState, to: newState, thunk())
    }
    // A requested refresh replaces a scheduled one, so that two never run at the same time.
    func refresh(of feed: any Sendable, _ thunk: @autoclosure () -> Effect.Thunk) -> [Effect] {
      let effects = fetch("quakes.refresh", of: feed, thunk())
      if effects.isEmpty == false {
        self.session.willRefresh()
        self.cancel("quakes.scheduled")
      }
      return effects
    }
    func write(
      _ name: String,
      of values: (any Sendable)? = nil,
      _ thunk: @escaping Effect.Thunk
    ) -> [Effect] {
      self.pendingDeletion = nil
      return [Effect(name, of: values, lane: "quakes.write", thunk)]
    }

    switch action {
    case .ui(.quakeList(.onAppear)):
      guard oldState.quakes.status == nil else { return [] }
      // In the lane of the writes, so that a change by others is read after it.
      return fetch("quakes.fetch", lane: "quakes.write", self.session.fetchLocalQuakesQuery())
    case .ui(.quakeList(.onTapRefreshQuakesButton(let range))):
      return refresh(
        of: range, self.session.fetchRemoteQuakesQuery(range: range, since: oldState))
    case .ui(.quakeList(.onTapLoadSampleButton)):
      return refresh(of: "sample", self.session.fetchSampleQuakesQuery(since: oldState))
    case .ui(.quakeList(.onTapCancelRefreshButton)):
      self.cancel("quakes.refresh")
      return []
    case .ui(.quakeList(.onTapDismissFailureButton)):
      return []
    case .ui(.quakeList(.onTapDeleteSelectedQuakeButton(let quakeId))):
      return write(
        "delete", of: quakeId,
        self.session.deleteLocalQuakeMutation(quakeId: quakeId, isReported: true))
    case .ui(.quakeList(.onTapRestoreQuakeButton(let quake))):
      guard oldState.quakes.data[quake.id] == nil else { return [] }
      return write(
        "restore", of: [quake],
        self.session.saveMutation(
          QuakesState.Quakes.Changes(inserted: [quake]), ids: [quake.id], isReported: true))
    case .ui(.quakeList(.onTapRestoreQuakesButton(let deletion))):
      guard oldState.quakes.deletion.number == deletion,
        oldState.quakes.deletion.table.isEmpty == false
      else { return [] }
      if oldState.quakes.restoresAll, self.pendingDeletion?.undo() == true {
        return write("restore", of: deletion) { _, _ in }
      }
      return write(
        "restore", of: deletion, self.session.restoreMutation(of: deletion, in: oldState))
    case .ui(.quakeList(.onTapDeleteAllQuakesButton)):
      // Deleting nothing once more is undone together with the deletion before it.
      let earlier = oldState.quakes.data.isEmpty ? self.pendingDeletion : nil
      let deletion = earlier ?? PendingDeletion()
      let delete: Effect.Thunk = self.session.deleteLocalQuakesMutation(isReported: true)
      let effects = write("delete") { dispatcher, selector in
        guard deletion.begin() else { return }
        try await delete(dispatcher, selector)
      }
      self.pendingDeletion = deletion
      return effects
    case .data(.persistentSession(.localStore(.didFailToDeleteQuakes(let error)))):
      // In the lane of the writes, so that earlier deletions have been written.
      return write("fetch again", of: error, self.session.fetchLocalQuakesAgainQuery(after: error))
    case .data(.persistentSession(.remoteStore(.didFetchQuakes(.success(let quakes))))):
      let refresh = PreparedQuakes.current.refresh(of: oldState.quakes, by: quakes)
      PreparedQuakes.current.forget(quakes)
      func save(_ changes: QuakesState.Quakes.Changes, _ ids: Set<Quake.ID>) -> [Effect] {
        write(
          "save", of: changes, self.session.saveMutation(changes, ids: ids, isReported: true))
      }
      // A large feed must not occupy the main actor.
      if quakes.isLarge, refresh.table == newState().quakes.table {
        return save(refresh.changes, refresh.ids)
      }
      // As in the guide, the store is asked about each quake.
      var next = oldState
      let changes = oldState.quakes.changes(among: quakes) { quakeId in
        next = newState()
        return next.quakes.data[quakeId]
      }
      guard quakes.isEmpty || refresh.table == next.quakes.table else {
        // The store has another reducer. What it has changed is saved, as in the guide.
        return save(changes, changes.ids)
      }
      return save(refresh.changes, refresh.ids)
    case .data(.persistentSession(.localStore(.didFetchQuakes(.success(let quakes))))):
      PreparedQuakes.current.forget(quakes)
      return []
    case .data(.persistentSession(.localStore(.didFetchQuakes(.failure)))),
      .data(.persistentSession(.localStore(.didFailToSaveQuakes))),
      .data(.persistentSession(.localStore(.didFetchQuakesAgain))),
      .data(.persistentSession(.localStore(.didChangeElsewhere))),
      .data(.persistentSession(.remoteStore(.didFetchQuakes(.failure)))),
      .data(.persistentSession(.remoteStore(.didSkipFeatures))),
      .data(.persistentSession(.remoteStore(.didFetchEverything))):
      return []
    }
  }
}
