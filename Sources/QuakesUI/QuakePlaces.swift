import HTMLTemplates
import ImmutableUI
import QuakesData

/// What a search can be for: where the earthquakes of the day happened.
struct QuakePlaces: Presenter, Hashable {
  @SelectQuakesRegions private var regions: [String]

  init(search: QuakeList.Search) {
    self._regions = SelectQuakesRegions(search)
  }

  static let template = Template<Self>([
    .each("regions", [.text("name") { $0 }]) { $0.regions }
  ])
}
