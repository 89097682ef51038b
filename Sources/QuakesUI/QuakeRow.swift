import Foundation
import QuakesData

/// An earthquake as a row of the list.
struct QuakeRow: Identifiable, Hashable, Sendable {
  let quake: Quake
  /// The search text, without case and accents.
  private let search: String
  /// The time zone with the window's local time.
  private let clockZone: TimeZone

  init(_ quake: Quake, in search: QuakeList.Search) {
    self.quake = quake
    self.search = search.text
    self.clockZone = search.clock
  }

  var id: Quake.ID { self.quake.id }

  /// The name, with the matches of the search.
  var nameParts: [SearchText.Part] {
    SearchText.parts(of: self.quake.name, finding: self.search)
  }

  var clock: ClockTime { ClockTime(of: self.quake.time, in: self.clockZone) }
}
