import Foundation
import HashTreeCollections
import ImmutableData
import QuakesData

/// Where windows are: one of the last five days, and for each the whole of it by time in both commands,
/// the whole by magnitude, and a search.
struct Place: Hashable {
  /// How many days before the last.
  let day: Int
  let view: View

  enum View: Hashable, CaseIterable {
    case newestLast
    case newestFirst
    case strongestFirst
    case alaska
  }

  static let all = (0..<5).flatMap { day in View.allCases.map { Self(day: day, view: $0) } }

  var url: String {
    let date = self.interval.lowerBound.formatted(.iso8601.year().month().day())
    let query =
      switch self.view {
      case .newestLast: "&order=forward"
      case .newestFirst: ""
      case .strongestFirst: "&sort=magnitude"
      case .alaska: "&search=Alaska"
      }
    return "/quakes?date=\(date)\(query)"
  }
}

// What a frame selects there.
extension Place {
  typealias Select = @Sendable (QuakesState) -> Int

  var interval: Range<Date> {
    let end = QuakesBenchmark.anchor.addingTimeInterval(TimeInterval(self.day) * -86_400)
    return end.addingTimeInterval(-86_400)..<end
  }

  private var searchText: String {
    self.view == .alaska ? "Alaska" : ""
  }

  /// Each list that rows and markers of all places select, once, derived from all quakes.
  static var selectors: [Select] {
    self.all.flatMap { place in
      switch place.view {
      case .newestLast: [place.select(sort: \.time, .forward)]
      case .newestFirst: [place.select(sort: \.time, .reverse)]
      // The markers of the three views of a whole day are sorted as this list is.
      case .strongestFirst: [place.select(sort: \.magnitude, .reverse)]
      case .alaska:
        [place.select(sort: \.time, .reverse), place.select(sort: \.magnitude, .reverse)]
      }
    }
  }

  private func select(
    sort keyPath: any KeyPath<Quake, some Comparable & SendableMetatype> & Sendable,
    _ order: SortOrder
  ) -> Select {
    let empty = SortedRows.quakes(
      QuakeSearch(self.searchText, in: self.interval),
      sort: keyPath,
      order: order
    )
    return { state in empty.with(state).count }
  }
}

extension SortedRows<Quake> {
  /// With the quakes of a state.
  func with(_ state: QuakesState) -> Self {
    var rows = self
    rows.insert(all: state.quakesTable.rows.values)
    return rows
  }
}
