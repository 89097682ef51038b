package import HashTreeCollections
public import ImmutableData

/// What all windows share: the earthquakes, and how the newest operation on them stands.
///
/// Its structure is no part of the interface: components read it through selectors.
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
  ///   - remembersDeleted: Whether this remembers which quakes were deleted, because no local store does
  ///     (``StateStore``).
  ///   - limit: The most quakes; `nil`: there is no limit. Of those that a refresh brings and those that are
  ///     here, the oldest go.
  ///   - isSample: Whether all that is fetched is made up.
  public init(remembersDeleted: Bool = false, limit: Int? = nil, isSample: Bool = false) {
    self.init(quakes: Quakes(deletedIDs: DeletedIDs(isKept: remembersDeleted)))
    self.quakes.limit = limit
    self.quakes.isSample = isSample ? true : nil
  }

  /// The most quakes of a server, if nobody has said another number: what comes in two and a half years.
  public static var defaultLimit: Int { 250_000 }

  /// The quakes, as selectors of tables read them.
  public var quakesTable: Table<Quake> { self.quakes.table }

  package struct Quakes: Hashable, Codable, Sendable {
    package var table: Table<Quake>
    /// Of the newest fetch, or the failure of a write since; `nil` before the first.
    package var status: Status? = nil
    /// Beyond the guide: how many features of the newest refresh could not be read.
    package var skipped: Int = 0
    /// Beyond the guide: how many quakes the newest refresh has brought that were not there; `nil` before the
    /// first.
    package var newCount: Int?
    /// Beyond the guide: what the newest *Delete all* deleted, so that it can be undone.
    package var deletion = Deletion()
    /// Beyond the guide: which were deleted, if no local store remembers that.
    package var deletedIDs: DeletedIDs
    /// Beyond the guide: the most quakes; `nil`: there is no limit. It never changes, so that all who reduce
    /// the same actions keep the same.
    fileprivate var limit: Int?
    /// Beyond the guide: whether all that is fetched is made up; `nil`: no. It never changes.
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

    /// The rows of ``table``. Setting them costs O(n), n quakes: change the table instead.
    package var data: TreeDictionary<Quake.ID, Quake> {
      get { self.table.rows }
      set { self.table = Table(newValue) }
    }
  }
}

extension QuakesState.Quakes {
  /// All quakes that were deleted at once. There is one, so it holds at most as many quakes as the state once
  /// did.
  package struct Deletion: Codable, Sendable {
    /// Counts the deletions.
    package var number = 0
    /// Empty once they are back.
    package var table = Table<Quake>()
  }

  /// Whatever was deleted, what is left is the same.
  package static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.table == rhs.table && lhs.status == rhs.status && lhs.skipped == rhs.skipped
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(self.table)
    hasher.combine(self.status)
    hasher.combine(self.skipped)
  }

  /// The quakes that a deletion deleted and that are not there again; none if there was a newer one.
  ///
  /// - Complexity: O(n log n), n quakes that were deleted.
  func deleted(by deletion: Int) -> [Quake] {
    guard self.deletion.number == deletion else { return [] }
    return self.deletion.table.rows.values.filter { self.data[$0.id] == nil }
  }

  /// What a refresh changes.
  package struct Changes: Hashable, Sendable {
    /// Were not there.
    package var inserted: [Quake] = []
    /// Were there with other values; these are the new ones.
    package var updated: [Quake] = []
    /// Were there, and are now of a magnitude of zero or below, or among the oldest of too many.
    package var deleted: [Quake] = []
  }

  /// The quakes of a refresh, or of the local store, without those that change nothing here. What is
  /// left is all that the main actor has to look at.
  ///
  /// - Complexity: O(m log n), m quakes that were read, n that are here.
  func news(in quakes: [Quake]) -> [Quake] {
    // Few cost nothing wherever they are looked at.
    guard quakes.count > Self.fewQuakes else { return quakes }
    return quakes.filter { quake in
      self.data[quake.id].map { $0 != quake } ?? (.zero < quake.magnitude)
    }
  }

  /// The quakes of the local store that are not here.
  ///
  /// - Complexity: O(m log n), m quakes that were read, n that are here.
  func missing(in quakes: [Quake]) -> [Quake] {
    guard quakes.count > Self.fewQuakes else { return quakes }
    return quakes.filter { self.data[$0.id] == nil }
  }

  private static let fewQuakes = 1_000

  /// What a refresh changes here: quakes of a magnitude of zero and below go, and of several with one
  /// id the last counts. Of more than there may be, the oldest go.
  ///
  /// - Complexity: O(m log n), m quakes of the refresh, n that are here; the logarithm is to base 32. If there
  ///   would be more than there may be, O((m + n) log(m + n)).
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

  /// Has the oldest go, of more than there may be. A hundredth of those that there may be goes too, so that
  /// this has to be done only now and then; and what is older than all that are here does not come.
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
