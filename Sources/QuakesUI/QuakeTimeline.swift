import HTMLTemplates
import ImmutableUI

/// Plays the day: the list and the map show the earthquakes until a time of the day, which goes on.
///
/// Until when is late local state, as the map's camera is. Without scripts links lead from hour to hour;
/// `Public/QuakesUI/timeline.js` plays. The page has all earthquakes of the day, and a style sheet or the
/// module hides those that are yet to come, so the server has nothing to do while it plays.
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
