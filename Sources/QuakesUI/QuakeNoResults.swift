import Foundation
import ImmutableUI
import PlainText
import QuakesData

/// Says that nothing was found, and suggests other searches.
struct QuakeNoResults: Component, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  @SelectHasQuakes private var hasQuakes
  @SelectNearestQuakes private var nearest: NearestQuakes
  private let search: QuakeList.Search
  /// The search text as it was entered.
  private let searchText: String
  /// The window's time zone.
  private let timeZone: TimeZone
  private let today: CalendarDay

  init(_ local: QuakesLocal) {
    let search = local.search
    self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    self._nearest = SelectNearestQuakes(search.quakes)
    self.search = search
    self.searchText = search.text.text
    self.timeZone = local.timeZone
    self.today = local.today
  }

  var body: some Component {
    let isShown = self.quakes.isEmpty && self.hasQuakes
    return QuakeNoResultsPresenter(
      isShown: isShown,
      search: self.search,
      searchText: self.searchText,
      // All earthquakes are searched for them.
      days: isShown ? self.days : []
    )
  }

  /// The nearest days with results, the earlier one first.
  private var days: [QuakeNoResultsPresenter.NearestDay] {
    [self.nearest.before, self.nearest.after].compactMap(\.self).map {
      QuakeNoResultsPresenter.NearestDay(
        day: CalendarDay(of: $0, in: self.timeZone), today: self.today)
    }
  }
}

private struct QuakeNoResultsPresenter: Presenter, Hashable {
  struct NearestDay: Hashable {
    let day: CalendarDay
    let today: CalendarDay
  }

  let isShown: Bool
  let search: QuakeList.Search
  let searchText: String
  let days: [NearestDay]

  static let template = Template<Self>([
    .flag("isShown") { $0.isShown },
    .text("searchText") { $0.searchText },
    .text("minimum") { $0.search.minimum == .all ? "" : $0.search.minimum.name },
    .text("day") { $0.search.day.text },
    .flag("isSkipped") { $0.search.interval.isEmpty },
    .flag("isFiltered") { $0.search != $0.search.ofWholeDay },
    .link("clear", QuakesLocal.self) { local, _ in
      local.searchText = ""
      local.minimumMagnitude = .all
    },
    .each(
      "days",
      [
        .text("name") { $0.day.text },
        .link("show", QuakesLocal.self) { $0.show($1.day, today: $1.today) },
      ]
    ) { $0.days },
  ])
}
