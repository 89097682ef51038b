import HTMLTemplates
import ImmutableUI
import QuakesData

/// The marker of the selected earthquake, on top of all.
struct SelectedQuakeMarker: Presenter, Hashable {
  @SelectQuake private var mapQuake: Quake?

  init(mapSelection: Quake.ID?, search: QuakeList.Search) {
    // As in the list: only what is looked for.
    self._mapQuake = SelectQuake(quakeId: mapSelection, in: search)
  }

  static let template = Template<Self>([
    .optional(
      "quake",
      [
        .text("class") { $0.magnitudeClass.rawValue },
        .text("d") { $0.markerPath },
        .text("size") { $0.markerSize.decimal(1) },
        .text("edge") { ($0.markerSize + 4).decimal(1) },
      ]
    ) { $0.mapQuake }
  ])
}
