import HTMLTemplates
import ImmutableUI
import QuakesData

/// A marker for each earthquake, the smaller ones on top of the larger; of many for the strongest.
struct QuakeMarkers: Presenter, Hashable {
  /// The most markers: more of them could not be told apart, and browsers would take long to draw them.
  static let limit = 1_000

  /// The strongest first.
  static let sort = QuakeList.Sort(parameter: .magnitude, order: .reverse)

  @SelectQuakesValues private var quakes: SortedRows<Quake>

  init(search: QuakeList.Search) {
    self._quakes = SelectQuakesValues(search, Self.sort)
  }

  private var shown: [Quake] { Array(self.quakes.prefix(Self.limit)) }

  static let template = Template<Self>([
    .rows(
      "markers",
      [
        .text("magnitude") { $0.magnitudeString },
        .text("name") { $0.name },
        .text("class") { $0.magnitudeClass.rawValue },
        .text("d") { $0.markerPath },
        .text("size") { $0.markerSize.decimal(1) },
        .text("edge") { ($0.markerSize + 2).decimal(1) },
        .link("select", QuakesLocal.self, scrollingTo: { $0.rowID }) { $0.select(inMap: $1) },
      ]
    ) { $0.shown }
  ])
}
