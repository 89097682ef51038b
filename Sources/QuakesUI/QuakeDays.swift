import Foundation
import HTMLTemplates
import ImmutableUI
import QuakesData

/// A bar for each of thirty days, which leads there: as high as there were many earthquakes, in the colors of
/// how strong they were.
struct QuakeDays: Presenter, Hashable {
  @SelectQuakesTallies private var tallies: [QuakesTally]
  private let span: DaySpan
  private let today: CalendarDay

  init(span: DaySpan, today: CalendarDay) {
    self._tallies = SelectQuakesTallies(span)
    self.span = span
    self.today = today
  }

  private var bars: [DayBar] {
    guard let most = self.tallies.map(\.count).max(), most > 0 else { return [] }
    let scale = Self.scale(for: most)
    return zip(self.span.days, self.tallies).map { day, tally in
      DayBar(id: day, tally: tally, scale: scale, isToday: day == self.today)
    }
  }

  /// What a whole bar stands for: a round number of ten or more, so that one earthquake more or less is
  /// one bar's.
  private static func scale(for most: Int) -> Int {
    var power = 10
    while power * 10 <= most { power *= 10 }
    // In tenths of the power.
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
        .link("show", QuakesLocal.self) { $0.show($1) },
      ]
    ) { $0.bars },
  ])
}

/// The bar of one day.
struct DayBar: Identifiable, Hashable, Sendable {
  let id: CalendarDay
  let tally: QuakesTally
  /// How many a whole bar stands for.
  let scale: Int
  let isToday: Bool

  /// A part of it: y goes down from 0 to 100.
  struct Part: Hashable, Sendable {
    let magnitudeClass: MagnitudeClass
    let y: Double
    let height: Double
  }

  /// How much of a bar there is room for, so that what is strong can be seen above all others.
  private static let room = 90.0

  /// From the bottom, the weakest first.
  var parts: [Part] {
    var y = 100.0
    return zip(MagnitudeClass.allCases, self.tally.counts).compactMap { magnitudeClass, count in
      guard count > 0 else { return nil }
      let share = Double(count) / Double(self.scale) * Self.room
      // One of a thousand is seen if it was strong.
      let height = max(share, magnitudeClass == .strong ? 7 : magnitudeClass == .moderate ? 4 : 2)
      y = max(y - height, 0)
      return Part(magnitudeClass: magnitudeClass, y: y, height: height)
    }
  }

  /// For a person, for example `November 12, 43 earthquakes, largest M5.8`.
  var label: String {
    let count =
      self.tally.count == 0
      ? "no earthquakes" : self.tally.count.counting("earthquake", "earthquakes")
    let largest = self.tally.largest.map {
      ", largest M" + $0.formatted(.number.precision(.fractionLength(1)).locale(.english))
    }
    return "\(self.isToday ? "Today" : self.id.dayText), \(count)\(largest ?? "")"
  }
}

extension LocalChange<QuakesLocal> {
  fileprivate mutating func show(_ bar: DayBar) {
    // Of today the URL says nothing, so that it is today tomorrow.
    if bar.isToday { self.showToday() } else { self.show(bar.id) }
  }
}
