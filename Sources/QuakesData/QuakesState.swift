package import Foundation
package import HashTreeCollections
public import ImmutableData

/// The state that all windows share: the earthquakes, and the status of the newest operation on
/// them.
///
/// Its structure is not part of the interface: components read it through selectors.
///
/// Source: the guide, chapter QuakesData, section QuakesState; chapter Performance for
/// `TreeDictionary`.
public struct QuakesState: Hashable, Codable, Sendable {
  package var quakes: Quakes

  package init(quakes: Quakes) {
    self.quakes = quakes
  }

  /// Nothing fetched yet.
  ///
  /// - Parameters:
  ///   - remembersDeleted: Whether the state remembers deleted quakes, because no local store does
  ///     (``StateStore``).
  ///   - limit: The maximum number of quakes; `nil` for no limit. When a refresh exceeds it, the
  ///     oldest are removed.
  ///   - isSample: Whether all fetched quakes are fictional.
  public init(remembersDeleted: Bool = false, limit: Int? = nil, isSample: Bool = false) {
    self.init(quakes: Quakes(deletedIDs: DeletedIDs(isKept: remembersDeleted)))
    self.quakes.limit = limit
    self.quakes.isSample = isSample ? true : nil
  }

  /// The default limit of a server: about the quakes of two and a half years.
  public static var defaultLimit: Int { 250_000 }

  /// The table of the quakes, for selectors.
  public var quakesTable: Table<Quake> { self.quakes.table }

  package struct Quakes: Hashable, Codable, Sendable {
    package var table: Table<Quake>
    /// The status of the newest fetch, or the failure of a later write; `nil` before the first.
    package var status: Status? = nil
    /// Beyond the guide: the number of features in the newest refresh that could not be read.
    package var skipped: Int = 0
    /// Beyond the guide: the number of new quakes in the newest refresh; `nil` before the first.
    package var newCount: Int?
    /// Beyond the guide: the quakes that the newest *Delete all* deleted, so that it can be undone.
    package var deletion = Deletion()
    /// Beyond the guide: the deleted quakes, if no local store remembers them.
    package var deletedIDs: DeletedIDs
    /// Beyond the guide: a time until which the state has everything from the feeds; `nil` if that is
    /// unknown, or if no other server has to know it.
    package var completeUntil: Date?
    /// Beyond the guide: the maximum number of quakes; `nil` for no limit. It never changes, so
    /// that all servers that reduce the same actions keep the same quakes.
    fileprivate(set) var limit: Int?
    /// Beyond the guide: whether all fetched quakes are fictional; `nil`: no. It never changes.
    package fileprivate(set) var isSample: Bool?

    package init(
      data: TreeDictionary<Quake.ID, Quake> = [:],
      status: Status? = nil,
      deletedIDs: DeletedIDs = DeletedIDs()
    ) {
      self.table = Table(data)
      self.status = status
      self.deletedIDs = deletedIDs
    }

    /// With a dictionary, as the guide's listings have it.
    @_disfavoredOverload
    package init(data: [Quake.ID: Quake], status: Status? = nil) {
      self.init(data: TreeDictionary(data), status: status)
    }

    /// The rows of ``table``. Setting them costs O(n), n quakes; change the table instead.
    package var data: TreeDictionary<Quake.ID, Quake> {
      get { self.table.rows }
      set { self.table = Table(newValue) }
    }
  }
}

extension QuakesState.Quakes {
  /// All quakes that were deleted together. Only the newest deletion is kept, so it holds at most
  /// as many quakes as the state once did.
  package struct Deletion: Codable, Sendable {
    /// The number of the deletion.
    package var number = 0
    /// The deleted quakes; empty once they are restored.
    package var table = Table<Quake>()
  }

