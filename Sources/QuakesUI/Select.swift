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
  @ImmutableUI.Selector<Store, TreeDictionary<Quake.ID, Quake>, [Quake]>
  var wrappedValue: [Quake]

  init(
    searchText: String,
    searchInterval: Range<Date>,
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable,
    order: SortOrder
  ) {
    self._wrappedValue = ImmutableUI.Selector(
      id: ID(
        searchText: searchText,
        searchInterval: searchInterval,
        keyPath: keyPath,
        order: order
      ),
      label: """
        SelectQuakesValues(searchText: "\(searchText)", searchInterval: \(searchInterval), \
        keyPath: \(keyPath), order: \(order))
        """,
      filter: QuakesFilter.filterQuakes(searchText: searchText, searchInterval: searchInterval),
      dependencySelector: QuakesState.selectQuakes(
        searchText: searchText,
        searchInterval: searchInterval
      ),
      outputSelector: QuakesState.selectQuakesValues(
        searchText: searchText,
        searchInterval: searchInterval,
        sort: keyPath,
        order: order
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let searchText: String
    let searchInterval: Range<Date>
    let keyPath: any AnyKeyPath & Sendable
    let order: SortOrder

    static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.searchText == rhs.searchText && lhs.searchInterval == rhs.searchInterval
        && lhs.keyPath as AnyKeyPath == rhs.keyPath && lhs.order == rhs.order
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(self.searchText)
      hasher.combine(self.searchInterval)
      hasher.combine(self.keyPath as AnyKeyPath)
      hasher.combine(self.order)
    }
  }
}

extension SelectQuakesValues {
  init(_ search: QuakeList.Search, _ sort: QuakeList.Sort) {
    switch sort.parameter {
    case .time: self.init(search, sort: \Quake.time, sort.order)
    case .magnitude: self.init(search, sort: \Quake.magnitude, sort.order)
    }
  }

  private init(
    _ search: QuakeList.Search,
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable,
    _ order: QuakeList.SortOrder
  ) {
    self.init(
      searchText: search.text,
      searchInterval: search.interval,
      sort: keyPath,
      order: order == .forward ? .forward : .reverse
    )
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

/// Selects a quake, if it is what is looked for.
@propertyWrapper struct SelectQuake: Hashable, Sendable {
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
        searchInterval: search.interval
      )
    )
  }

  private struct ID: Hashable, Sendable {
    let quakeId: Quake.ID?
    let search: QuakeList.Search
  }
}
