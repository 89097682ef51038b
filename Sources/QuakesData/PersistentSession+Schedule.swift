import Foundation
import HashTreeCollections
import ImmutableData
import Synchronization

/// The parts of the feeds that are already part of the state.
struct SeenFeeds: Sendable {
  /// The newest feed of each range: four at most. The remote store limits their size. After a requested
  /// refresh, it may have a newer one.
  var feeds: [QuakesAction.UI.QuakeList.RefreshQuakesRange: QuakesFeed] = [:]
  /// The number of requested refreshes.
  var refreshCount = 0
  /// When the last feed was requested that went back far enough to leave no gap; `nil` before the
  /// first.
  private(set) var completeUntil: Date?

  /// Forgets the feeds, because it is unknown whether their content is part of the state.
  mutating func forget() {
    self.feeds = [:]
    self.completeUntil = nil
    self.refreshCount += 1
  }

  /// Notes that the content of a feed is part of the state.
  ///
  /// - Parameters:
  ///   - range: How far back the feed goes.
  ///   - time: When it was requested.
  mutating func didFetch(
    _ range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    at time: Date
  ) {
    if range.covers(.since(self.completeUntil, now: time)) { self.completeUntil = time }
  }
}

extension QuakesAction.UI.QuakeList.RefreshQuakesRange {
  /// The smallest range that contains all events and corrections since a time, with a margin for
  /// those that are published late.
  ///
  /// - Parameters:
  ///   - time: Until when everything is known; `nil`, or a time in the future, if that is unknown.
  ///   - now: The current time.
  static func since(_ time: Date?, now: Date) -> Self {
    let hours = time.map { now.timeIntervalSince($0) / 3_600 } ?? .infinity
    return hours < 0 ? .allMonth : hours < 20 ? .allDay : hours < 6 * 24 ? .allWeek : .allMonth
  }

  /// Whether it goes at least as far back as another range.
  func covers(_ other: Self) -> Bool {
    let ranges: [Self] = [.allMonth, .allWeek, .allDay, .allHour]
    return ranges.first { $0 == self || $0 == other } == self
  }
}

// Scheduled refreshes.
extension PersistentSession {
  private typealias Range = QuakesAction.UI.QuakeList.RefreshQuakesRange

  /// Refreshes repeatedly.
  nonisolated func refreshes(on schedule: Schedule) -> OutsideEvents<QuakesState, QuakesAction> {
    // A refresh is cancelled when a requested one runs instead.
    OutsideEvents("quakes.schedule", on: schedule, willFollow: self.willFollow, turn: self.refresh)
  }

  /// What was dispatched while this process led before may have been dropped, because it had lost
  /// the lead.
  private nonisolated func willFollow() {
    self.seen.withLock { $0.forget() }
  }

  private nonisolated func refresh(
    _ following: Following<QuakesState, QuakesAction>
  ) async throws {
    // The local store is read first, as when a window opens.
    try await following.perform { state in
      guard state.quakes.status == nil else { return nil }
      return Effect("quakes.fetch", lane: "quakes.write", self.fetchLocalQuakesQuery())
    }
    let quakes = await following.store.state.quakes
    // Real quakes are not mixed with fictional ones, unless a user requests it.
    guard quakes.data.values.contains(where: \.isSample) == false else { return }
    let range = Range.since(
      self.seen.withLock { $0.completeUntil } ?? quakes.completeUntil, now: self.now())
    let failures = following.failures
    try await following.perform { state in
      guard state.quakes.status != .waiting else { return nil }
      return Effect(
        "quakes.scheduled",
        self.fetchScheduledQuakesQuery(range, after: failures, since: state.quakes))
    }
  }

