import HTMLTemplates
import ImmutableUI
import QuakesData

/// Says that nothing was found, and of what.
struct QuakeNoResults: Presenter, Hashable {
  @SelectQuakesValues private var quakes: [Quake]
  @SelectQuakesCount private var totalQuakes
  /// As it was entered.
  private let searchText: String
  private let day: CalendarDay

  init(search: QuakeList.Search, searchText: String) {
    self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    self.searchText = searchText
    self.day = search.day
  }

  static let template = Template<Self>([
    .flag("isShown") { $0.quakes.isEmpty && $0.totalQuakes > 0 },
    .text("searchText") { $0.searchText },
    .text("day") { $0.day.text },
  ])
}
