import Foundation
import ImmutableUI
import QuakesData

/// A ring around the selected earthquake, on top of everything. A cluster that contains the
/// earthquake is visible in it.
struct SelectedQuakeMarker: Presenter, Hashable {
  @SelectQuake private var mapQuake: Quake?
  /// The window's time zone.
  private let clock: TimeZone

  init(_ local: QuakesLocal) {
    let search = local.search
    // As in the list, only if it matches the search.
    self._mapQuake = SelectQuake(quakeId: local.mapSelection, in: search.quakes)
    self.clock = search.clock
  }

  static let template = Template<Self>([
    .optional(
      "quake",
      [
        .text("class") { $0.quake.magnitudeClass.rawValue },
        .text("at") { $0.time },
        .text("d") { $0.quake.markerPath },
        .text("x") { $0.quake.mapPoint.x.decimal(3) },
        .text("y") { $0.quake.mapPoint.y.decimal(3) },
        .text("radius") { $0.quake.ringRadius.decimal(3) },
      ]
    ) { component in
      component.mapQuake.map { QuakeMarker(quake: $0, level: 0, in: component.clock) }
    }
  ])
}
