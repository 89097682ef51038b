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
  ///   - searchDate: They happened on this day of `Calendar.autoupdatingCurrent`; midnight belongs
  ///     to the day that it begins.
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
  ///   - searchDate: They happened on this day of `Calendar.autoupdatingCurrent`; midnight belongs
  ///     to the day that it begins.
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

// By interval. Beyond the guide. Windows in one time zone have the same interval for the same day,
// and so share the selection, whatever the zone of the server.
extension SortedRows<Quake> {
  /// The quakes of an interval, sorted.
  ///
  /// - Parameters:
  ///   - searchText: A part of their name, ignoring case and accents; empty for any name.
  ///   - searchInterval: When they happened, excluding the upper bound.
  ///   - minimumMagnitude: Their minimum magnitude as it is shown, rounded to one decimal.
  ///   - keyPath: The value to sort by; equal ones are sorted by time, newest first.
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
  /// The quake with an id, if it matches a search.
  ///
  /// - Parameters:
  ///   - quakeId: Its id.
  ///   - searchText: A part of its name, ignoring case and accents; empty for any name.
  ///   - searchInterval: When it happened, excluding the upper bound.
  ///   - minimumMagnitude: Its minimum magnitude as it is shown, rounded to one decimal.
  /// - Complexity: O(log n), n quakes.
  public static func selectQuake(
    quakeId: Quake.ID?,
    searchText: String,
    searchInterval: Range<Date>,
    minimumMagnitude: Double = -.infinity
  ) -> @Sendable (Self) -> Quake? {
    let isFound = Quake.isFound(
      searchText: searchText,
      searchInterval: searchInterval,
      minimumMagnitude: minimumMagnitude
    )
    return { state in
      Self.selectQuake(quakeId: quakeId)(state).flatMap { isFound($0) ? $0 : nil }
    }
  }
}

extension QuakesState {
  /// The total number of quakes.
  ///
  /// - Complexity: O(1).
  public static func selectQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.data.count }
  }

  /// The status of the newest fetch of quakes, or why a later write failed; `nil` before the first.
  ///
  /// - Complexity: O(1).
  public static func selectQuakesStatus() -> @Sendable (Self) -> Status? {
    { state in state.quakes.status }
  }

  /// Beyond the guide: the number of features in the newest refresh that could not be read.
  ///
  /// - Complexity: O(1).
  public static func selectQuakesSkippedCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.skipped }
  }

  /// Beyond the guide: the number of new quakes in the newest refresh.
  ///
  /// - Complexity: O(1).
  public static func selectNewQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.newCount ?? 0 }
  }

  /// Beyond the guide: whether all fetched quakes are fictional.
  ///
  /// - Complexity: O(1).
  public static func selectIsSample() -> @Sendable (Self) -> Bool {
    { state in state.quakes.isSample == true }
  }

  /// Beyond the guide: the newest deletion of all quakes, while there are no quakes and it can be
  /// undone.
  ///
  /// - Complexity: O(1).
  public static func selectDeletedQuakes() -> @Sendable (Self) -> DeletedQuakesCount? {
    { state in
      let deletion = state.quakes.deletion
      guard state.quakes.table.isEmpty, deletion.table.isEmpty == false else { return nil }
      return DeletedQuakesCount(deletion: deletion.number, count: deletion.table.rows.count)
    }
  }

  /// Beyond the guide: the number of the newest deletion of all quakes; 0 if there was none.
  ///
  /// - Complexity: O(1).
  public static func selectDeletion() -> @Sendable (Self) -> Int {
    { state in state.quakes.deletion.number }
  }

  /// Beyond the guide: the number of quakes that undoing a deletion of all would restore.
  ///
  /// - Complexity: O(n log n), n deleted quakes.
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