  /// Equality ignores which quakes were deleted.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.table == rhs.table && lhs.status == rhs.status && lhs.skipped == rhs.skipped
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.table)
    hasher.combine(self.status)
    hasher.combine(self.skipped)
  }

  /// The quakes of a deletion that are still missing; none if there was a newer deletion.
  ///
  /// - Complexity: O(n log n), n deleted quakes.
  func deleted(by deletion: Int) -> [Quake] {
    guard self.deletion.number == deletion else { return [] }
    return self.deletion.table.rows.values.filter { self.data[$0.id] == nil }
  }

  /// Whether a quake has been deleted since an earlier state.
  func hasDeleted(_ id: Quake.ID, since before: Self) -> Bool {
    guard self.data[id] == nil else { return false }
    return before.data[id] != nil
      || self.deletion.number != before.deletion.number && self.deletion.table.rows[id] != nil
  }

  /// Whether undoing the newest deletion restores its whole table, as it was.
  var restoresAll: Bool {
    self.table.isEmpty && self.deletion.table.count <= self.limit ?? .max
  }

  /// The changes by restoring the quakes of a deletion. Beyond the limit, the oldest are removed.
  ///
  /// - Complexity: O(m log n), m deleted quakes, n quakes of the state. If the limit would be
  ///   exceeded, O((m + n) log(m + n)).
  func restoration(of deletion: Int) -> Changes {
    var changes = Changes(inserted: self.deleted(by: deletion))
    if let limit = self.limit { self.dropOldest(of: &changes, limit: limit) }
    return changes
  }

  /// The changes of a refresh.
  package struct Changes: Hashable, Sendable {
    /// New quakes.
    package var inserted: [Quake] = []
    /// Quakes whose values have changed, with the new values.
    package var updated: [Quake] = []
    /// Quakes whose magnitude is now zero or below, or that are the oldest beyond the limit.
    package var deleted: [Quake] = []

    /// - Complexity: O(n), n changes.
    var ids: Set<Quake.ID> {
      var ids = Set<Quake.ID>(
        minimumCapacity: self.inserted.count + self.updated.count + self.deleted.count)
      for quakes in [self.inserted, self.updated, self.deleted] {
        for quake in quakes { ids.insert(quake.id) }
      }
      return ids
    }
  }

  /// The quakes of a refresh, or of the local store, without those that change nothing in the
  /// state. The main actor processes only these.
  ///
  /// - Complexity: O(m log n), m quakes that were read, n quakes of the state.
  func news(in quakes: [Quake]) -> [Quake] {
    // For a few quakes, filtering is not worth it.
    guard quakes.isLarge else { return quakes }
    return quakes.filter { quake in
      self.data[quake.id].map { $0 != quake } ?? (.zero < quake.magnitude)
    }
  }

  /// The changes by a feed, as quakes of a refresh. A feed can be older than another one, so it does
  /// not replace newer values. A quake that the feed has under another id now has a magnitude of
  /// zero, which removes it.
  ///
  /// - Complexity: O(m log n), m quakes of the feed and their other ids, n quakes of the state.
  package func news(in feed: QuakesFeed) -> [Quake] {
    let quakes = self.news(in: feed.quakes).filter { self.isOutdated($0) == false }
    return quakes + self.moved(by: feed, adding: quakes)
  }

  /// Whether the state has newer values of a quake.
  func isOutdated(_ quake: Quake) -> Bool {
    self.data[quake.id].map { quake.updated < $0.updated } ?? false
  }

  /// The quakes that a feed has under another id, with a magnitude of zero. A quake is only replaced
  /// by one that is there, and is the same by its time and place, and not older.
  ///
  /// - Parameter quakes: The quakes of the feed that are added.
  func moved(by feed: QuakesFeed, adding quakes: [Quake]) -> [Quake] {
    guard feed.otherIDs.isEmpty == false else { return [] }
    // The state has few of the other ids, so those are looked for first.
    let moves = feed.quakes.flatMap { quake in
      (feed.otherIDs[quake.id] ?? []).compactMap { id -> (old: Quake, quake: Quake)? in
        guard let old = self.data[id], old.updated <= quake.updated, old.isNear(quake) else {
          return nil
        }
        return (old, quake)
      }
    }
    guard moves.isEmpty == false else { return [] }
    let ids = Set(feed.quakes.lazy.map(\.id))
    let added = Set(quakes.lazy.map(\.id))
    return moves.compactMap { old, quake in
      guard ids.contains(old.id) == false, added.contains(quake.id) || self.data[quake.id] != nil
      else { return nil }
      return old.withoutMagnitude
    }
  }

  /// The quakes of the local store that the state lacks.
  ///
  /// - Complexity: O(m log n), m quakes that were read, n quakes of the state.
  func missing(in quakes: [Quake]) -> [Quake] {
    guard quakes.isLarge else { return quakes }
    return quakes.filter { self.data[$0.id] == nil }
  }

  /// The changes of a refresh: quakes with a magnitude of zero or below are removed, and of several
  /// with the same id the last one counts. Beyond the limit, the oldest are removed.
  ///
  /// - Complexity: O(m log n), m quakes of the refresh, n quakes of the state; the logarithm is to
  ///   base 32. If the limit would be exceeded, O((m + n) log(m + n)).
  package func changes(by quakes: [Quake]) -> Changes {
    var last: [Quake.ID: Int] = Dictionary(minimumCapacity: quakes.count)
    for (offset, quake) in quakes.enumerated() {
      last[quake.id] = offset
    }
    var changes = Changes()
    for (offset, quake) in quakes.enumerated() where last[quake.id] == offset {
      let old = self.data[quake.id]
      switch (old, .zero < quake.magnitude) {
      case (nil, true): changes.inserted.append(quake)
      case (nil, false): break
      case (.some, true): if old != quake { changes.updated.append(quake) }
      case (.some, false): changes.deleted.append(quake)
      }
    }
    if let limit = self.limit { self.dropOldest(of: &changes, limit: limit) }
    return changes
  }

  /// The changes from this state to another.
  ///
  /// - Parameters:
  ///   - quakes: The quakes that are compared, each with another id.
  ///   - next: Looks up a quake of the other state. As in the guide, it is called once for a quake
  ///     that this state lacks, and otherwise twice.
  /// - Complexity: O(m log n), m quakes to compare, n quakes of the states.
  func changes(among quakes: [Quake], to next: (Quake.ID) -> Quake?) -> Changes {
    var changes = Changes()
    for quake in quakes {
      guard let old = self.data[quake.id] else {
        if next(quake.id) != nil { changes.inserted.append(quake) }
        continue
      }
      if let new = next(quake.id), old != new { changes.updated.append(new) }
      if next(quake.id) == nil { changes.deleted.append(quake) }
    }
    return changes
  }

  /// Removes the oldest quakes beyond the limit, plus a hundredth of the limit, so that this
  /// happens only occasionally. Quakes that are older than all remaining ones are not added.
  private func dropOldest(of changes: inout Changes, limit: Int) {
    func isTooMany() -> Bool {
      self.data.count + changes.inserted.count - changes.deleted.count > limit
    }
    guard isTooMany() else { return }
    if self.data.count > limit - limit / 100 - 1,
      let oldest = self.data.values.lazy.map(\.time).min()
    {
      changes.inserted.removeAll { $0.time < oldest }
      guard isTooMany() else { return }
    }
    let changed = Set((changes.updated + changes.deleted).lazy.map(\.id))
    let all =
      self.data.values.filter { changed.contains($0.id) == false } + changes.updated
      + changes.inserted
    let dropped = all.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
      .prefix(all.count - limit + limit / 100)
    let ids = Set(dropped.lazy.map(\.id))
    changes.inserted.removeAll { ids.contains($0.id) }
    changes.updated.removeAll { ids.contains($0.id) }
    changes.deleted += dropped.filter { self.data[$0.id] != nil }
  }
}

extension [Quake] {
  /// Whether there are so many that they are worth computing off the main actor.
  var isLarge: Bool { self.count > 1_000 }
}

extension Quake {
  fileprivate var withoutMagnitude: Self {
    Self(
      quakeId: self.quakeId,
      magnitude: 0,
      time: self.time,
      updated: self.updated,
      name: self.name,
      longitude: self.longitude,
      latitude: self.latitude
    )
  }
}
