import Foundation
import QuakesData

/// An earthquake as a row of the list.
struct QuakeRow: Identifiable, Hashable, Sendable {
  let quake: Quake
  /// What is looked for, without case and accents.
  private let search: String
  /// What the clock of the window says is that of this zone.
  private let clock: TimeZone

  init(_ quake: Quake, in search: QuakeList.Search) {
    self.quake = quake
    self.search = search.text
    self.clock = search.clock
  }

  var id: Quake.ID { self.quake.id }

  /// The name, with what was looked for.
  var nameParts: [SearchText.Part] {
    SearchText.parts(of: self.quake.name, finding: self.search)
  }

  /// For a person, for example `9:05 AM`.
  var clockTime: String {
    // By hand: formatting takes a hundred times as long, and lists have hundreds of rows.
    let seconds =
      Int(self.quake.time.timeIntervalSince1970.rounded(.down))
      + self.clock.secondsFromGMT(for: self.quake.time)
    let minutes = (seconds % 86_400 + 86_400) % 86_400 / 60
    let (hour, minute) = (minutes / 60, minutes % 60)
    return "\((hour + 11) % 12 + 1):\(minute < 10 ? "0" : "")\(minute) \(hour < 12 ? "AM" : "PM")"
  }
}
