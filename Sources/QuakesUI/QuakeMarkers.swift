import HTMLTemplates
import ImmutableUI
import QuakesData

/// A marker for each earthquake, the smaller ones on top of the larger.
struct QuakeMarkers: Component, Hashable {
  let search: QuakeList.Search

  var body: some Component {
    Container(search: self.search)
  }
}

extension QuakeMarkers {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]

    init(search: QuakeList.Search) {
      self._quakes = SelectQuakesValues(
        search,
        QuakeList.Sort(parameter: .magnitude, order: .reverse)
      )
    }

    var body: some Component {
      Presenter(quakes: self.quakes)
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
          .link("select", scrollingTo: { $0.rowID }) { QuakesLocal.selecting(inMap: $0) },
        ]
      ) { $0.quakes }
    ])
  }
}
