import HashTreeCollections
import ImmutableData
import Synchronization

/// What of the feeds has already become part of the state.
struct SeenFeeds: Sendable {
  /// The newest of each range. Bounded by what a remote store keeps: these are the same arrays.
  var feeds: [QuakesAction.UI.QuakeList.RefreshQuakesRange: QuakesFeed] = [:]
  /// How many refreshes somebody has asked for.
  var refreshCount = 0
}

// Refreshes that nobody asked for.
extension PersistentSession {
  private typealias Range = QuakesAction.UI.QuakeList.RefreshQuakesRange

  /// A refresh again and again.
  nonisolated func refreshes(
    on schedule: RefreshSchedule
  ) -> OutsideEvents<QuakesState, QuakesAction> {
    let backoff = Backoff(
      base: schedule.interval,
      limit: max(schedule.interval, RefreshSchedule.longestPause),
      random: schedule.random
    )
    let isFirst = Mutex(true)
    return OutsideEvents("quakes.schedule", backoff: backoff, clock: schedule.clock) { following in
      if isFirst.withLock({ isFirst in
        defer { isFirst = false }
        return isFirst
      }) {
        try await schedule.clock.sleep(for: schedule.firstPause)
      }
      while true {
        try Task.checkCancellation()
        do {
          try await self.refresh(following, schedule)
          following.didSucceed()
        } catch is CancellationError {
          // Somebody has asked for a refresh, which is under way instead of this one.
        }
        try await schedule.clock.sleep(for: schedule.pause)
      }
    }
  }

  private nonisolated func refresh(
    _ following: Following<QuakesState, QuakesAction>,
    _ schedule: RefreshSchedule
  ) async throws {
    // What the local store has comes first, as when somebody looks.
    try await following.perform { state in
      guard state.quakes.status == nil else { return nil }
      return Effect("quakes.fetch", self.fetchLocalQuakesQuery())
    }
    let quakes = await following.store.state.quakes
    let newest = quakes.data.values.lazy.map(\.time).max()
    let range = Range.since(newest, now: schedule.now())
    let failures = following.failures
    try await following.perform { state in
      guard state.quakes.status != .waiting else { return nil }
      return Effect("quakes.scheduled", self.fetchScheduledQuakesQuery(range, after: failures))
    }
  }

  /// Dispatches only what the feed has not had before; if there is nothing, nothing. What was deleted here
  /// stays deleted, also when the feed has it anew or after a restart.
  ///
  /// - Parameter failures: How often this has failed in a row. Only the first failure shows.
  private nonisolated func fetchScheduledQuakesQuery<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(_ range: Range, after failures: Int) -> Thunk<Dispatcher, Selector> {
    let seen = self.seen.withLock { $0 }
    let fetched = Mutex<QuakesFeed?>(nil)
    // A delete that is being written is not among the deleted yet: it counts as changed meanwhile.
    let refresh: Thunk<Dispatcher, Selector> = self.operations.query(latestOf: "refresh") { _ in
      let feed = try await self.feed(range)
      return (feed, deleted: try await self.localStore.fetchDeletedQuakesQuery())
    } actions: { result, meanwhile, state in
      switch result {
      case .success((let feed, let deleted)):
        fetched.withLock { $0 = feed }
        // Equal arrays of one buffer are not compared.
        let isNew = seen.feeds[range] != feed
        let quakes = isNew ? state.quakes.news(in: feed, after: seen, deleted, meanwhile) : []
        guard quakes.isEmpty == false || failures > 0 else { return .failures(meanwhile) }
        return
          (feed.skipped == state.quakes.skipped
          ? [] : .remote(.didSkipFeatures(count: feed.skipped)))
          + .remote(.didFetchQuakes(result: .success(quakes: quakes))) + .failures(meanwhile)
      case .failure(let failure) where failure.error is CancellationError || failures > 0:
        return .failures(meanwhile)
      case .failure(let failure):
        return .remote(.didFetchQuakes(result: .failure(error: meanwhile.reason(failure))))
      }
    }
    return { dispatcher, selector in
      try await self.readLocalStoreAgain(dispatcher, selector)
      try await refresh(dispatcher, selector)
      guard let feed = fetched.withLock({ $0 }) else { return }
      self.seen.withLock { now in
        // Otherwise nobody knows whether it was dispatched.
        if now.refreshCount == seen.refreshCount { now.feeds[range] = feed }
      }
    }
  }

  /// Says that somebody asks for a refresh, before it begins.
  nonisolated func willRefresh() {
    self.seen.withLock { $0.refreshCount += 1 }
  }
}

extension QuakesState.Quakes {
  /// What a feed changes here, without what others have had.
  ///
  /// - Complexity: O(m log n), m quakes of the feeds, n that are here.
  fileprivate func news(
    in feed: QuakesFeed,
    after seen: SeenFeeds,
    _ deleted: Set<Quake.ID>,
    _ meanwhile: Meanwhile<Quake.ID>
  ) -> [Quake] {
    let known = Set(seen.feeds.values.lazy.flatMap(\.quakes))
    return feed.quakes.filter { quake in
      guard known.contains(quake) == false else { return false }
      guard let old = self.data[quake.id] else {
        return .zero < quake.magnitude && meanwhile.ids.contains(quake.id) == false
          && deleted.contains(quake.id) == false && self.deletion.table.rows[quake.id] == nil
      }
      return old != quake
    }
  }
}
