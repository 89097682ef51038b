import DatabaseFiles
import Foundation
import HashTreeCollections
import ImmutableData
import SampleFeeds
import Services
import Synchronization

typealias QuakesDispatcher = ImmutableData.Dispatcher<QuakesState, QuakesAction>
typealias QuakesSelector = ImmutableData.Selector<QuakesState>

/// Makes the thunks that work on the stores and dispatch the results.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
final actor PersistentSession<LocalStore, RemoteStore>
where LocalStore: PersistentSessionLocalStore, RemoteStore: PersistentSessionRemoteStore {
  /// A unit of asynchronous work on the stores.
  typealias Thunk<Dispatcher, Selector> = @Sendable (Dispatcher, Selector) async throws -> Void

  /// The results of scheduled refreshes.
  nonisolated let seen = Mutex(SeenFeeds())
  let localStore: LocalStore
  private let remoteStore: RemoteStore
  private let pace: Pace
  let now: @Sendable () -> Date
  let operations = Operations<Quake.ID> { error in
    switch error {
    case let error as LocalStoreError: error.visitorMessage
    case let error as RemoteStoreError: error.visitorMessage
    case let error as NetworkSessionError:
      error.visitorMessage(from: "The source of the earthquakes")
    default: nil
    }
  }
  /// The quakes that the local store could not save. The next refresh would not save them, because
  /// the state already has them.
  private(set) var unsaved: [Quake.ID: Quake] = [:]
  /// Whether the local store may have quakes that the state lacks, because it could not be read.
  private var isUnread = false

  init(
    localStore: LocalStore,
    remoteStore: RemoteStore,
    refreshInterval: Duration = .zero,
    now: @escaping @Sendable () -> Date = { .now }
  ) {
    self.localStore = localStore
    self.remoteStore = remoteStore
    self.pace = Pace(refreshInterval)
    self.now = now
  }
}

