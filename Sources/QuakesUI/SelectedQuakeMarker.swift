import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// The marker of the selected earthquake, on top of all.
struct SelectedQuakeMarker: Presenter, Hashable {
  @SelectQuake private var mapQuake: Quake?
  /// The window's.
  private let clock: TimeZone

  init(mapSelection: Quake.ID?, search: QuakeList.Search) {
    // As in the list: only what is looked for.
    self._mapQuake = SelectQuake(quakeId: mapSelection, in: search)
    self.clock = search.clock
  }

  static let template = Template<Self>([
    .optional(
      "quake",
      [
        .text("class") { $0.quake.magnitudeClass.rawValue },
        .text("at") { $0.time },
        .text("d") { $0.quake.markerPath },
        .text("size") { $0.quake.markerSize.decimal(1) },
        .text("edge") { ($0.quake.markerSize + 4).decimal(1) },
      ]
    ) { component in
      component.mapQuake.map { QuakeMarker(quake: $0, level: 0, in: component.clock) }
    }
  ])
}
