import ImmutableUI
import PlainText
import QuakesData

/// A link that moves the map to the results of a search.
struct QuakeMapFit: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  private let isSearching: Bool

  init(_ local: QuakesLocal) {
    let search = local.search
    self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    self.isSearching = search.text.isEmpty == false
  }

  /// A camera on the earthquakes that the map shows, as in `camera.js`.
  private var camera: MapCamera? {
    guard self.isSearching else { return nil }
    return .around(self.quakes.strongest.map(\.mapPoint))
  }

  static let template = Template<Self>([
    .optional(
      "results",
      [.link("fit", QuakesLocal.self) { $0.camera = $1 }]
    ) { $0.camera }
  ])
}