// Queries.
extension PersistentSession {
  nonisolated func fetchLocalQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query { _ in
      try await self.readLocalStore()
    } seeing: { (selector: Selector, result, _) -> QuakesState? in
      // The guide's thunks do not select.
      if case .success(let quakes) = result, quakes.isLarge { selector.state } else { nil }
    } actions: { result, meanwhile, state in
      switch result {
      case .success(let quakes):
        .fetchedLocally(meanwhile.unchanged(quakes), in: state) + .failures(meanwhile)
      case .failure(let failure):
        .local(.didFetchQuakes(result: .failure(error: meanwhile.reason(failure))))
      }
    }
  }

  /// Beyond the guide: reads the local store again, to restore quakes after a failed deletion, or
  /// after a failed read.
  ///
  /// - Parameter error: Why a deletion failed, if one did.
  nonisolated func fetchLocalQuakesAgainQuery<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(after error: String?) -> Thunk<Dispatcher, Selector> {
    self.operations.query { state in
      let quakes = try await self.readLocalStore()
      return await state().quakes.missing(in: quakes)
    } actions: { result, meanwhile, _ in
      switch result {
      case .success(let quakes):
        .local(
          .didFetchQuakesAgain(
            error: error, result: .success(quakes: meanwhile.unchanged(quakes)))
        )
      case .failure(let failure):
        .local(.didFetchQuakesAgain(error: error, result: .failure(error: failure.reason)))
      }
    }
  }

  private func readLocalStore() async throws -> [Quake] {
    do {
      let quakes = try await self.localStore.fetchShowableQuakes()
      self.isUnread = false
      return quakes
    } catch {
      self.isUnread = true
      throw error
    }
  }

  /// Dispatches nothing if another refresh has started since, because its result is newer and ends
  /// the waiting.
  nonisolated func fetchRemoteQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) -> Thunk<Dispatcher, Selector> {
    self.refreshing(range, since: nil) { try await self.feed(range) }
  }

  /// Beyond the guide: quakes that were deleted since a state are not brought back.
  nonisolated func fetchRemoteQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    since state: QuakesState
  ) -> Thunk<Dispatcher, Selector> {
    self.refreshing(range, since: state) { try await self.feed(range) }
  }

  /// Beyond the guide: a refresh from the ``SampleFeed`` of a month that ends now.
  nonisolated func fetchSampleQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    since state: QuakesState
  ) -> Thunk<Dispatcher, Selector> {
    self.refreshing(nil, since: state) { try SampleFeed(anchor: .now).feed(range: .allMonth) }
  }

  /// - Parameters:
  ///   - range: The range of the remote store's feed; `nil` for another feed.
  ///   - before: The state when the refresh began; `nil` if it is unknown.
  private nonisolated func refreshing<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange?,
    since before: QuakesState?,
    _ feed: @escaping @Sendable () async throws -> QuakesFeed
  ) -> Thunk<Dispatcher, Selector> {
    let fetched = Mutex<Date?>(nil)
    // A store with only the guide's function has no feeds that may be older than others.
    let isFeed = range == nil || self.remoteStore is any PersistentSessionFeedStore
    let refresh: Thunk<Dispatcher, Selector> = self.operations.query(
      latestOf: "refresh", isElsewhere: true
    ) { _ in
      try await self.pace.turn()
      return (time: self.now(), feed: try await feed())
    } seeing: { (selector: Selector, result, meanwhile) -> QuakesState? in
      // The guide's thunks do not select.
      let isNeeded =
        switch result {
        case .success((_, let feed)):
          isFeed || feed.quakes.isLarge || meanwhile.isEmpty == false
        case .failure(let failure): failure.error is CancellationError
        }
      return isNeeded ? selector.state : nil
    } actions: { result, meanwhile, state in
      switch result {
      case .success((let time, let feed)):
        fetched.withLock { $0 = time }
        let news = isFeed ? state?.quakes.news(in: feed) : nil
        // Quakes that were deleted since the refresh started are not brought back.
        func isDeleted(_ id: Quake.ID) -> Bool {
          guard let quakes = state?.quakes, quakes.data[id] == nil else { return false }
          return meanwhile.hasChanged(id)
            || before.map { quakes.hasDeleted(id, since: $0.quakes) } ?? false
        }
        let quakes = (news ?? feed.quakes).filter { quake in
          state?.quakes.data[quake.id] != nil
            || feed.ids(of: quake).contains(where: isDeleted) == false
        }
        // The number of skipped features comes first, so that it is visible when the refresh ends.
        return (feed.skipped > 0 ? .remote(.didSkipFeatures(count: feed.skipped)) : [])
          + .fetchedRemotely(quakes, in: state)
          + .failures(meanwhile)
      case .failure(let failure)
      where failure.error is CancellationError && state?.quakes.status != .waiting:
        // The cancellation has already ended the waiting.
        return .failures(meanwhile)
      case .failure(let failure):
        return .remote(.didFetchQuakes(result: .failure(error: meanwhile.reason(failure))))
      }
    }
    return { dispatcher, selector in
      try await self.readLocalStoreAgain(dispatcher, selector)
      try await refresh(dispatcher, selector)
      guard let range, let time = fetched.withLock({ $0 }) else { return }
      self.seen.withLock { $0.didFetch(range, at: time) }
    }
  }

  /// Reads the local store before a refresh, if an earlier read has failed.
  func readLocalStoreAgain<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    _ dispatcher: Dispatcher,
    _ selector: Selector
  ) async throws {
    guard self.isUnread else { return }
    let again: Thunk<Dispatcher, Selector> = self.fetchLocalQuakesAgainQuery(after: nil)
    // A failure is shown when the refresh ends.
    try? await again(dispatcher, selector)
  }

  func feed(
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    if let store = self.remoteStore as? any PersistentSessionFeedStore {
      return try await store.fetchRemoteQuakesFeed(range: range)
    }
    let quakes = try await self.remoteStore.fetchRemoteQuakesQuery(range: range)
    return QuakesFeed(quakes: quakes, skipped: 0)
  }
}

// Mutations. The state already has the changes, so a success dispatches nothing. Nor does a failure,
// as in the guide, unless it is to be reported.
extension PersistentSession {
  nonisolated func didFetchRemoteQuakesMutation<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(inserted: [Quake], updated: [Quake], deleted: [Quake]) -> Thunk<Dispatcher, Selector> {
    let changes = QuakesState.Quakes.Changes(
      inserted: inserted,
      updated: updated,
      deleted: deleted
    )
    return self.saveMutation(changes, ids: changes.ids, isReported: false)
  }