  /// Dispatches only the news of the feed, if there are any. Quakes that were deleted here stay
  /// deleted, even if the feed has updated them, and after a restart.
  ///
  /// - Parameters:
  ///   - failures: The number of failures in a row. Only the first one is shown.
  ///   - before: The state when it begins.
  private nonisolated func fetchScheduledQuakesQuery<
    Dispatcher: QuakesDispatcher, Selector: QuakesSelector
  >(
    _ range: Range,
    after failures: Int,
    since before: QuakesState.Quakes
  ) -> Thunk<Dispatcher, Selector> {
    let seen = self.seen.withLock { $0 }
    let fetched = Mutex<(time: Date, feed: QuakesFeed)?>(nil)
    // A deletion that is still being written is not in the list of deleted quakes yet. It is
    // treated as a change during the refresh.
    let refresh: Thunk<Dispatcher, Selector> = self.operations.query(latestOf: "refresh") { _ in
      let (time, feed) = (self.now(), try await self.feed(range))
      return (time, feed, deleted: try await self.localStore.fetchDeletedQuakesQuery())
    } actions: { result, meanwhile, state in
      switch result {
      case .success((let time, let feed, let deleted)):
        fetched.withLock { $0 = (time, feed) }
        // Arrays that share a buffer are equal without a comparison.
        let isNew = seen.feeds[range] != feed
        let quakes =
          isNew ? state.quakes.news(in: feed, after: seen, deleted, meanwhile, since: before) : []
        let note = state.quakes.noteForOthers(of: range, fetchedAt: time, after: seen)
        // A success ends an older failure, such as of a requested refresh.
        guard quakes.isEmpty == false || state.quakes.status?.error != nil else {
          return note + .failures(meanwhile)
        }
        return
          (feed.skipped == state.quakes.skipped
          ? [] : .remote(.didSkipFeatures(count: feed.skipped)))
          + .fetchedRemotely(quakes, in: state) + note + .failures(meanwhile)
      case .failure(let failure) where failure.error is CancellationError || failures > 0:
        return .failures(meanwhile)
      case .failure(let failure):
        return .remote(.didFetchQuakes(result: .failure(error: meanwhile.reason(failure))))
      }
    }
    return { dispatcher, selector in
      try await self.readLocalStoreAgain(dispatcher, selector)
      try await refresh(dispatcher, selector)
      guard let (time, feed) = fetched.withLock({ $0 }) else { return }
      self.seen.withLock { now in
        // Otherwise it is unknown whether it was dispatched.
        guard now.refreshCount == seen.refreshCount else { return }
        now.feeds[range] = feed
        now.didFetch(range, at: time)
      }
    }
  }

  /// Notes that a refresh was requested, before it starts.
  nonisolated func willRefresh() {
    self.seen.withLock { $0.refreshCount += 1 }
  }
}

extension QuakesState.Quakes {
  /// Tells a shared state that it has everything, so that another server that begins to follow the
  /// feed need not fetch the month. Once an hour is enough for that.
  ///
  /// - Parameters:
  ///   - range: How far back the fetched feed goes.
  ///   - time: When it was requested.
  ///   - seen: What this server knew before.
  fileprivate func noteForOthers(
    of range: QuakesAction.UI.QuakeList.RefreshQuakesRange,
    fetchedAt time: Date,
    after seen: SeenFeeds
  ) -> [QuakesAction] {
    guard self.deletedIDs.isKept,
      range.covers(.since(seen.completeUntil ?? self.completeUntil, now: time))
    else { return [] }
    if let noted = self.completeUntil, abs(time.timeIntervalSince(noted)) < 3_600 { return [] }
    return .remote(.didFetchEverything(until: time))
  }

  /// The changes by a feed, without those that earlier feeds already contained.
  ///
  /// - Complexity: O(m log n), m quakes of the feeds, n quakes of the state.
  fileprivate func news(
    in feed: QuakesFeed,
    after seen: SeenFeeds,
    _ deleted: Set<Quake.ID>,
    _ meanwhile: Meanwhile<Quake.ID>,
    since before: Self
  ) -> [Quake] {
    func isDeleted(_ id: Quake.ID) -> Bool {
      meanwhile.hasChanged(id) || deleted.contains(id) || self.deletion.table.rows[id] != nil
        || self.hasDeleted(id, since: before)
    }
    let others = feed.quakes.filter { quake in
      if let old = self.data[quake.id] { return old != quake && self.isOutdated(quake) == false }
      return .zero < quake.magnitude && feed.ids(of: quake).contains(where: isDeleted) == false
    }
    // Few differ from the state, so only those are looked for in the earlier feeds.
    let ids = Set(others.lazy.map(\.id))
    let known = Set(seen.feeds.values.lazy.flatMap(\.quakes).filter { ids.contains($0.id) })
    let quakes = others.filter { known.contains($0) == false }
    return quakes + self.moved(by: feed, adding: quakes)
  }
}
