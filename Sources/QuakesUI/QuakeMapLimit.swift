import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// Says that the map has the strongest of many earthquakes only.
struct QuakeMapLimit: Component, Hashable {
  let search: QuakeList.Search

  var body: some Component {
    Container(search: self.search)
  }
}

extension QuakeMapLimit {
  private struct Container: Component {
    @SelectQuakesValues private var quakes: [Quake]

    init(search: QuakeList.Search) {
      self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    }

    var body: some Component {
      Presenter(count: self.quakes.count)
    }
  }

  private struct Presenter: ImmutableUI.Presenter {
    let count: Int

    private var text: String? {
      guard self.count > QuakeMarkers.limit else { return nil }
      let number = { (number: Int) in number.formatted(.number.locale(.english)) }
      return "The map shows the strongest \(number(QuakeMarkers.limit)) of \(number(self.count))."
    }

    static let template = Template<Self>([
      .optional("limit", [.text("text") { $0 }]) { $0.text }
    ])
  }
}
