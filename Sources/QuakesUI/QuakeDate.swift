import ImmutableUI
import QuakesData

/// The shown day, and links to other days.
struct QuakeDate: Presenter, Hashable {
  @SelectHasQuakes private var hasQuakes
  private let day: CalendarDay
  /// The day of a window whose URL contains no day.
  private let today: CalendarDay

  init(_ local: QuakesLocal) {
    self.day = local.search.day
    self.today = local.today
  }

  static let template = Template<Self>([
    .flag("isEmpty") { $0.hasQuakes == false },
    .flag("isToday") { $0.day == $0.today },
    .localForm("dateForm", QuakesLocal.self),
    .field("date", QuakesLocal.dateField) { $0.today },
    .link("previous", QuakesLocal.self) { $0.show($1.day.advanced(by: -1), today: $1.today) },
    .link("next", QuakesLocal.self) { $0.show($1.day.advanced(by: 1), today: $1.today) },
    .text("day") { $0.day.text },
    .link("goToToday", QuakesLocal.self) { local, _ in local.searchDate = nil },
  ])
}
