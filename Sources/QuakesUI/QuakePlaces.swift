import ImmutableUI
import QuakesData

/// Suggestions for a search: the regions of the day's earthquakes.
struct QuakePlaces: Presenter, Hashable {
  @SelectQuakesRegions private var regions: [String]

  init(search: QuakeList.Search) {
    self._regions = SelectQuakesRegions(search)
  }

  static let template = Template<Self>([
    .each("regions", [.text("name") { $0 }]) { $0.regions }
  ])
}
