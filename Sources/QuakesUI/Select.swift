import Foundation
import HashTreeCollections
import ImmutableData
import ImmutableUI
import QuakesData

// The selectors of the components.
//
// Source: the guide, chapter QuakesUI, section Select. Where the guide selects by a date, this
// selects by the interval of the window's day in its time zone, so that windows in any zones can
// share it.

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
      in: Quake.groups(around: search.interval),
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

/// Selects the total number of quakes.
@propertyWrapper struct SelectQuakesCount: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesCount",
    outputSelector: QuakesState.selectQuakesCount()
  ) var wrappedValue: Int

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

/// Selects the number of entries in the newest feed that could not be read.
@propertyWrapper struct SelectQuakesSkippedCount: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectQuakesSkippedCount",
    outputSelector: QuakesState.selectQuakesSkippedCount()
  ) var wrappedValue: Int

  init() {}
}

/// Selects whether all fetched quakes are fictional.
@propertyWrapper struct SelectIsSample: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectIsSample",
    outputSelector: QuakesState.selectIsSample()
  ) var wrappedValue: Bool

  init() {}
}

/// Selects the number of quakes that were deleted together, while there are no others.
@propertyWrapper struct SelectDeletedQuakes: Hashable, Sendable {
  @ImmutableUI.Selector(
    label: "SelectDeletedQuakes",
    outputSelector: QuakesState.selectDeletedQuakes()
  ) var wrappedValue: DeletedQuakesCount?

  init() {}
}

/// Selects a quake, if it matches the search.
@propertyWrapper struct SelectQuake: RowSelector {
  @TableSelector<Store, SingleRow<Quake>> var wrappedValue: Quake?

  init(quakeId: Quake.ID?) {
    self._wrappedValue = TableSelector(
      row: quakeId,
      label: "SelectQuake(quakeId: \(quakeId ?? "nil"))",
      from: \.quakesTable
    )
  }

  init(quakeId: Quake.ID?, in search: QuakeList.Search) {
    self._wrappedValue = TableSelector(
      row: quakeId,
      id: search,
      label: "SelectQuake(quakeId: \(quakeId ?? "nil"), searchText: \"\(search.text)\")",
      from: \.quakesTable,
      where: Quake.isFound(
        searchText: search.text,
        searchInterval: search.interval,
        minimumMagnitude: search.minimum.value
      )
    )
  }
}

/// Selects the number and strength of the quakes on each of several days.
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

  /// More would be too many to choose from.
  private static let limit = 20

  /// - Parameter search: Its text is ignored, because regions are suggestions for it.
  init(_ search: QuakeList.Search) {
    self._wrappedValue = TableSelector(
      id: ID(interval: search.interval, minimum: search.minimum),
      label: "SelectQuakesRegions(searchInterval: \(search.interval))",
      from: \.quakesTable,
      in: Quake.groups(around: search.interval),
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

/// Selects the number of fictional quakes that a search finds.
@propertyWrapper struct SelectSampleQuakesCount: Hashable, Sendable {
  @TableSelector<Store, SampleQuakesCount> var wrappedValue: Int

  init(_ search: QuakeList.Search) {
    self._wrappedValue = TableSelector(
      id: ID(text: search.text, interval: search.interval, minimum: search.minimum),
      label: """
        SelectSampleQuakesCount(searchText: "\(search.text)", searchInterval: \(search.interval))
        """,
      from: \.quakesTable,
      in: Quake.groups(around: search.interval),
      into: SampleQuakesCount(
        searchText: search.text,
        searchInterval: search.interval,
        minimumMagnitude: search.minimum.value
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let text: String
    let interval: Range<Date>
    let minimum: MinimumMagnitude
  }
}

/// Selects the times of the nearest quakes before and after a day.
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
