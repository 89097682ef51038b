import ImmutableUI
import QuakesData

/// Says that the map shows only the strongest earthquakes.
struct QuakeMapLimit: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>

  init(_ local: QuakesLocal) {
    self._quakes = SelectQuakesValues(local.search, QuakeMarkers.sort)
  }

  private var text: String? {
    let (limit, count) = (QuakeMarkers.limit, self.quakes.count)
    guard count > limit else { return nil }
    return "The map shows the strongest \(limit.grouped) of \(count.grouped)."
  }

  static let template = Template<Self>([
    .optionalText("limit") { $0.text }
  ])
}
