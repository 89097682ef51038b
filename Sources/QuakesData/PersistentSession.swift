import DatabaseFiles
import Foundation
import HashTreeCollections
import ImmutableData
import SampleFeeds
import Synchronization

typealias QuakesDispatcher = ImmutableData.Dispatcher<QuakesState, QuakesAction>
typealias QuakesSelector = ImmutableData.Selector<QuakesState>

/// Makes the thunks that work on the stores and dispatch what came of it.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
final actor PersistentSession<LocalStore, RemoteStore>
where LocalStore: PersistentSessionLocalStore, RemoteStore: PersistentSessionRemoteStore {
  /// A unit of asynchronous work on the stores.
  typealias Thunk<Dispatcher, Selector> = @Sendable (Dispatcher, Selector) async throws -> Void

  /// What scheduled refreshes have brought.
  nonisolated let seen = Mutex(SeenFeeds())
  let localStore: LocalStore
  private let remoteStore: RemoteStore
  private let pace: RefreshPace
  let operations = Operations<Quake.ID> { error in
    (error as? LocalStoreError)?.visitorMessage ?? (error as? RemoteStoreError)?.visitorMessage
  }
  /// What the local store could not save: the next refresh would take it for old.
  private(set) var unsaved: [Quake.ID: Quake] = [:]
  /// Whether the local store may have what the state has not: it could not be read.
  private var isUnread = false

  init(
    localStore: LocalStore,
    remoteStore: RemoteStore,
    refreshInterval: Duration = .zero
  ) {
    self.localStore = localStore
    self.remoteStore = remoteStore
    self.pace = RefreshPace(refreshInterval)
  }
}

// Queries.
extension PersistentSession {
  nonisolated func fetchLocalQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.operations.query { _ in
      try await self.readLocalStore()
    } actions: { result, meanwhile, _ in
      switch result {
      case .success(let quakes):
        .local(.didFetchQuakes(result: .success(quakes: meanwhile.unchanged(quakes))))
          + .failures(meanwhile)
      case .failure(let failure):
        .local(.didFetchQuakes(result: .failure(error: meanwhile.reason(failure))))
      }
    }
  }

  /// Beyond the guide: reads the local store again, for what a failed delete must bring back, or for
  /// what could not be read before.
  ///
  /// - Parameter error: Why a delete failed, if one did.
  nonisolated func fetchLocalQuakesAgainQuery<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(after error: String?) -> Thunk<Dispatcher, Selector> {
    self.operations.query { state in
      state.quakes.missing(in: try await self.readLocalStore())
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
      let quakes = try await self.localStore.fetchLocalQuakesQuery()
      self.isUnread = false
      return quakes
    } catch {
      self.isUnread = true
      throw error
    }
  }

  /// Dispatches nothing if another refresh has begun since: what that brings is newer, and it ends the
  /// waiting.
  nonisolated func fetchRemoteQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) -> Thunk<Dispatcher, Selector> {
    self.refreshing { try await self.feed(range) }
  }

  /// Beyond the guide: a refresh from the ``SampleFeed`` of a month that ends now.
  nonisolated func fetchSampleQuakesQuery<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>()
    -> Thunk<Dispatcher, Selector>
  {
    self.refreshing { try SampleFeed(anchor: .now).feed(range: .allMonth) }
  }

  private nonisolated func refreshing<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    _ feed: @escaping @Sendable () async throws -> QuakesFeed
  ) -> Thunk<Dispatcher, Selector> {
    let refresh: Thunk<Dispatcher, Selector> = self.operations.query(
      latestOf: "refresh", isElsewhere: true
    ) { _ in
      try await self.pace.turn()
      return try await feed()
    } actions: { result, meanwhile, state in
      switch result {
      case .success(let feed):
        // What was deleted since it began does not come back.
        let quakes = state.quakes.news(in: feed.quakes).filter { quake in
          meanwhile.ids.contains(quake.id) == false || state.quakes.data[quake.id] != nil
        }
        // What was skipped comes first, so that nobody sees the end of a refresh without it.
        return (feed.skipped > 0 ? .remote(.didSkipFeatures(count: feed.skipped)) : [])
          + .remote(.didFetchQuakes(result: .success(quakes: quakes)))
          + .failures(meanwhile)
      case .failure(let failure)
      where failure.error is CancellationError && state.quakes.status != .waiting:
        // Whoever cancelled it has ended the waiting.
        return .failures(meanwhile)
      case .failure(let failure):
        return .remote(.didFetchQuakes(result: .failure(error: meanwhile.reason(failure))))
      }
    }
    return { dispatcher, selector in
      try await self.readLocalStoreAgain(dispatcher, selector)
      try await refresh(dispatcher, selector)
    }
  }

  /// Before a refresh, if the local store could not be read before.
  func readLocalStoreAgain<Dispatcher: QuakesDispatcher, Selector: QuakesSelector>(
    _ dispatcher: Dispatcher,
    _ selector: Selector
  ) async throws {
    guard self.isUnread else { return }
    let again: Thunk<Dispatcher, Selector> = self.fetchLocalQuakesAgainQuery(after: nil)
    // That it fails shows when the refresh ends.
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

// Mutations. The state knows already what is to be written: only a failure is news.
extension PersistentSession {
  nonisolated func didFetchRemoteQuakesMutation<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(inserted: [Quake], updated: [Quake], deleted: [Quake]) -> Thunk<Dispatcher, Selector> {
    let changes = QuakesState.Quakes.Changes(
      inserted: inserted,
      updated: updated,
      deleted: deleted
    )
    let ids = Set((inserted + updated + deleted).lazy.map(\.id))
    return self.operations.mutation(changing: ids) { state in
      try await self.save(changes, in: state)
    } actions: { result in
      .failure(of: result) { .didFailToSaveQuakes(error: $0) }
    }
  }

  /// Saves with these what could not be saved before, as it is now.
  private func save(_ changes: QuakesState.Quakes.Changes, in state: QuakesState) async throws {
    var changes = changes
    let quakes = changes.inserted + changes.updated + changes.deleted
    var unsaved = self.unsaved
    for quake in quakes { unsaved[quake.id] = nil }
    for old in unsaved.values {
      if let quake = state.quakes.data[old.id] {
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

  nonisolated func deleteLocalQuakeMutation<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(quakeId: Quake.ID) -> Thunk<Dispatcher, Selector> {
    self.operations.mutation(changing: [quakeId]) { _ in
      try await self.localStore.deleteLocalQuakeMutation(quakeId: quakeId)
    } actions: { result in
      .failure(of: result) { .didFailToDeleteQuakes(error: $0) }
    }
  }

  nonisolated func deleteLocalQuakesMutation<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >() -> Thunk<Dispatcher, Selector> {
    self.operations.mutation(isEverything: true) { _ in
      try await self.localStore.deleteLocalQuakesMutation()
    } actions: { result in
      .failure(of: result) { .didFailToDeleteQuakes(error: $0) }
    }
  }

  /// Beyond the guide: says what the state had before all were deleted, which a refresh that is under
  /// way does not bring back.
  nonisolated func willDeleteAll(of state: QuakesState) {
    self.operations.didChange(state.quakes.data.keys)
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

  /// What has failed while something was read: it shows after that.
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
  /// Why a read has failed, after what has failed before.
  func reason(_ failure: OperationFailure) -> String {
    (self.failures + [failure.reason]).joinedSentences
  }
}
