import Foundation
import QuakesData

/// An earthquake as a row of the list.
struct QuakeRow: Identifiable, Hashable, Sendable {
  let quake: Quake
  /// What is looked for, without case and accents.
  private let search: String
  /// What the clock of the window says is that of this zone.
  private let clockZone: TimeZone

  init(_ quake: Quake, in search: QuakeList.Search) {
    self.quake = quake
    self.search = search.text
    self.clockZone = search.clock
  }

  var id: Quake.ID { self.quake.id }

  /// The name, with what was looked for.
  var nameParts: [SearchText.Part] {
    SearchText.parts(of: self.quake.name, finding: self.search)
  }

  var clock: ClockTime { ClockTime(of: self.quake.time, in: self.clockZone) }
}
