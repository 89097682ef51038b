import HTMLTemplates
import ImmutableUI
import QuakesData

/// A marker for each earthquake, the smaller ones on top of the larger; of many for the strongest.
struct QuakeMarkers: Component, Hashable {
  let search: QuakeList.Search

  var body: some Component {
    Container(search: self.search)
  }
}

extension QuakeMarkers {
  /// The most markers: more of them could not be told apart, and browsers would take long to draw them.
  static let limit = 1_000

  /// The strongest first.
  static let sort = QuakeList.Sort(parameter: .magnitude, order: .reverse)
}

extension QuakeMarkers {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]

    init(search: QuakeList.Search) {
      self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    }

    var body: some Component {
      Presenter(quakes: Array(self.quakes.prefix(QuakeMarkers.limit)))
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let quakes: [Quake]

    static let template = Template<Self>([
      .rows(
        "markers",
        [
          .text("magnitude") { $0.magnitudeString },
          .text("name") { $0.name },
          .text("color") { $0.color },
          .text("d") { $0.markerPath },
          .text("size") { $0.markerSize.decimal(1) },
          .text("edge") { ($0.markerSize + 2).decimal(1) },
          .link("select", QuakesLocal.self, scrollingTo: { $0.rowID }) { $0.select(inMap: $1) },
        ]
      ) { $0.quakes }
    ])
  }
}
