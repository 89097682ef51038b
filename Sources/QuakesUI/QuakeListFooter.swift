import HTMLTemplates
import ImmutableUI
import QuakesData

/// How many earthquakes there are, and of which day.
struct QuakeListFooter: Presenter, Hashable {
  @SelectQuakesValues private var quakes: [Quake]
  @SelectQuakesCount private var totalQuakes
  private let day: CalendarDay
  /// What a window shows that says no day.
  private let today: CalendarDay

  init(search: QuakeList.Search, sort: QuakeList.Sort, today: CalendarDay) {
    self._quakes = SelectQuakesValues(search, sort)
    self.day = search.day
    self.today = today
  }

  static let template = Template<Self>([
    .text("count") { $0.quakes.count },
    .text("earthquakes") { $0.quakes.count == 1 ? "earthquake" : "earthquakes" },
    .text("total") { $0.totalQuakes },
    .flag("isEmpty") { $0.totalQuakes == 0 },
    .localForm("dateForm", QuakesLocal.self) { $0.part = .first },
    .field("date", QuakesLocal.dateField) { $0.today },
    .link("previous", QuakesLocal.self) { $0.show($1.day.advanced(by: -1)) },
    .link("next", QuakesLocal.self) { $0.show($1.day.advanced(by: 1)) },
  ])
}
