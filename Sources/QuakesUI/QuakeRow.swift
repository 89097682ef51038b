import Foundation
import PlainText
import QuakesData

/// An earthquake as a row of the list.
struct QuakeRow: Identifiable, Hashable, Sendable {
  let quake: Quake
  private let search: SearchText
  /// The time zone with the window's local time.
  private let clockZone: TimeZone

  init(_ quake: Quake, in search: QuakeList.Search) {
    self.quake = quake
    self.search = search.text
    self.clockZone = search.clock
  }

  var id: Quake.ID { self.quake.id }

  /// The name, with the matches of the search.
  var nameParts: [SearchText.Part] { self.search.parts(of: self.quake.name) }

  var clock: ClockTime { ClockTime(of: self.quake.time, in: self.clockZone) }
}
