import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// Which earthquake is selected, and when it happened.
struct QuakeMapTitle: Component, Hashable {
  let mapSelection: Quake.ID?
  /// Of the window.
  let timeZone: TimeZone

  var body: some Component {
    Container(mapSelection: self.mapSelection, timeZone: self.timeZone)
  }
}

extension QuakeMapTitle {
  private struct Container: Component {
    @SelectQuake private var mapQuake: Quake?
    private let timeZone: TimeZone

    init(mapSelection: Quake.ID?, timeZone: TimeZone) {
      self._mapQuake = SelectQuake(quakeId: mapSelection)
      self.timeZone = timeZone
    }

    var body: some Component {
      Presenter(mapQuake: self.mapQuake, timeZone: self.timeZone)
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let mapQuake: Quake?
    let timeZone: TimeZone

    static let template = Template<Self>([
      .text("title") { $0.mapQuake?.name ?? "Earthquakes" },
      .text("subtitle") { model in model.mapQuake?.fullDate(in: model.timeZone) ?? "" },
    ])
  }
}
