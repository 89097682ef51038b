import Foundation
import HashTreeCollections
import ImmutableData
import ImmutableUI
import QuakesData

// What components read.
//
// Source: the guide, chapter QuakesUI, section Select. What it selects by a date is selected by the
// interval that the window's day is in its time zone, so that windows of any zones share it.

typealias Store = ImmutableData.Store<QuakesState, QuakesAction>

/// Selects the quakes of a search, sorted.
@propertyWrapper struct SelectQuakesValues: ListSelector {
  @TableSelector<Store, SortedRows<Quake>> var wrappedValue: SortedRows<Quake>

  init(_ search: QuakeList.Search, _ sort: QuakeList.Sort) {
    switch sort.parameter {
    case .time: self.init(search, sort, by: \Quake.time)
    case .magnitude: self.init(search, sort, by: \Quake.magnitude)
    }
  }

  private init(
    _ search: QuakeList.Search,
    _ sort: QuakeList.Sort,
    by keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable
  ) {
    self._wrappedValue = TableSelector(
      id: ID(text: search.text, interval: search.interval, minimum: search.minimum, sort: sort),
      label: """
        SelectQuakesValues(searchText: "\(search.text)", searchInterval: \(search.interval), \
        minimumMagnitude: \(search.minimum.rawValue), sort: \(sort.parameter), order: \(sort.order))
        """,
      from: \.quakesTable,
      into: .quakes(
        searchText: search.text,
        searchInterval: search.interval,
        minimumMagnitude: search.minimum.value,
        sort: keyPath,
        order: sort.order == .forward ? .forward : .reverse
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let text: String
    let interval: Range<Date>
    let minimum: MinimumMagnitude
    let sort: QuakeList.Sort
  }
}

/// Selects how many quakes there are in all.
@propertyWrapper struct SelectQuakesCount: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesCount",
    outputSelector: QuakesState.selectQuakesCount()
  ) var wrappedValue: Int

  init() {}
}

/// Selects how the newest fetch of quakes stands.
@propertyWrapper struct SelectQuakesStatus: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesStatus",
    outputSelector: QuakesState.selectQuakesStatus()
  ) var wrappedValue: Status?

  init() {}
}

/// Selects how many entries of the newest feed could not be read.
@propertyWrapper struct SelectQuakesSkippedCount: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesSkippedCount",
    outputSelector: QuakesState.selectQuakesSkippedCount()
  ) var wrappedValue: Int

  init() {}
}

/// Selects whether all that is fetched is made up.
@propertyWrapper struct SelectIsSample: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectIsSample",
    outputSelector: QuakesState.selectIsSample()
  ) var wrappedValue: Bool

  init() {}
}

/// Selects how many quakes were deleted at once, while there are no others.
@propertyWrapper struct SelectDeletedQuakes: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectDeletedQuakes",
    outputSelector: QuakesState.selectDeletedQuakes()
  ) var wrappedValue: DeletedQuakesCount?

  init() {}
}

/// Selects a quake, if it is what is looked for.
@propertyWrapper struct SelectQuake: RowSelector {
  @ImmutableUI.Selector<Store, Quake?> var wrappedValue: Quake?

  init(quakeId: Quake.ID?) {
    self._wrappedValue = ImmutableUI.Selector(
      id: quakeId,
      label: "SelectQuake(quakeId: \(quakeId ?? "nil"))",
      outputSelector: QuakesState.selectQuake(quakeId: quakeId)
    )
  }

  init(quakeId: Quake.ID?, in search: QuakeList.Search) {
    self._wrappedValue = ImmutableUI.Selector(
      id: ID(quakeId: quakeId, search: search),
      label: "SelectQuake(quakeId: \(quakeId ?? "nil"), searchText: \"\(search.text)\")",
      outputSelector: QuakesState.selectQuake(
        quakeId: quakeId,
        searchText: search.text,
        searchInterval: search.interval,
        minimumMagnitude: search.minimum.value
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let quakeId: Quake.ID?
    let search: QuakeList.Search
  }
}

/// Selects how many quakes there were on each of several days, and how strong they were.
@propertyWrapper struct SelectQuakesTallies: Hashable, Sendable {
  @TableSelector<Store, QuakesTallies> var wrappedValue: [QuakesTally]

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
  @TableSelector<Store, QuakesRegions> var wrappedValue: [String]

  /// More would be a list to read.
  private static let limit = 20

  /// - Parameter search: Its text is left out: it is what regions are suggested for.
  init(_ search: QuakeList.Search) {
    self._wrappedValue = TableSelector(
      id: ID(interval: search.interval, minimum: search.minimum),
      label: "SelectQuakesRegions(searchInterval: \(search.interval))",
      from: \.quakesTable,
      into: QuakesRegions(
        searchInterval: search.interval,
        minimumMagnitude: search.minimum.value,
        limit: Self.limit
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let interval: Range<Date>
    let minimum: MinimumMagnitude
  }
}

/// Selects when the nearest quakes before and after a day happened.
@propertyWrapper struct SelectNearestQuakes: Hashable, Sendable {
  @ImmutableUI.Selector<Store, NearestQuakes> var wrappedValue: NearestQuakes

  init(_ search: QuakeList.Search) {
    self._wrappedValue = ImmutableUI.Selector(
      id: ID(text: search.text, interval: search.interval, minimum: search.minimum),
      label: "SelectNearestQuakes(searchText: \"\(search.text)\", to: \(search.interval))",
      filter: QuakesFilter.filterQuakes(),
      outputSelector: QuakesState.selectNearestQuakes(
        searchText: search.text,
        minimumMagnitude: search.minimum.value,
        to: search.interval
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let text: String
    let interval: Range<Date>
    let minimum: MinimumMagnitude
  }
}
