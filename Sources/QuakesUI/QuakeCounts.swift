import ImmutableUI
import QuakesData

/// How many earthquakes of the day are shown.
struct QuakeCounts: Presenter, Hashable {
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  /// The number of all earthquakes of the day.
  @SelectQuakesValues private var dayQuakes: SortedRows<Quake>
  /// The number of fictional ones among those that are shown.
  @SelectSampleQuakesCount private var sampleCount: Int
  private let isFiltered: Bool

  init(_ local: QuakesLocal) {
    let search = local.search
    // In the same order as the map's markers, so that windows that show the whole day share the
    // selection.
    self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    self._dayQuakes = SelectQuakesValues(search.ofWholeDay, QuakeMarkers.sort)
    self._sampleCount = SelectSampleQuakesCount(search.quakes)
    self.isFiltered = search != search.ofWholeDay
  }

  private var text: String {
    let (count, samples) = (self.quakes.count, self.sampleCount)
    if samples > 0, samples == count, self.isFiltered == false {
      return count.counting("made-up earthquake", "made-up earthquakes")
    }
    guard self.dayQuakes.isEmpty == false else { return "No earthquakes" }
    let all = self.dayQuakes.count
    if self.filteredSamples != nil { return "\(count.grouped) of \(all.grouped)" }
    let total = all.counting("earthquake", "earthquakes")
    let shown = self.isFiltered ? "\(count.grouped) of \(total)" : total
    return samples > 0 ? "\(shown), \(samples.grouped) made up" : shown
  }

  /// How many of a filtered list are fictional. The noun is then hidden, except from screen readers,
  /// so that all fits in one line beside the filters.
  private var filteredSamples: Int? {
    self.isFiltered && self.sampleCount > 0 ? self.sampleCount : nil
  }

  private var noun: String { self.dayQuakes.count == 1 ? "earthquake" : "earthquakes" }

  static let template = Template<Self>([
    .text("text") { $0.text },
    .text("noun") { $0.noun },
    .optionalText("filteredSamples") { $0.filteredSamples?.grouped },
  ])
}
