import Foundation
import HashTreeCollections
import ImmutableData
import SampleFeeds

/// Makes the thunks that work on the stores and dispatch what came of it.
///
/// Source: the guide, chapter QuakesData, section PersistentSession.
final actor PersistentSession<LocalStore, RemoteStore>
where LocalStore: PersistentSessionLocalStore, RemoteStore: PersistentSessionRemoteStore {
  /// A unit of asynchronous work on the stores.
  typealias Thunk<Dispatcher, Selector> = @Sendable (Dispatcher, Selector) async throws -> Void
  private typealias Action = QuakesAction.Data.PersistentSession

  private let localStore: LocalStore
  private let remoteStore: RemoteStore
  private let refreshes = Refreshes()
  /// What the local store could not save: the next refresh would take it for old.
  private var unsaved: [Quake.ID: Quake] = [:]
  /// Whether the local store may have what the state has not: it could not be read.
  private var isUnread = false

  init(
    localStore: LocalStore,
    remoteStore: RemoteStore
  ) {
    self.localStore = localStore
    self.remoteStore = remoteStore
  }
}

// Queries.
extension PersistentSession {
  func fetchLocalQuakesQuery<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    self.dispatching {
      try await self.readLocalStore()
    } actions: { result in
      [.localStore(.didFetchQuakes(result: .init(result)))]
    }
  }

  /// Beyond the guide: reads the local store again, for what a failed delete must bring back, or for
  /// what could not be read before.
  ///
  /// - Parameter error: Why a delete failed, if one did.
  func fetchLocalQuakesAgainQuery<Dispatcher, Selector>(
    after error: String?
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    { dispatcher, selector in
      let state = await selector.state
      let thunk: Thunk<Dispatcher, Selector> = self.dispatching {
        // As it was before this was read: what is deleted since is known, and does not come back.
        state.quakes.missing(in: try await self.readLocalStore())
      } actions: { result in
        [.localStore(.didFetchQuakesAgain(error: error, result: .init(result)))]
      }
      try await thunk(dispatcher, selector)
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
  func fetchRemoteQuakesQuery<Dispatcher, Selector>(
    range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    self.refreshing { try await self.feed(range) }
  }

  /// Beyond the guide: a refresh from the ``SampleFeed`` of a month that ends now.
  func fetchSampleQuakesQuery<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    self.refreshing { try SampleFeed(anchor: .now).feed(range: .allMonth) }
  }

  private nonisolated func refreshing<Dispatcher, Selector>(
    _ feed: @escaping @Sendable () async throws -> QuakesFeed
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    { dispatcher, selector in
      let refresh = await self.refreshes.begin()
      if await self.isUnread {
        try await dispatcher.dispatch(
          action: .data(.persistentSession(.localStore(.didMissQuakes)))
        )
      }
      let thunk: Thunk<Dispatcher, Selector> = self.dispatching {
        let feed = try await feed()
        let news = await selector.state.quakes.news(in: feed.quakes)
        return QuakesFeed(quakes: news, skipped: feed.skipped)
      } actions: { result in
        self.refreshes.isNewest(refresh) ? Self.actions(result) : []
      }
      try await thunk(dispatcher, selector)
    }
  }

  private func feed(
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange
  ) async throws -> QuakesFeed {
    if let store = self.remoteStore as? any PersistentSessionFeedStore {
      return try await store.fetchRemoteQuakesFeed(range: range)
    }
    let quakes = try await self.remoteStore.fetchRemoteQuakesQuery(range: range)
    return QuakesFeed(quakes: quakes, skipped: 0)
  }

  /// What was skipped comes first, so that nobody sees the end of a refresh without it.
  private static func actions(_ result: Result<QuakesFeed, any Error>) -> [Action] {
    switch result {
    case .success(let feed):
      (feed.skipped > 0 ? [.remoteStore(.didSkipFeatures(count: feed.skipped))] : [])
        + [.remoteStore(.didFetchQuakes(result: .success(quakes: feed.quakes)))]
    case .failure(let error):
      [.remoteStore(.didFetchQuakes(result: .failure(error: error.visitorMessage)))]
    }
  }
}

// Mutations.
extension PersistentSession {
  func didFetchRemoteQuakesMutation<Dispatcher, Selector>(
    inserted: [Quake],
    updated: [Quake],
    deleted: [Quake]
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    { dispatcher, selector in
      let changes = QuakesState.Quakes.Changes(
        inserted: inserted,
        updated: updated,
        deleted: deleted
      )
      let state = await selector.state
      let thunk: Thunk<Dispatcher, Selector> = self.dispatching {
        try await self.save(changes, in: state)
      } actions: { result in
        Self.actions(result) { .didFailToSaveQuakes(error: $0) }
      }
      try await thunk(dispatcher, selector)
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

  func deleteLocalQuakeMutation<Dispatcher, Selector>(
    quakeId: Quake.ID
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    self.dispatching {
      try await self.localStore.deleteLocalQuakeMutation(quakeId: quakeId)
    } actions: { result in
      Self.actions(result) { .didFailToDeleteQuakes(error: $0) }
    }
  }

  func deleteLocalQuakesMutation<Dispatcher, Selector>() -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    self.dispatching {
      try await self.localStore.deleteLocalQuakesMutation()
    } actions: { result in
      Self.actions(result) { .didFailToDeleteQuakes(error: $0) }
    }
  }

  /// The state knows already what was to be written: only a failure is news.
  private static func actions(
    _ result: Result<Void, any Error>,
    failure: (String) -> Action.LocalStore
  ) -> [Action] {
    switch result {
    case .success: []
    case .failure(let error): [.localStore(failure(error.visitorMessage))]
    }
  }
}

extension PersistentSession {
  /// A thunk that works on a store, dispatches what came of it, and throws what the store threw.
  ///
  /// - Parameters:
  ///   - work: Works on a store.
  ///   - actions: What to dispatch, with nothing in between.
  private nonisolated func dispatching<Dispatcher, Selector, Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value,
    actions: @escaping @MainActor @Sendable (Result<Value, any Error>) -> [Action]
  ) -> Thunk<Dispatcher, Selector>
  where
    Dispatcher: ImmutableData.Dispatcher<QuakesState, QuakesAction>,
    Selector: ImmutableData.Selector<QuakesState>
  {
    { dispatcher, _ in
      let result = await Result { try await work() }
      try await MainActor.run {
        for action in actions(result) {
          try dispatcher.dispatch(action: .data(.persistentSession(action)))
        }
      }
      _ = try result.get()
    }
  }
}

/// Knows which refresh is the newest.
@MainActor private final class Refreshes {
  private var newest = 0

  nonisolated init() {}

  func begin() -> Int {
    self.newest += 1
    return self.newest
  }

  func isNewest(_ refresh: Int) -> Bool {
    refresh == self.newest
  }
}

extension QuakesAction.Data.PersistentSession.LocalStore.FetchQuakesResult {
  fileprivate init(_ result: Result<[Quake], any Error>) {
    switch result {
    case .success(let quakes): self = .success(quakes: quakes)
    case .failure(let error): self = .failure(error: error.visitorMessage)
    }
  }
}
