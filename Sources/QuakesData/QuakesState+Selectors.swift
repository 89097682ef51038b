public import Foundation
public import HashTreeCollections
public import ImmutableData

// Selectors that do not say their complexity are O(1).
//
// Source: the guide, chapter QuakesData, section QuakesState.

// By calendar day, exactly as in the guide. Windows use ``QuakeSearch`` instead, which ignores case
// and accents, and whose intervals exclude their end.
extension QuakesState {
  /// The quakes of a day by id.
  ///
  /// - Parameters:
  ///   - searchText: Their name contains it; empty: any name does.
  ///   - searchDate: They happened on this day of `Calendar.autoupdatingCurrent`, or at the start of
  ///     the next.
  /// - Complexity: O(n), n quakes.
  public static func selectQuakes(
    searchText: String,
    searchDate: Date
  ) -> @Sendable (Self) -> TreeDictionary<Quake.ID, Quake> {
    { state in
      let isFound = Quake.isFound(by: searchText, on: searchDate)
      return state.quakes.data.filter { isFound($0.value) }
    }
  }

  /// The quakes of a day, as by ``selectQuakes(searchText:searchDate:)``, sorted; those with equal
  /// values by their id.
  ///
  /// - Complexity: O(n + k log k), n quakes, k of them found.
  public static func selectQuakesValues(
    searchText: String,
    searchDate: Date,
    sort keyPath: any KeyPath<Quake, some Comparable> & Sendable,
    order: SortOrder = .forward
  ) -> @Sendable (Self) -> [Quake] {
    let order: any PropertySorting<Quake> = PropertyOrder(keyPath, order)
    return { state in
      order.sort(
        state.quakes.data.values.filter(Quake.isFound(by: searchText, on: searchDate)))
    }
  }
}

extension Quake {
  fileprivate static func isFound(by text: String, on date: Date) -> (Self) -> Bool {
    // Not every day has a midnight, nor 24 hours.
    let day = Calendar.autoupdatingCurrent.dateInterval(of: .day, for: date)
    let times = (day?.start ?? date)...(day?.end ?? date)
    return { times.contains($0.time) && (text.isEmpty || $0.name.contains(text)) }
  }
}

extension SortedRows<Quake> {
  /// Beyond the guide: the quakes that a search finds, sorted; those with equal values by time,
  /// newest first.
  public static func quakes(
    _ search: QuakeSearch,
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable,
    order: SortOrder = .forward
  ) -> Self {
    let order = RowOrder<Quake>(keyPath, order) { lhs, rhs in
      lhs.time == rhs.time ? lhs.id < rhs.id : lhs.time > rhs.time
    }
    return Self(by: order) { search.finds($0) }
  }
}

extension QuakesState {
  /// The total number of quakes.
  public static func selectQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.data.count }
  }

  /// Beyond the guide: whether there are any quakes.
  public static func selectHasQuakes() -> @Sendable (Self) -> Bool {
    { state in state.quakes.data.isEmpty == false }
  }

  /// The status of the newest fetch of quakes, or why a later write failed; `nil` before the first.
  public static func selectQuakesStatus() -> @Sendable (Self) -> Status? {
    { state in state.quakes.status }
  }

  /// Beyond the guide: the number of features in the newest refresh that could not be read.
  public static func selectQuakesSkippedCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.skipped }
  }

  /// Beyond the guide: the number of new quakes in the newest refresh.
  public static func selectNewQuakesCount() -> @Sendable (Self) -> Int {
    { state in state.quakes.newCount ?? 0 }
  }

  /// Beyond the guide: whether all fetched quakes are fictional.
  public static func selectIsSample() -> @Sendable (Self) -> Bool {
    { state in state.quakes.isSample == true }
  }

  /// Beyond the guide: the newest deletion of all quakes, while there are no quakes and it can be
  /// undone.
  public static func selectDeletedQuakes() -> @Sendable (Self) -> DeletedQuakesCount? {
    { state in
      let deletion = state.quakes.deletion
      guard state.quakes.table.isEmpty, deletion.table.isEmpty == false else { return nil }
      return DeletedQuakesCount(deletion: deletion.number, count: deletion.table.rows.count)
    }
  }

  /// Beyond the guide: the number of the newest deletion of all quakes; 0 if there was none.
  public static func selectDeletion() -> @Sendable (Self) -> Int {
    { state in state.quakes.deletion.number }
  }

  /// Beyond the guide: the number of quakes that undoing a deletion of all would restore.
  ///
  /// - Complexity: O(1) if there are no quakes; otherwise that of
  ///   ``QuakesState/Quakes/restoration(of:)``.
  public static func selectDeletedCount(deletion: Int) -> @Sendable (Self) -> Int {
    { state in
      let quakes = state.quakes
      if quakes.restoresAll, quakes.deletion.number == deletion {
        return quakes.deletion.table.count
      }
      return quakes.restoration(of: deletion).inserted.count
    }
  }

  /// The quake with an id.
  ///
  /// - Complexity: O(log n), n quakes.
  public static func selectQuake(quakeId: Quake.ID?) -> @Sendable (Self) -> Quake? {
    { state in quakeId.flatMap { state.quakes.data[exactly: $0] } }
  }
}
