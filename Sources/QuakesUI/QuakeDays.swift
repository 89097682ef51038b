import Foundation
import ImmutableUI
import QuakesData

/// A bar for each of thirty days, which links to the day. Its height is the number of earthquakes,
/// and its colors are their strength.
struct QuakeDays: Presenter, Hashable {
  @SelectQuakesTallies private var tallies: [QuakesTally]
  private let span: DaySpan
  private let today: CalendarDay

  init(_ local: QuakesLocal) {
    self.span = local.days
    self._tallies = SelectQuakesTallies(self.span)
    self.today = local.today
  }

  private var bars: [DayBar] {
    guard let most = self.tallies.map(\.count).max(), most > 0 else { return [] }
    let scale = Self.scale(for: most)
    return zip(self.span.days, self.tallies).map { day, tally in
      DayBar(id: day, tally: tally, scale: scale, isToday: day == self.today)
    }
  }

  /// The number for a full bar. It is a round number of at least ten, so that one more earthquake
  /// changes only one bar.
  private static func scale(for most: Int) -> Int {
    var power = 10
    while power * 10 <= most { power *= 10 }
    // In tenths of the power of ten.
    let steps = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100]
    return steps.lazy.map { ($0 * power + 9) / 10 }.first { most <= $0 } ?? most
  }

  static let template = Template<Self>([
    .flag("isShown") { $0.tallies.contains { $0.count > 0 } },
    .text("first") { $0.span.first.shortText },
    .text("last") { $0.span.last == $0.today ? "Today" : $0.span.last.shortText },
    .rows(
      "days",
      [
        .text("label") { $0.label },
        .each(
          "parts",
          [
            .text("class") { $0.magnitudeClass.rawValue },
            .text("y") { $0.y.decimal(1) },
            .text("height") { $0.height.decimal(1) },
          ]
        ) { $0.parts },
        .link("show", QuakesLocal.self) { $0.searchDate = $1.isToday ? nil : $1.id },
      ]
    ) { $0.bars },
  ])
}

/// The bar of one day.
struct DayBar: Identifiable, Hashable, Sendable {
  let id: CalendarDay
  let tally: QuakesTally
  /// The number for a full bar.
  let scale: Int
  let isToday: Bool

  /// A part of the bar; y goes down from 0 to 100.
  struct Part: Hashable, Sendable {
    let magnitudeClass: MagnitudeClass
    let y: Double
    let height: Double
  }

  /// The available part of a bar, so that strong earthquakes stay visible above the others.
  private static let room = 90.0

  /// The parts from the bottom, the weakest first.
  var parts: [Part] {
    var y = 100.0
    return zip(MagnitudeClass.allCases, self.tally.counts).compactMap { magnitudeClass, count in
      guard count > 0 else { return nil }
      let share = Double(count) / Double(self.scale) * Self.room
      // One strong earthquake among a thousand is still visible.
      let height = max(share, magnitudeClass == .strong ? 7 : magnitudeClass == .moderate ? 4 : 2)
      y = max(y - height, 0)
      return Part(magnitudeClass: magnitudeClass, y: y, height: height)
    }
  }

  /// Text for people, for example `November 12, 43 earthquakes, largest M5.8`.
  var label: String {
    let count =
      self.tally.count == 0
      ? "no earthquakes" : self.tally.count.counting("earthquake", "earthquakes")
    let largest = self.tally.largest.map { ", largest M\($0.formatted(.magnitude))" }
    return "\(self.isToday ? "Today" : self.id.dayText), \(count)\(largest ?? "")"
  }
}
