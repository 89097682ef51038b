import ImmutableUI
import QuakesData

/// Suggestions for a search: the regions of the day's earthquakes.
struct QuakePlaces: Presenter, Hashable {
  @SelectQuakesRegions private var regions: [String]

  init(_ local: QuakesLocal) {
    self._regions = SelectQuakesRegions(local.search)
  }

  static let template = Template<Self>([
    .each("regions", [.text("name") { $0 }]) { $0.regions }
  ])
}
