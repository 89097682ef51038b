import Foundation
import ImmutableUI
import QuakesData

/// The card of the selected earthquake: its data, and a link to more. While none is selected, it says
/// what happened: the day, and the largest earthquake of the list.
struct QuakeMapTitle: Component, Hashable {
  @SelectQuake private var mapQuake: Quake?
  @SelectQuakesValues private var quakes: SortedRows<Quake>
  private let search: QuakeList.Search
  private let isToday: Bool
  /// The window's time zone.
  private let timeZone: TimeZone

  init(_ local: QuakesLocal) {
    let search = local.search
    self._mapQuake = SelectQuake(quakeId: local.mapSelection)
    self._quakes = SelectQuakesValues(search, QuakeMarkers.sort)
    self.search = search
    self.isToday = search.day == local.today
    self.timeZone = local.timeZone
  }

  var body: some Component {
    let card = self.mapQuake.map { QuakeCard($0, in: self.timeZone) }
    return QuakeMapTitlePresenter(card: card, day: card == nil ? self.day : nil)
  }

  private var day: QuakeMapTitlePresenter.Day {
    QuakeMapTitlePresenter.Day(
      day: self.search.day,
      isToday: self.isToday,
      largest: self.quakes.first.map { QuakeMarker(quake: $0, level: 0, in: self.search.clock) },
      isOnly: self.quakes.count == 1
    )
  }
}

private struct QuakeMapTitlePresenter: Presenter, Hashable {
  /// What happened on a day, as far as the list shows it.
  struct Day: Hashable {
    let day: CalendarDay
    let isToday: Bool
    let largest: QuakeMarker?
    let isOnly: Bool

    /// Text for people, for example `Today, Wednesday, February 7`.
    var name: String { self.isToday ? "Today, \(self.day.weekdayText)" : self.day.fullText }
  }

  /// That of the selected earthquake.
  let card: QuakeCard?
  /// While there is no card.
  let day: Day?

  static let template = Template<Self>([
    .text("title") { $0.card?.quake.name ?? $0.day?.name ?? "" },
    .text("subtitle") { $0.card?.fullDate ?? "" },
    .text("magnitude") { $0.card?.quake.magnitudeString ?? "" },
    .text("class") { $0.card?.quake.magnitudeClass.rawValue ?? "" },
    .flag("isOnly") { $0.day?.isOnly == true },
    .optional("largest", Self.largest) { $0.day?.largest },
    .optional("quake", Self.quake) { $0.card },
  ])

  private static let largest: Slots<QuakeMarker> = [
    .text("at") { $0.time },
    .text("size") { $0.quake.magnitudeString },
    .text("place") { $0.quake.name },
    .link(
      "select",
      QuakesLocal.self,
      scrollingTo: { $0.quake.rowID },
      change: { $0.select(inList: $1.quake) }
    ),
  ]

  private static let quake: Slots<QuakeCard> = [
    .text("dateTime") { $0.quake.dateTime },
    .text("time") { $0.quake.absoluteTime },
    .text("utc") { $0.utcText },
    .text("depth") { $0.depthText },
    .text("coordinates") { $0.quake.coordinates },
    .text("felt") { $0.feltText },
    .text("address") { $0.quake.address ?? "" },
    .flag("isSample") { $0.quake.isSample },
    .link("copy", QuakesLocal.self) { $0.showOnly($1.quake, in: $1.timeZone) },
    .link("deselect", QuakesLocal.self) { local, _ in local.deselect() },
  ]
}

/// What the card shows.
private struct QuakeCard: Hashable {
  let quake: Quake
  let timeZone: TimeZone
  // Two earthquakes can be equal although these differ.
  private let depth: Double?
  private let felt: Int?

  init(_ quake: Quake, in timeZone: TimeZone) {
    self.quake = quake
    self.timeZone = timeZone
    self.depth = quake.depth
    self.felt = quake.felt
  }

  var fullDate: String { self.quake.fullDate(in: self.timeZone) }

  /// The time in UTC; empty where clocks show the same.
  var utcText: String {
    self.timeZone.secondsFromGMT(for: self.quake.time) == 0 ? "" : self.quake.absoluteTimeText
  }

  /// Text for people, for example `10 km`.
  var depthText: String {
    guard let depth = self.depth else { return "Unknown" }
    return depth.formatted(.number.precision(.fractionLength(0...1)).locale(.english)) + " km"
  }

  /// Text for people, for example `12 people`; empty without reports.
  var feltText: String {
    guard let felt = self.felt else { return "" }
    return felt.counting("person", "people")
  }
}

extension Quake {
  /// Text for people, for example `9.90° N, 84.10° W`.
  fileprivate var coordinates: String {
    func text(_ degrees: Double, _ positive: String, _ negative: String) -> String {
      let number = abs(degrees).formatted(.number.precision(.fractionLength(2)).locale(.english))
      return "\(number)° \(degrees < 0 ? negative : positive)"
    }
    return text(self.latitude, "N", "S") + ", " + text(self.longitude, "E", "W")
  }

  /// The page at the U.S. Geological Survey; none for sample earthquakes.
  fileprivate var address: String? {
    // Ids of the USGS contain no other characters, which would have to be encoded.
    let isTheirs = self.id.utf8.allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
    }
    guard isTheirs, self.isSample == false else { return nil }
    return "https://earthquake.usgs.gov/earthquakes/eventpage/\(self.id)"
  }
}
