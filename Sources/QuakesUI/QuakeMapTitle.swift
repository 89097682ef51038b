import Foundation
import ImmutableUI
import QuakesData

/// The card of the selected earthquake: its data, and a link to more.
struct QuakeMapTitle: Presenter, Hashable {
  @SelectQuake private var mapQuake: Quake?
  /// The window's time zone.
  private let timeZone: TimeZone

  init(_ local: QuakesLocal) {
    self._mapQuake = SelectQuake(quakeId: local.mapSelection)
    self.timeZone = local.timeZone
  }

  private var card: Card? {
    self.mapQuake.map { Card(quake: $0, timeZone: self.timeZone) }
  }

  static let template = Template<Self>([
    .text("title") { $0.mapQuake?.name ?? "Earthquakes" },
    .text("subtitle") { model in model.mapQuake?.fullDate(in: model.timeZone) ?? "" },
    .text("magnitude") { $0.mapQuake?.magnitudeString ?? "" },
    .text("class") { $0.mapQuake?.magnitudeClass.rawValue ?? "" },
    .optional(
      "quake",
      [
        .text("utc") { $0.quake.absoluteTimeText },
        .text("depth") { $0.quake.depthText },
        .text("coordinates") { $0.quake.coordinates },
        .text("felt") { $0.quake.feltText },
        .text("address") { $0.quake.address ?? "" },
        .flag("isSample") { $0.quake.isSample },
        .link("copy", QuakesLocal.self) { $0.showOnly($1.quake, in: $1.timeZone) },
        .link("deselect", QuakesLocal.self) { local, _ in local.deselect() },
      ]
    ) { $0.card },
  ])
}

extension QuakeMapTitle {
  private struct Card: Sendable {
    let quake: Quake
    let timeZone: TimeZone
  }
}

extension Quake {
  /// Text for people, for example `10 km`.
  fileprivate var depthText: String {
    guard let depth = self.depth else { return "Unknown" }
    return depth.formatted(.number.precision(.fractionLength(0...1)).locale(.english)) + " km"
  }

  /// Text for people, for example `12 people`; empty without reports.
  fileprivate var feltText: String {
    guard let felt = self.felt else { return "" }
    return felt.counting("person", "people")
  }

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
