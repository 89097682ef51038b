import Foundation
import ImmutableUI
import QuakesData

/// The markers of the earthquakes, or of the strongest if there are many, with smaller markers on
/// top of larger ones. Markers that cover each other form a cluster with their number. The style
/// sheet shows the marks of the current level.
struct QuakeMarkers: Component, Hashable {
  /// The maximum number of markers. More could not be distinguished, and would be slow to draw.
  static let limit = 1_000

  /// The strongest first.
  static let sort = QuakeList.Sort(parameter: .magnitude, order: .reverse)

  @SelectQuakesValues private var quakes: SortedRows<Quake>
  /// The window's time zone.
  private let clock: TimeZone

  init(_ local: QuakesLocal) {
    let search = local.search
    self._quakes = SelectQuakesValues(search, Self.sort)
    self.clock = search.clock
  }

  var body: some Component { QuakeMarkersPresenter(quakes: self.quakes, clock: self.clock) }
}

/// It is rendered once for all searches that find the same earthquakes.
private struct QuakeMarkersPresenter: Presenter, Hashable {
  /// The strongest first.
  let quakes: SortedRows<Quake>
  let clock: TimeZone

  static let template = Template<Self>([
    // Clusters are computed once for both lists.
    .optional(
      "marks",
      [
        .rows("markers", Self.marker) { $0.markers },
        .rows("clusters", Self.cluster) { $0.clusters },
      ]
    ) { Marks($0.quakes, clock: $0.clock) }
  ])

  private struct Marks: Sendable {
    let markers: ListRows<Quake, QuakeMarker>
    let clusters: [MapCluster]

    init(_ quakes: SortedRows<Quake>, clock: TimeZone) {
      let clusters = MapClusters(quakes.strongest)
      self.markers = ListRows(
        ListPart(of: quakes, from: nil, at: nil, size: QuakeMarkers.limit), of: quakes,
        numbered: clusters.firstLevels, capturing: clock
      ) {
        QuakeMarker(quake: $0.source, level: $0.number, in: clock)
      }
      self.clusters = clusters.clusters
    }
  }

  private static let marker: Slots<QuakeMarker> = [
    .text("magnitude") { $0.quake.magnitudeString },
    .text("name") { $0.quake.name },
    .text("class") { $0.quake.magnitudeClass.rawValue },
    .text("level") { $0.level },
    .text("at") { $0.time },
    .text("d") { $0.quake.markerPath },
    .text("size") { $0.quake.markerSize.decimal(1) },
    .text("edge") { ($0.quake.markerSize + 2).decimal(1) },
    .link(
      "select",
      QuakesLocal.self,
      scrollingTo: { $0.quake.rowID },
      change: { $0.select(inMap: $1.quake) }
    ),
  ]

  private static let cluster: Slots<MapCluster> = [
    .text("count") { $0.count.grouped },
    .text("magnitude") { $0.quake.magnitudeString },
    .text("name") { $0.quake.name },
    .text("class") { $0.quake.magnitudeClass.rawValue },
    .text("first") { $0.first },
    .text("last") { $0.last },
    .text("x") { $0.quake.mapPoint.x.decimal(3) },
    .text("y") { $0.quake.mapPoint.y.decimal(3) },
    .text("d") { $0.quake.markerPath },
    .text("size") { $0.size.decimal(1) },
    .text("edge") { ($0.size + 2).decimal(1) },
    .link("zoom", QuakesLocal.self) { $0.camera = $1.camera },
  ]
}

extension SortedRows<Quake> {
  /// Those that the map shows, if the strongest come first.
  var strongest: [Quake] { self.rows(in: 0..<Swift.min(self.count, QuakeMarkers.limit)) }
}

/// An earthquake on the map.
struct QuakeMarker: Identifiable, Hashable, Sendable {
  let quake: Quake
  /// The first level at which it is visible.
  let level: Int
  /// The local time of the earthquake.
  let time: ClockTime

  /// - Parameter clock: The window's time zone.
  init(quake: Quake, level: Int, in clock: TimeZone) {
    self.quake = quake
    self.level = level
    self.time = ClockTime(of: quake.time, in: clock)
  }

  var id: Quake.ID { self.quake.id }
}
