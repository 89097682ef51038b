import ImmutableUI
import PlainText
import QuakesData

/// A link that moves the map to the results of a search.
struct QuakeMapFit: Component, Hashable {
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
    let quakes = self.quakes.strongest
    let latitudes = quakes.map(\.latitude)
    // Of points with the same longitude, the northern one is higher, so only two are projected.
    let ends = [latitudes.min(), latitudes.max()].compactMap(\.self)
    return .around(
      xs: quakes.map(\.longitude), ys: ends.map { MapPoint(longitude: 0, latitude: $0).y })
  }

  var body: some Component { QuakeMapFitPresenter(camera: self.camera) }
}

private struct QuakeMapFitPresenter: Presenter, Hashable {
  let camera: MapCamera?

  static let template = Template<Self>([
    .optional(
      "results",
      [.link("fit", QuakesLocal.self) { $0.camera = $1 }]
    ) { $0.camera }
  ])
}