  /// - Parameters:
  ///   - ids: The ids of all changed quakes, unless queries in progress know of them.
  ///   - isReported: Whether a failure is dispatched.
  nonisolated func saveMutation<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    _ changes: QuakesState.Quakes.Changes,
    ids: Set<Quake.ID>,
    isReported: Bool
  ) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation(changing: ids) { state in
      try await self.save(changes, in: state)
    } actions: { result in
      isReported ? .failure(of: result) { .didFailToSaveQuakes(error: $0) } : []
    }
  }

  /// Beyond the guide: saves what undoing a deletion of all quakes has changed. That is computed off
  /// the main actor, when the thunk runs.
  ///
  /// - Parameter state: The state before.
  nonisolated func restoreMutation<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    of deletion: Int,
    in state: QuakesState
  ) -> Thunk<Dispatcher, Selector> {
    let deleted = state.quakes.deletion.table.rows
    self.operations.didChange { deleted[$0] != nil }
    return { dispatcher, selector in
      let changes = state.quakes.restoration(of: deletion)
      guard changes != QuakesState.Quakes.Changes() else { return }
      let save: Thunk<Dispatcher, Selector> = self.saveMutation(
        changes, ids: Set(changes.deleted.lazy.map(\.id)), isReported: true)
      try await save(dispatcher, selector)
    }
  }

  /// Saves these changes, together with the current values of earlier ones that could not be saved.
  private func save(
    _ changes: QuakesState.Quakes.Changes,
    in state: () async -> QuakesState
  ) async throws {
    var changes = changes
    let quakes = changes.inserted + changes.updated + changes.deleted
    // Selected only if there are earlier ones, because the guide's thunks do not select.
    let current = self.unsaved.isEmpty ? nil : await state().quakes
    var unsaved = self.unsaved
    // The store may not have these yet.
    changes.inserted += changes.updated.filter { unsaved[$0.id] != nil }
    changes.updated.removeAll { unsaved[$0.id] != nil }
    for quake in quakes { unsaved[quake.id] = nil }
    for old in unsaved.values {
      if let quake = current?.data[old.id] {
        changes.inserted.append(quake)
      } else {
        changes.deleted.append(old)
      }
    }
    do {
      try await self.localStore.didFetchRemoteQuakesMutation(
        inserted: changes.inserted,
        updated: changes.updated,
        deleted: changes.deleted
      )
      for quakeId in unsaved.keys { self.unsaved[quakeId] = nil }
      for quake in quakes { self.unsaved[quake.id] = nil }
    } catch {
      for quake in quakes { self.unsaved[quake.id] = quake }
      throw error
    }
  }

  /// - Parameter isReported: Whether a failure is dispatched, so that the deletion is rolled back.
  nonisolated func deleteLocalQuakeMutation<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(quakeId: Quake.ID, isReported: Bool = false) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation(changing: [quakeId]) { _ in
      try await self.localStore.deleteLocalQuakeMutation(quakeId: quakeId)
      await self.didDelete([quakeId])
    } actions: { result in
      isReported ? .failure(of: result) { .didFailToDeleteQuakes(error: $0) } : []
    }
  }

  /// - Parameter isReported: Whether a failure is dispatched, so that all deletions are rolled back.
  nonisolated func deleteLocalQuakesMutation<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(isReported: Bool = false) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation(isEverything: true) { _ in
      try await self.localStore.deleteLocalQuakesMutation()
      // The local store could not remember the deletion of these, because it does not have them.
      let unsaved = await Set(self.unsaved.keys)
      guard unsaved.isEmpty == false else { return }
      try await self.localStore.deleteLocalQuakesMutation(quakeIds: unsaved)
      await self.didDelete(unsaved)
    } actions: { result in
      isReported ? .failure(of: result) { .didFailToDeleteQuakes(error: $0) } : []
    }
  }

  private func didDelete(_ quakeIds: Set<Quake.ID>) {
    for quakeId in quakeIds { self.unsaved[quakeId] = nil }
  }
}

extension [QuakesAction] {
  static func local(_ action: QuakesAction.Data.PersistentSession.LocalStore) -> Self {
    [.data(.persistentSession(.localStore(action)))]
  }

  static func remote(
    _ action: QuakesAction.Data.PersistentSession.RemoteStore
  ) -> Self {
    [.data(.persistentSession(.remoteStore(action)))]
  }

  /// Call it off the main actor; see ``PreparedQuakes``.
  ///
  /// - Parameter state: What to prepare the result for; `nil` for nothing.
  static func fetchedLocally(_ quakes: [Quake], in state: QuakesState?) -> Self {
    if let state { PreparedQuakes.current.prepareInsertion(of: quakes, into: state.quakes.table) }
    return .local(.didFetchQuakes(result: .success(quakes: quakes)))
  }

  /// Call it off the main actor; see ``PreparedQuakes``.
  ///
  /// - Parameter state: What to prepare the result for; `nil` for nothing.
  static func fetchedRemotely(_ quakes: [Quake], in state: QuakesState?) -> Self {
    if let state { PreparedQuakes.current.prepareRefresh(of: state.quakes, by: quakes) }
    return .remote(.didFetchQuakes(result: .success(quakes: quakes)))
  }

  /// Failures during a read, which are shown after it.
  static func failures(_ meanwhile: Meanwhile<Quake.ID>) -> Self {
    meanwhile.failures.isEmpty
      ? [] : .local(.didFailToSaveQuakes(error: meanwhile.failures.joinedSentences))
  }

  fileprivate static func failure(
    of result: Result<Void, OperationFailure>,
    action: (String) -> QuakesAction.Data.PersistentSession.LocalStore
  ) -> Self {
    guard case .failure(let failure) = result else { return [] }
    return .local(action(failure.reason))
  }
}

extension Meanwhile<Quake.ID> {
  /// The reason of a failed read, after earlier failures.
  func reason(_ failure: OperationFailure) -> String {
    (self.failures + [failure.reason]).joinedSentences
  }
}
