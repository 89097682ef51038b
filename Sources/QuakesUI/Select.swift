import Foundation
import HashTreeCollections
import ImmutableUI
import QuakesData

// The selectors of the components.
//
// Source: the guide, chapter QuakesUI, section Select. Where the guide selects by a date, this
// selects by the interval of the window's day in its time zone, so that windows in any zones can
// share it.

/// Selects the quakes of a search, sorted.
@propertyWrapper struct SelectQuakesValues: ListSelector {
  @TableSelector<QuakesState.Store, SortedRows<Quake>> var wrappedValue: SortedRows<Quake>

  init(_ search: QuakeList.Search, _ sort: QuakeList.Sort) {
    switch sort.parameter {
    case .time: self.init(search.quakes, sort, by: \Quake.time)
    case .magnitude: self.init(search.quakes, sort, by: \Quake.magnitude)
    }
  }

  private init(
    _ search: QuakeSearch,
    _ sort: QuakeList.Sort,
    by keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable
  ) {
    self._wrappedValue = TableSelector(
      id: ID(search: search, sort: sort),
      label: "SelectQuakesValues(\(search), sort: \(sort.parameter), order: \(sort.order))",
      from: \.quakesTable,
      in: Quake.groups(around: search),
      into: .quakes(
        search, sort: keyPath, order: sort.order == .forward ? .forward : .reverse)
    )
  }

  private struct ID: Hashable, Sendable {
    let search: QuakeSearch
    let sort: QuakeList.Sort
  }
}

/// Selects the total number of quakes.
@propertyWrapper struct SelectQuakesCount: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesCount",
    outputSelector: QuakesState.selectQuakesCount()
  ) var wrappedValue: Int

  init() {}
}

/// Selects whether there are any quakes. Their number changes with each of them, and what depends on it
/// is rendered again in the windows of all days.
@propertyWrapper struct SelectHasQuakes: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectHasQuakes",
    outputSelector: QuakesState.selectHasQuakes()
  ) var wrappedValue: Bool

  init() {}
}

/// Selects the status of the newest fetch of quakes.
@propertyWrapper struct SelectQuakesStatus: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesStatus",
    outputSelector: QuakesState.selectQuakesStatus()
  ) var wrappedValue: Status?

  init() {}
}

/// Selects a quake, if it matches the search.
@propertyWrapper struct SelectQuake: RowSelector {
  @TableSelector<QuakesState.Store, SingleRow<Quake>> var wrappedValue: Quake?

  init(quakeId: Quake.ID?) {
    self._wrappedValue = TableSelector(
      row: quakeId,
      label: "SelectQuake(quakeId: \(quakeId ?? "nil"))",
      from: \.quakesTable
    )
  }

  init(quakeId: Quake.ID?, in search: QuakeSearch) {
    self._wrappedValue = TableSelector(
      row: quakeId,
      id: search,
      label: "SelectQuake(quakeId: \(quakeId ?? "nil"), \(search))",
      from: \.quakesTable,
      where: search.finds
    )
  }
}

/// Selects the number and strength of the quakes on each of several days.
@propertyWrapper struct SelectQuakesTallies: Hashable, Sendable {
  @TableSelector<QuakesState.Store, QuakesTallies> var wrappedValue: [QuakesTally]

  init(_ span: DaySpan) {
    self._wrappedValue = TableSelector(
      id: span,
      label: "SelectQuakesTallies(until: \(span.last))",
      from: \.quakesTable,
      into: QuakesTallies(bounds: span.bounds, magnitudes: MagnitudeClass.bounds)
    )
  }
}

/// Selects the regions in which the quakes of a day happened.
@propertyWrapper struct SelectQuakesRegions: Hashable, Sendable {
  @TableSelector<QuakesState.Store, QuakesRegions> var wrappedValue: [String]

  /// More would be too many to choose from.
  private static let limit = 20

  /// - Parameter search: Its text is ignored, because regions are suggestions for it.
  init(_ search: QuakeList.Search) {
    let search = QuakeSearch(in: search.interval, from: search.minimum.value)
    self._wrappedValue = TableSelector(
      id: search,
      label: "SelectQuakesRegions(\(search))",
      from: \.quakesTable,
      in: Quake.groups(around: search),
      into: QuakesRegions(search, limit: Self.limit)
    )
  }
}

/// Selects the number of fictional quakes that a search finds.
@propertyWrapper struct SelectSampleQuakesCount: Hashable, Sendable {
  @TableSelector<QuakesState.Store, RowCount<Quake>> var wrappedValue: Int

  init(_ search: QuakeSearch) {
    self._wrappedValue = TableSelector(
      id: search,
      label: "SelectSampleQuakesCount(\(search))",
      from: \.quakesTable,
      in: Quake.groups(around: search),
      into: .samples(search)
    )
  }
}

/// Selects the times of the nearest quakes before and after a day.
@propertyWrapper struct SelectNearestQuakes: Hashable, Sendable {
  @ImmutableUI.Selector<QuakesState.Store, NearestQuakes> var wrappedValue: NearestQuakes

  init(_ search: QuakeSearch) {
    self._wrappedValue = ImmutableUI.Selector(
      id: search,
      label: "SelectNearestQuakes(to: \(search))",
      filter: QuakesFilter.filterQuakes(),
      outputSelector: QuakesState.selectNearestQuakes(to: search)
    )
  }
}
