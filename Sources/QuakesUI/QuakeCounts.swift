import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// How many earthquakes show, and of how many of the day.
struct QuakeCounts: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  /// All of the day.
  @SelectQuakesValues private var dayQuakes: SortedRows<Quake>
  private let isFiltered: Bool

  init(search: QuakeList.Search) {
    // In the order that the map's markers have: windows that show the whole day have selected these.
    self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    self._dayQuakes = SelectQuakesValues(search.ofWholeDay, QuakeMarkers.sort)
    self.isFiltered = search != search.ofWholeDay
  }

  private var text: String {
    let count = self.quakes.count
    guard self.isFiltered else { return count.counting("earthquake", "earthquakes") }
    return "\(count.grouped) of " + self.dayQuakes.count.counting("earthquake", "earthquakes")
  }

  static let template = Template<Self>([
    .text("text") { $0.text }
  ])
}

extension Int {
  /// For a person, for example `10,007`.
  var grouped: String {
    self.formatted(.number.locale(.english))
  }

  /// For a person, for example `1 earthquake`.
  func counting(_ one: String, _ several: String) -> String {
    "\(self.grouped) \(self == 1 ? one : several)"
  }
}
