import ImmutableUI

/// Plays the day: the list and the map show the earthquakes up to a time of the day that advances.
///
/// This time is late local state, like the map's camera. Without scripts, links lead from hour to
/// hour; `Public/QuakesUI/timeline.js` plays. The page has all earthquakes of the day, and a style
/// sheet or the module hides the later ones, so the server is not involved while it plays.
struct QuakeTimeline: Presenter {
  static let assets: [Asset] = [.style("timeline.css"), .module("timeline.js")]

  static let template = Template<Self>([
    .attribute("clock", "data-clock", from: QuakesLocal.self) { local in
      local.until.wholeHour.map { "Until \($0.text)" } ?? "Whole day"
    },
    .lateLink("earlier", QuakesLocal.self) { $0.until = $0.until.anHourEarlier },
    .lateLink("later", QuakesLocal.self) { $0.until = $0.until.anHourLater },
    .link("wholeDay", QuakesLocal.self) { local, _ in local.until = nil },
  ])
}
