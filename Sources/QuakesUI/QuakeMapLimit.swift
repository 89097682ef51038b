import ImmutableUI
import QuakesData

/// Says that the map shows only the strongest earthquakes.
struct QuakeMapLimit: Component, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>

  init(_ local: QuakesLocal) {
    self._quakes = SelectQuakesValues(local.search, QuakeMarkers.sort)
  }

  var body: some Component {
    let count = self.quakes.count
    return QuakeMapLimitPresenter(count: count > QuakeMarkers.limit ? count : nil)
  }
}

private struct QuakeMapLimitPresenter: Presenter, Hashable {
  /// The number of earthquakes, if they are too many.
  let count: Int?

  static let template = Template<Self>([
    .optionalText("limit") { model in
      model.count.map {
        "The map shows the strongest \(QuakeMarkers.limit.grouped) of \($0.grouped)."
      }
    }
  ])
}
