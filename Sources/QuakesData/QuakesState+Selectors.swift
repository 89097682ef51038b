public import Foundation
public import HashTreeCollections
public import ImmutableData

// By calendar day.
//
// Source: the guide, chapter QuakesData, section QuakesState.
extension QuakesState {
  /// The quakes of a day by id.
  ///
  /// - Parameters:
  ///   - searchText: Their name contains it, whatever its case and accents; empty: any name does.
  ///   - searchDate: They happened on this day of `Calendar.autoupdatingCurrent`; midnight belongs to
  ///     the day that it begins.
  /// - Complexity: O(n), n quakes.
  public static func selectQuakes(
    searchText: String,
    searchDate: Date
  ) -> @Sendable (Self) -> TreeDictionary<Quake.ID, Quake> {
    { state in
      state.selectQuakes(QuakeSearch(text: searchText, interval: .day(of: searchDate)))
    }
  }

  /// The quakes of a day, sorted.
  ///
  /// - Parameters:
  ///   - searchText: Their name contains it, whatever its case and accents; empty: any name does.
  ///   - searchDate: They happened on this day of `Calendar.autoupdatingCurrent`; midnight belongs to
  ///     the day that it begins.
  ///   - keyPath: What to sort by; equal ones are sorted by their id.
  ///   - order: Forward is ascending.
  /// - Complexity: O(n + k log k), n quakes, k of them found.
  public static func selectQuakesValues(
    searchText: String,
    searchDate: Date,
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Quake] {
    { state in
      state.selectQuakesValues(QuakeSearch(text: searchText, interval: .day(of: searchDate)))
        .sorted(by: keyPath, order)
    }
  }
}

// By interval: beyond the guide. Windows of one time zone have the same interval for the same day, and
// so share what is selected, whatever the zone of the server.
extension SortedRows<Quake> {
  /// The quakes of an interval, sorted.
  ///
  /// - Parameters:
  ///   - searchText: Their name contains it, whatever its case and accents; empty: any name does.
  ///   - searchInterval: When they happened; its upper bound is not in it.
  ///   - minimumMagnitude: The least that they have, as it is shown: to one decimal.
  ///   - keyPath: What to sort by; of equal ones the newest comes first.
  ///   - order: Forward is ascending.
  public static func quakes(
    searchText: String,
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity,
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable,
    order: SortOrder = .forward
  ) -> Self {
    let search = QuakeSearch(
      text: searchText,
      interval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    let order = RowOrder<Quake>(keyPath, order) { lhs, rhs in
      lhs.time == rhs.time ? lhs.id < rhs.id : lhs.time > rhs.time
    }
    return Self(by: order) { search.finds($0) }
  }
}

extension QuakesState {
  /// The quake with an id, if it is what is looked for.
  ///
  /// - Parameters:
  ///   - quakeId: Its id.
  ///   - searchText: Its name contains it, whatever its case and accents; empty: any name does.
  ///   - searchInterval: When it happened; its upper bound is not in it.
  ///   - minimumMagnitude: The least that it has, as it is shown: to one decimal.
  /// - Complexity: O(log n), n quakes.
  public static func selectQuake(
    quakeId: Quake.ID?,
    searchText: String,
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity
  ) -> @Sendable (Self) -> Quake? {
    let search = QuakeSearch(
      text: searchText,
      interval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    return { state in
      Self.selectQuake(quakeId: quakeId)(state).flatMap { search.finds($0) ? $0 : nil }
    }
  }
}

extension QuakesState {
  /// How many quakes there are in all.
  ///
  /// - Complexity: O(1).
  public static func selectQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.data.count }
  }

  /// How the newest fetch of quakes stands, or why a write since has failed; `nil` before the first.
  ///
  /// - Complexity: O(1).
  public static func selectQuakesStatus() -> @Sendable (Self) -> Status? {
    { state in state.quakes.status }
  }

  /// Beyond the guide: how many features of the newest refresh could not be read.
  ///
  /// - Complexity: O(1).
  public static func selectQuakesSkippedCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.skipped }
  }

  /// Beyond the guide: how many quakes the newest refresh has brought that were not there.
  ///
  /// - Complexity: O(1).
  public static func selectNewQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.newCount ?? 0 }
  }

  /// Beyond the guide: whether all that is fetched is made up.
  ///
  /// - Complexity: O(1).
  public static func selectIsSample() -> @Sendable (Self) -> Bool {
    { state in state.quakes.isSample == true }
  }

  /// Beyond the guide: the newest deletion of all quakes, while there are no others and it can bring them back.
  ///
  /// - Complexity: O(1).
  public static func selectDeletedQuakes() -> @Sendable (Self) -> DeletedQuakesCount? {
    { state in
      let deletion = state.quakes.deletion
      guard state.quakes.table.isEmpty, deletion.table.isEmpty == false else { return nil }
      return DeletedQuakesCount(deletion: deletion.number, count: deletion.table.rows.count)
    }
  }

  /// Beyond the guide: the number of the newest deletion of all quakes; 0: there was none.
  ///
  /// - Complexity: O(1).
  public static func selectDeletion() -> @Sendable (Self) -> Int {
    { state in state.quakes.deletion.number }
  }

  /// Beyond the guide: how many quakes a deletion of all can bring back.
  ///
  /// - Complexity: O(n log n), n quakes that were deleted.
  public static func selectDeletedCount(deletion: Int) -> @Sendable (Self) -> Int {
    { state in state.quakes.deleted(by: deletion).count }
  }

  /// The quake with an id.
  ///
  /// - Complexity: O(log n), n quakes.
  public static func selectQuake(quakeId: Quake.ID?) -> @Sendable (Self) -> Quake? {
    { state in quakeId.flatMap { state.quakes.data[$0] } }
  }
}

extension QuakesState {
  private func selectQuakes(_ search: QuakeSearch) -> TreeDictionary<Quake.ID, Quake> {
    self.quakes.data.filter { search.finds($0.value) }
  }

  private func selectQuakesValues(_ search: QuakeSearch) -> [Quake] {
    self.quakes.data.values.filter { search.finds($0) }
  }
}
