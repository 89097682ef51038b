import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// Which earthquake is selected, and when it happened.
struct QuakeMapTitle: Presenter, Hashable {
  @SelectQuake private var mapQuake: Quake?
  /// Of the window.
  private let timeZone: TimeZone

  init(mapSelection: Quake.ID?, timeZone: TimeZone) {
    self._mapQuake = SelectQuake(quakeId: mapSelection)
    self.timeZone = timeZone
  }

  static let template = Template<Self>([
    .text("title") { $0.mapQuake?.name ?? "Earthquakes" },
    .text("subtitle") { model in model.mapQuake?.fullDate(in: model.timeZone) ?? "" },
  ])
}
